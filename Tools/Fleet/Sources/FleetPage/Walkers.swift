public import Fleet
internal import JSON
internal import Synchronization

/// How everybody stands: what is kept of all logs, and what workers told since.
public final class Walkers: Sendable {
    private let glances = Mutex<[FleetLog: Told]>([:])

    private struct Told {
        var events: UInt64
        var json: [UInt8]
    }

    /// Begins with what there is.
    public init(_ logs: [FoldedLog]) {
        for glance in logs.map(Glance.init) { take(glance.jsonLine) }
    }

    /// Takes a worker's glances in; what is older than what is known is passed over.
    public func take(_ message: [UInt8]) {
        for line in message.split(separator: 0x0A) {
            guard let glance = JSONValue(parsing: Array(line)),
                let person = glance["person"]?.text, let id = glance["log"]?.text,
                let log = FleetLog(person: person, id: id),
                let events = glance["events"]?.integer(as: UInt64.self)
            else { continue }
            glances.withLock { glances in
                guard glances[log]?.events ?? 0 <= events else { return }
                glances[log] = Told(events: events, json: Array(line))
            }
        }
    }

    /// All glances, by person.
    var json: [UInt8] {
        let all = glances.withLock { $0 }.sorted { $0.key < $1.key }
        return Array("[".utf8)
            + all.map { $0.value.json }.joined(separator: Array(",".utf8))
            + Array("]".utf8)
    }
}
