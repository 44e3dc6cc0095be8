import Clocks
import DBus
import DaemonModel

/// A scenario that is being played as `org.bluez` on a bus.
final class Playback: Sendable {
    /// The play's own connection: its thread, its clock, and the voice of a stranger.
    private let bus: Bus
    private let stage: Stage
    private let orders: AsyncStream<Stage.Order>.Continuation
    /// Begins and ends the lives of bluetoothd, one after the other.
    private let servant: Task<Void, Never>

    /// Connects, takes the name and begins to play.
    ///
    /// - Parameters:
    ///   - scenario: What is played.
    ///   - address: Where the bus is.
    ///   - timing: How long things take.
    ///   - speed: How much faster than the clock the parts of the scenario run, above 0.
    ///   - clock: Drives everything. Called on the bus threads.
    ///   - report: Is told what happens, on the bus threads.
    /// - Throws: `DBusError` if the bus cannot be reached, or the name is taken.
    init(
        _ scenario: Scenario, on address: Bus.Address, timing: Timing = .short, speed: Double = 1,
        clock: @escaping @Sendable () -> Arrival = Arrival.now,
        report: @escaping @Sendable (Report) -> Void
    ) async throws(DBusError) {
        bus = try await Bus(address, clock: clock)
        let (stream, orders) = AsyncStream.makeStream(of: Stage.Order.self)
        self.orders = orders
        let play = Play(
            scenario, timing: timing, speed: speed, now: clock().bootMilliseconds)
        let stage = Stage(play, on: bus, order: { orders.yield($0) }, report: report)
        self.stage = stage
        try await bus.perform { (connection) throws(DBusError) in
            connection.onDropped = { error, _, _ in report(.problem(error.description)) }
            connection.onDisconnected = { _ in report(.busLost) }
        }
        let begin = { @Sendable () async throws(DBusError) in
            try await Playback.beginLife(stage, address, clock, report)
        }
        try await begin()
        servant = Task {
            for await order in stream {
                do throws(DBusError) {
                    switch order {
                    case .begin: try await begin()
                    case .end(let life): await life.close()
                    }
                } catch {
                    report(.problem(error.description))
                }
            }
        }
        try await stage.perform { _ in }
    }

    /// Begins a life: a new connection, and so a new unique name, takes the name `org.bluez`.
    ///
    /// Calls and news of the bus go to the stage, in the order they came.
    private static func beginLife(
        _ stage: Stage, _ address: Bus.Address, _ clock: @escaping @Sendable () -> Arrival,
        _ report: @escaping @Sendable (Report) -> Void
    ) async throws(DBusError) {
        let limits = Limits(bytes: Malformation.mostBytes + (1 << 20))
        let life = try await Bus(address, limits: limits, clock: clock)
        let name = life.uniqueName
        // The names of clients that leave, and nothing else.
        let leaving = "member='NameOwnerChanged',arg2=''"
        try await life.call(.addMatch("type='signal',sender='org.freedesktop.DBus',\(leaving)"))
        try await life.perform { (connection) throws(DBusError) in
            connection.onMethodCall = { call, caller, _ in
                stage.take(call, from: caller, in: name)
                return .later
            }
            connection.onSignal = { signal, sender, _ in
                guard sender == MethodCall.busName, signal.member == "NameOwnerChanged",
                    let client = signal.arguments.first?.asString
                else { return }
                stage.clientLeft(client)
            }
            connection.onDropped = { error, _, _ in report(.problem(error.description)) }
        }
        // Before the name is ours, so that the first call finds everything in place.
        guard try await stage.enter(life) else { return await life.close() }
        try await life.requestName(Daemon.busName)
        try await stage.announce(in: name)
    }

    /// Lets something happen next to the scenario.
    ///
    /// - Parameter action: What is to happen.
    /// - Throws: `DBusError` if the bus is gone.
    func act(_ action: Scenario.Action) async throws(DBusError) {
        try await stage.perform { $0.act(action) }
    }

    /// Waits until what is due is done, and the bus has passed on what was sent.
    ///
    /// - Throws: `DBusError` if the bus is gone.
    func flush() async throws(DBusError) {
        try await stage.perform { _ in }
        // The bus answers in order, and writes to all before it reads again.
        for connection in [bus, try await stage.presentLife()].compactMap({ $0 }) {
            try await connection.call(.bus("GetId"))
            try await connection.call(.bus("GetId"))
        }
    }

    /// Leaves the bus.
    func close() async {
        orders.finish()
        await servant.value
        do {
            try await stage.presentLife()?.close()
        } catch {
            // The bus went away, and the life with it.
        }
        await bus.close()
    }
}
