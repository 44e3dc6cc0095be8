import Clocks
import DBus

/// The lives of bluetoothd, one after the other.
///
/// Each has a connection of its own and so a unique name of its own; whoever follows the name
/// `org.bluez` to its owner must follow it again. Calls and news of the bus go to the daemon on the
/// play's thread, in the order they came.
final class Lives: Sendable {
    private let address: Bus.Address
    private let clock: @Sendable () -> Arrival
    private let stage: Stage
    private let report: @Sendable (Report) -> Void

    init(
        _ stage: Stage, address: Bus.Address, clock: @escaping @Sendable () -> Arrival,
        report: @escaping @Sendable (Report) -> Void
    ) {
        self.stage = stage
        self.address = address
        self.clock = clock
        self.report = report
    }

    /// Does what the daemon asked for, one thing after the other.
    func carryOut(_ orders: AsyncStream<Daemon.Order>) async {
        for await order in orders {
            do {
                switch order {
                case .begin: try await begin()
                case .end(let life): await life.close()
                }
            } catch {
                report(.problem("\(error)"))
            }
        }
    }

    /// Begins a life: a new connection takes the name.
    ///
    /// - Throws: `DBusError` if the bus cannot be reached, or the name is taken.
    func begin() async throws(DBusError) {
        let limits = Limits(bytes: Malformation.mostBytes + (1 << 20))
        let life = try await Bus(address, limits: limits, clock: clock)
        let name = life.uniqueName
        // The names of clients that leave, and nothing else.
        let leaving = "member='NameOwnerChanged',arg2=''"
        try await life.call(.addMatch("type='signal',sender='org.freedesktop.DBus',\(leaving)"))
        let (stage, report) = (stage, report)
        try await life.perform { (connection) throws(DBusError) in
            connection.onMethodCall = { call, caller, _ in
                stage.enqueue { $0.take(call, from: caller, in: name) }
                return .later
            }
            connection.onSignal = { signal, sender, _ in
                guard sender == MethodCall.busName, signal.member == "NameOwnerChanged",
                    let client = signal.arguments.first?.asString
                else { return }
                stage.enqueue { $0.clientLeft(client) }
            }
            connection.onDropped = { error, _, _ in report(.problem(error.description)) }
        }
        // Before the name is ours, so that the first call finds everything in place.
        guard try await stage.perform({ $0.enter(life) }) else { return await life.close() }
        try await life.requestName(Daemon.busName)
        try await stage.perform { $0.announce(in: name) }
    }
}
