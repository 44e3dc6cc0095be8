internal import Synchronization

/// How everybody stands: what is kept of all logs, and what workers told since.
package final class Glances: Sendable {
    private let known = Mutex<[FleetLog: Glance]>([:])

    /// Nobody yet.
    package init() {}

    /// All glances, by person.
    package var all: [Glance] { known.withLock { $0.values.sorted { $0.log < $1.log } } }

    /// Takes what the cluster has: logs that are not among it are forgotten.
    package func replace(with logs: [FoldedLog]) {
        let kept = logs.map(Glance.init)
        known.withLock { known in
            let told = known
            known = [:]
            for glance in kept {
                let newer = told[glance.log].flatMap { $0.events > glance.events ? $0 : nil }
                known[glance.log] = newer ?? glance
            }
        }
    }

    /// Takes a worker's glances in; what is older than what is known is passed over.
    package func take(_ message: [UInt8]) {
        let told = message.split(separator: 0x0A).compactMap { Glance(line: Array($0)) }
        known.withLock { known in
            for glance in told where known[glance.log]?.events ?? 0 <= glance.events {
                known[glance.log] = glance
            }
        }
    }
}
