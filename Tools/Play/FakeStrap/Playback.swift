import Clocks
import DBus

/// A scenario that is being played as `org.bluez` on a bus.
final class Playback: Sendable {
    /// The play's own connection: its thread, its clock, and the voice of a stranger.
    private let bus: Bus
    private let stage: Stage
    private let orders: AsyncStream<Daemon.Order>.Continuation
    /// Carries out the daemon's orders.
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
        precondition(speed > 0, "A play that stands still is never over.")
        bus = try await Bus(address, clock: clock)
        let stage = Stage(bus, report: report)
        self.stage = stage
        let (stream, orders) = AsyncStream.makeStream(of: Daemon.Order.self)
        self.orders = orders
        try await bus.perform { (connection) throws(DBusError) in
            connection.onDropped = { error, _, _ in report(.problem(error.description)) }
            connection.onDisconnected = { _ in report(.busLost) }
        }
        try await stage.place { connection in
            Daemon(
                scenario, timing: timing, connection: connection,
                enqueue: { stage.enqueue($0) }, order: { orders.yield($0) }, report: report)
        }
        let lives = Lives(stage, address: address, clock: clock, report: report)
        try await lives.begin()
        servant = Task { await lives.carryOut(stream) }
        try await stage.begin(scenario.parts, speed: speed)
    }

    /// Lets something happen beside the scenario.
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
        let life = try await stage.perform { $0.life }
        // The bus answers in order, and writes to all before it reads again.
        for connection in [bus, life].compactMap({ $0 }) {
            try await connection.call(.bus("GetId"))
            try await connection.call(.bus("GetId"))
        }
    }

    /// Leaves the bus.
    func close() async {
        orders.finish()
        await servant.value
        do {
            try await stage.perform { $0.life }?.close()
        } catch {
            // The bus went away, and the life with it.
        }
        await bus.close()
    }
}
