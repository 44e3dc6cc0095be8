/// The streams of a study, and where each message stands in them.
///
/// `pulselog.PERSON.SHARE.LOG.KIND`: the share is the log's first digit, so that sixteen workers
/// can divide the logs among them; the log is its identity, 32 hexadecimal digits. The person comes
/// first, because a server lets somebody write `>` where a permission has `*`, and takes it for all
/// that follows.
package enum Subjects {
    /// The stream of what recorders send.
    package static let events = "PULSELOG"
    /// The stream of what workers keep: only the last message of a subject stays.
    package static let states = "PULSELOG_STATES"
    /// The stream of who is there and folds which share: a lease ends when it is not renewed.
    package static let leases = "PULSELOG_LEASES"
    /// How many shares there are: one for each first digit of a log's identity.
    package static let shares = Array("0123456789abcdef")

    /// Where workers say how the logs of a share stand, several times a second.
    package static func glances(ofShare share: Character) -> String { "pulselog-glances.\(share)" }
    /// The state of a log.
    package static func state(of log: FleetLog) -> String {
        "pulselog-states.\(log.share).log.\(log.person).\(log.id)"
    }
    /// The log of a subject of ``state(of:)``; nil if it is another subject.
    static func log(ofState subject: String) -> FleetLog? {
        let tokens = subject.tokens
        guard tokens.count == 5, let log = FleetLog(person: tokens[3], id: tokens[4]),
            state(of: log) == subject
        else { return nil }
        return log
    }
    /// Up to which sequence a share is folded and its states are kept.
    package static func cursor(ofShare share: Character) -> String {
        "pulselog-states.\(share).cursor"
    }
    /// All that is kept of a share.
    package static func states(ofShare share: Character) -> String { "pulselog-states.\(share).>" }
    /// The states of a person's logs of a share.
    package static func states(of person: String, inShare share: Character) -> String {
        "pulselog-states.\(share).log.\(person).>"
    }
    /// Who folds a share.
    package static func lease(ofShare share: Character) -> String { "pulselog-leases.\(share)" }
    /// Where a worker says, as often as it renews leases, that it is there.
    package static func presence(ofWorker name: String) -> String {
        "pulselog-leases.worker.\(name)"
    }
    /// All that recorders send of a share.
    static func share(_ share: Character) -> String { "pulselog.*.\(share).>" }
    /// All that a person sends.
    package static func person(_ person: String) -> String { "pulselog.\(person).>" }
}

/// A log of a person, as its messages name it.
package struct FleetLog: Hashable, Sendable, Comparable {
    /// What a message of a log holds.
    package enum Kind: String, CaseIterable, Sendable {
        /// Events that follow the ones before, as a block.
        case events
        /// A sealed block, with what its leaf is made of.
        case sealed
        /// A signed head of the log's tree.
        case checkpoint
    }

    /// Who walks.
    package let person: String
    /// The identity of the log, 32 hexadecimal digits.
    package let id: String

    /// Names a log; nil if either is something else.
    ///
    /// - Parameters:
    ///   - person: Who walks: 1 to 64 letters, digits, `-` and `_`.
    ///   - id: The identity of the log, 32 hexadecimal digits.
    package init?(person: some StringProtocol, id: some StringProtocol) {
        guard Self.isPerson(person), id.utf8.count == 32,
            id.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.person = String(person)
        self.id = String(id)
    }

    /// Reads a subject.
    ///
    /// - Returns: The log, and what the message holds; nil if no recorder sends there.
    package static func read(_ subject: String) -> (log: FleetLog, kind: Kind)? {
        let tokens = subject.tokens
        guard tokens.count == 5, let log = FleetLog(person: tokens[1], id: tokens[3]),
            let kind = Kind(rawValue: String(tokens[4])), log.subject(kind) == subject
        else { return nil }
        return (log, kind)
    }

    /// Whether somebody may be called this.
    package static func isPerson(_ name: some StringProtocol) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                    || $0 == 45 || $0 == 95
            }
    }

    /// The share that it belongs to.
    package var share: Character { id.first ?? "0" }

    /// Where its messages go.
    package func subject(_ kind: Kind) -> String { "pulselog.\(person).\(share).\(id).\(kind)" }

    /// All its messages.
    package var subjects: String { "pulselog.\(person).\(share).\(id).>" }

    /// By person, then by identity.
    package static func < (left: FleetLog, right: FleetLog) -> Bool {
        (left.person, left.id) < (right.person, right.id)
    }
}

extension String {
    /// What stands between the dots of a subject.
    fileprivate var tokens: [Substring] {
        // By bytes: to look for characters would take longer than to fold the message.
        utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map(Substring.init)
    }
}
