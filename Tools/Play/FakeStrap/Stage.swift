import DBus

/// The daemon and those who play, on the play's own connection to the bus.
///
/// Everything on it happens on the bus thread of that connection, one thing at a time.
// The fields are only touched by jobs of the one bus.
final class Stage: @unchecked Sendable {
    private let bus: Bus
    private let report: @Sendable (Report) -> Void
    private var daemon: Daemon?
    private var players: [Player] = []

    init(_ bus: Bus, report: @escaping @Sendable (Report) -> Void) {
        self.bus = bus
        self.report = report
    }

    /// Puts the daemon on.
    func place(
        _ make: @escaping @Sendable (Connection) -> Daemon
    ) async throws(DBusError) {
        try await bus.perform { [self] (connection) throws(DBusError) in
            daemon = make(connection)
        }
    }

    /// Lets the parts of a play begin.
    func begin(_ parts: [[Scenario.Step]], speed: Double) async throws(DBusError) {
        try await bus.perform { [self] (connection) throws(DBusError) in
            guard let daemon else { return }
            var remaining = parts.count
            players = parts.map { steps in
                Player(steps, of: daemon, connection: connection, speed: speed) {
                    remaining -= 1
                    if remaining == 0 { daemon.report(.ended) }
                }
            }
            daemon.onChange = { [unowned self] in players.forEach { $0.look() } }
            players.forEach { $0.proceed() }
            if players.isEmpty { daemon.report(.ended) }
        }
    }

    /// Lets the daemon do something, and does not wait for it.
    func enqueue(_ job: @escaping @Sendable (Daemon) -> Void) {
        do {
            try bus.enqueue { [self] _ in
                if let daemon { job(daemon) }
            }
        } catch {
            report(.problem(error.description))
        }
    }

    /// Lets the daemon do something, and waits for it.
    @discardableResult
    func perform<Output: Sendable>(
        _ job: @escaping @Sendable (Daemon) -> Output
    ) async throws(DBusError) -> Output {
        try await bus.perform { [self] (_) throws(DBusError) in
            guard let daemon else { preconditionFailure("the daemon is placed at first") }
            return job(daemon)
        }
    }
}
