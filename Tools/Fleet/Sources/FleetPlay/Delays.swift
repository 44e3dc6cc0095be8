internal import Fleet
internal import Synchronization

/// How long it takes from an event until a glance tells of it.
final class Delays: Sendable {
    private struct State {
        var waiting: [FleetLog: [(position: UInt64, since: ContinuousClock.Instant)]] = [:]
        var delays: [Duration] = []
    }

    private let state = Mutex(State())

    /// Notes that the log holds the events before a position from now on.
    func note(_ log: FleetLog, _ position: UInt64) {
        state.withLock { $0.waiting[log, default: []].append((position, .now)) }
    }

    /// Takes a worker's glances in.
    func take(_ bytes: [UInt8]) {
        let now = ContinuousClock.now
        for line in bytes.split(separator: 0x0A) {
            guard let glance = Glance(line: Array(line)) else { continue }
            state.withLock { state in
                guard var waiting = state.waiting[glance.log] else { return }
                while let first = waiting.first, first.position <= glance.events {
                    state.delays.append(now - first.since)
                    waiting.removeFirst()
                }
                state.waiting[glance.log] = waiting
            }
        }
    }

    /// Percentiles, in words.
    var report: String {
        let sorted = state.withLock { $0.delays.sorted() }
        guard !sorted.isEmpty else { return "no glance told of an event" }
        func at(_ percent: Int) -> String {
            let parts = sorted[min(sorted.count - 1, sorted.count * percent / 100)].components
            return "\(parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000) ms"
        }
        return "seconds until a glance: p50 \(at(50)), p99 \(at(99)), longest \(at(100)) "
            + "of \(sorted.count) readings"
    }
}
