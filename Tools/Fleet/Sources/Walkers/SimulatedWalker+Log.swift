internal import Deciding
package import EventStore
package import Fleet
package import Projections

extension SimulatedWalker {
    /// Makes a log in memory, from its first event on.
    ///
    /// - Parameter seconds: How long the walk in it is.
    /// - Returns: The log.
    /// - Throws: Nothing.
    package mutating func log(seconds: Int = 0) async throws -> InMemoryEventLog {
        let log = InMemoryEventLog()
        _ = try await log.append(try begin(), expecting: nil)
        try await walk(seconds: seconds, into: log)
        return log
    }
}

extension EventLog {
    /// What its events come to.
    ///
    /// - Throws: `EventLogError` if it cannot be read.
    package var state: LogState {
        get throws(EventLogError) {
            var state = LogState()
            try fold(into: &state)
            return state
        }
    }
}

extension FleetLog {
    /// Names a log whose identity is made up.
    ///
    /// - Parameters:
    ///   - person: Whose it is.
    ///   - digits: How its identity begins; the last digit is repeated.
    package init(simulated person: String, _ digits: String) {
        let rest = String(repeating: digits.last ?? "0", count: 32 - digits.count)
        guard let log = FleetLog(person: person, id: digits + rest) else {
            preconditionFailure("\(person) \(digits) is no name.")
        }
        self = log
    }
}

extension Forwarder {
    /// It is refused without end.
    package struct NeverIdle: Error {}

    /// Sends until there is nothing left to send; what the cluster loses is sent again.
    ///
    /// - Parameter limit: The most steps.
    /// - Returns: How many messages were stored.
    /// - Throws: ``NeverIdle``; `ForwardingError` of anything but a lost message.
    @discardableResult
    package mutating func sendAll(tries limit: Int = 10_000) async throws -> Int {
        var sent = 0
        for _ in 0..<limit {
            do throws(ForwardingError) {
                switch try await step() {
                case .sent: sent += 1
                case .idle: return sent
                case .overtaken: break
                }
            } catch {
                guard case .cluster(let failure) = error, failure.code == .lost else { throw error }
            }
        }
        throw NeverIdle()
    }
    /// Sends a log to its end.
    ///
    /// - Throws: As ``sendAll(tries:)``.
    package static func send(
        _ log: any SealedEventLog, as name: FleetLog, to cluster: any Cluster
    ) async throws {
        var forwarder = Forwarder(of: log, as: name, to: cluster)
        try await forwarder.sendAll()
    }
}

extension ShareFolder {
    /// A worker that has folded all there is of the share 0.
    ///
    /// - Parameters:
    ///   - cluster: Where it is.
    ///   - patience: How long it waits for more.
    /// - Returns: The worker.
    /// - Throws: `ClusterError`.
    package static func caughtUp(
        with cluster: any Cluster, within patience: Duration = .zero
    ) async throws(ClusterError) -> ShareFolder {
        var worker = try await ShareFolder(of: "0", from: cluster)
        while try await worker.fold(within: patience) > 0 {}
        return worker
    }
}
