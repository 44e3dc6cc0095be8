import DBus

/// A scenario that is being played as `org.bluez` on a bus.
final class Playback: Sendable {
    private let bus: Bus
    private let stage: Stage

    /// What lives on the bus thread.
    // Its fields are only touched by jobs of the bus, which run on the one bus thread.
    private final class Stage: @unchecked Sendable {
        var daemon: Daemon?
        var players: [Player] = []
    }

    /// Connects, takes the name and begins to play.
    ///
    /// - Parameters:
    ///   - scenario: What is played.
    ///   - address: Where the bus is.
    ///   - timing: How long things take.
    ///   - speed: How much faster than the clock the parts of the scenario run, above 0.
    ///   - clock: Drives everything. Called on the bus thread.
    ///   - report: Is told what happens, on the bus thread.
    /// - Throws: `DBusError` if the bus cannot be reached, or the name is taken.
    init(
        _ scenario: Scenario, on address: Bus.Address, timing: Timing = .short, speed: Double = 1,
        clock: @escaping @Sendable () -> Arrival = Arrival.now,
        report: @escaping @Sendable (Report) -> Void
    ) async throws(DBusError) {
        precondition(speed > 0, "A play that stands still is never over.")
        let stage = Stage()
        bus = try await Bus(address, clock: clock)
        self.stage = stage
        // The names of clients that leave, and nothing else.
        let leaving = "member='NameOwnerChanged',arg2=''"
        try await bus.call(.addMatch("type='signal',sender='org.freedesktop.DBus',\(leaving)"))
        try await bus.perform { (connection) throws(DBusError) in
            let daemon = Daemon(
                scenario.straps, timing: timing, connection: connection, report: report)
            stage.daemon = daemon
            connection.onMethodCall = { call, caller, _ in daemon.answer(call, from: caller) }
            connection.onSignal = { signal, sender, _ in
                guard sender == MethodCall.busName, signal.member == "NameOwnerChanged",
                    let name = signal.arguments.first?.asString
                else { return }
                daemon.clientLeft(name)
            }
            connection.onDropped = { error, _, _ in report(.problem(error.description)) }
            connection.onDisconnected = { _ in report(.busLost) }
        }
        try await bus.requestName(Daemon.busName)
        try await bus.perform { (connection) throws(DBusError) in
            guard let daemon = stage.daemon else { return }
            Playback.begin(scenario, speed, daemon, connection, stage)
        }
    }

    private static func begin(
        _ scenario: Scenario, _ speed: Double, _ daemon: Daemon, _ connection: Connection,
        _ stage: Stage
    ) {
        var remaining = scenario.parts.count
        stage.players = scenario.parts.map { steps in
            Player(steps, of: daemon, connection: connection, speed: speed) {
                remaining -= 1
                if remaining == 0 { daemon.report(.ended) }
            }
        }
        daemon.onChange = { [unowned stage] in stage.players.forEach { $0.look() } }
        stage.players.forEach { $0.proceed() }
        if stage.players.isEmpty { daemon.report(.ended) }
    }

    /// Lets something happen beside the scenario.
    ///
    /// - Parameter action: What is to happen.
    /// - Throws: `DBusError` if the bus is gone.
    func act(_ action: Scenario.Action) async throws(DBusError) {
        let stage = stage
        try await bus.perform { (_) throws(DBusError) in stage.daemon?.act(action) }
    }

    /// Waits until the bus has passed on what was sent.
    ///
    /// - Throws: `DBusError` if the bus is gone.
    func flush() async throws(DBusError) {
        // The bus answers in order, and writes to all before it reads again.
        try await bus.call(.bus("GetId"))
        try await bus.call(.bus("GetId"))
    }

    /// Leaves the bus.
    func close() async {
        await bus.close()
    }
}
