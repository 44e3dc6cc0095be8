public import Fleet
internal import JSON
internal import Synchronization

/// How everybody stands: what is kept of all logs, and what workers told since.
public final class Walkers: Sendable {
    private struct Told {
        var events: UInt64
        var json: [UInt8]
    }

    private let glances = Mutex<[FleetLog: Told]>([:])

    /// Nobody yet.
    public init() {}

    /// Takes what the cluster has: logs that are not among it are forgotten.
    public func replace(with logs: [FoldedLog]) {
        let glances = logs.map(Glance.init)
        self.glances.withLock { known in
            var all: [FleetLog: Told] = [:]
            for glance in glances {
                let told = known[glance.log]
                all[glance.log] =
                    if let told, told.events > glance.events {
                        told
                    } else {
                        Told(events: glance.events, json: Array(glance.jsonLine.dropLast()))
                    }
            }
            known = all
        }
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
