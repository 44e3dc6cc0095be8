internal import Events
internal import JSON
package import Projections
internal import TamperEvidence

/// What the messages of a log come to: the same folds as on the walker's machine.
package struct FoldedLog: Sendable {
    /// How many messages that were set aside are named.
    static let namedLimit = 8

    /// A message that no recorder sends: nothing of it is counted.
    package struct SetAside: Hashable, Sendable {
        /// Its place in the stream.
        package let sequence: UInt64
        /// What is wrong with it.
        package let reason: String
    }

    /// Whose log it is.
    package let log: FleetLog
    /// The folds.
    package private(set) var state = LogState()
    /// The last message that was looked at.
    package private(set) var sequence: UInt64 = 0
    /// The first messages that were set aside.
    package private(set) var setAside: [SetAside] = []
    /// How many there were.
    package private(set) var setAsideCount = 0

    /// A log without events.
    package init(_ log: FleetLog) { self.log = log }

    /// Takes a message in; one that was taken in before changes nothing.
    ///
    /// - Parameters:
    ///   - message: The message, of this log's subjects.
    ///   - kind: What it holds.
    package mutating func take(_ message: StoredMessage, _ kind: FleetLog.Kind) {
        guard message.sequence > sequence else { return }
        sequence = message.sequence
        do throws(DamagedBlock) {
            switch kind {
            case .events: try take(block: message.payload, message)
            case .sealed:
                guard let opened = OpenedBlock(encoded: message.payload) else {
                    return put(message, aside: "not a sealed block")
                }
                if let block = opened.block { try take(block: block, message) }
            case .checkpoint: break
            }
        } catch {
            put(message, aside: error.description)
        }
    }

    private mutating func take(block: [UInt8], _ message: StoredMessage) throws(DamagedBlock) {
        try BlockReader.verify(block.span)
        let heads = try BlockReader.heads(of: block.span)
        guard heads.first <= state.next else {
            return put(
                message, aside: "events \(state.next) to \(heads.first - 1) are missing before it")
        }
        guard heads.next > state.next else { return }
        try state.evolve(block: block.span, from: state.next)
    }

    private mutating func put(_ message: StoredMessage, aside reason: String) {
        setAsideCount += 1
        guard setAside.count < Self.namedLimit else { return }
        setAside.append(SetAside(sequence: message.sequence, reason: reason))
    }
}

// MARK: - Kept

extension FoldedLog {
    private struct Head: JSONObject {
        let folded: FoldedLog

        func writeFields(to json: inout JSONWriter) {
            json.field("person", folded.log.person)
            json.field("log", folded.log.id)
            json.field("version", Int64(LogState.version))
            json.field("sequence", Int64(folded.sequence))
            json.field("setAsideCount", Int64(folded.setAsideCount))
            json.array("setAside") { json in
                for message in folded.setAside {
                    json.object { json in
                        json.field("sequence", Int64(message.sequence))
                        json.field("reason", message.reason)
                    }
                }
            }
        }
    }

    /// A line of JSON, then the state in the form in which it is kept.
    package var kept: [UInt8] { JSONWriter.line(Head(folded: self)) + state.snapshotBytes() }

    /// Reads what was kept; nil if it is something else, or of another version of the folds.
    package init?(kept bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 0x0A),
            let head = JSONValue(parsing: Array(bytes[..<end])),
            let person = head["person"]?.text, let id = head["log"]?.text,
            let log = FleetLog(person: person, id: id),
            head["version"]?.integer(as: UInt32.self) == LogState.version,
            let sequence = head["sequence"]?.integer(as: UInt64.self),
            let count = head["setAsideCount"]?.integer(as: Int.self),
            let named = head["setAside"]?.elements
        else { return nil }
        self.init(log)
        do throws(DamagedState) {
            state = try LogState(snapshotBytes: Array(bytes[(end + 1)...]))
        } catch {
            return nil
        }
        self.sequence = sequence
        setAsideCount = count
        setAside = named.compactMap { message in
            guard let sequence = message["sequence"]?.integer(as: UInt64.self),
                let reason = message["reason"]?.text
            else { return nil }
            return SetAside(sequence: sequence, reason: reason)
        }
    }
}
