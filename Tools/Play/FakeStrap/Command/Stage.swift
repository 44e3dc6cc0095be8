import Clocks
import DBus
import DaemonModel

/// The play, on its own connection to the bus: passes calls and time to it, and carries out what
/// it does.
///
/// Everything on it happens on the bus thread of that connection, one thing at a time.
// The fields are only touched on the thread of `bus`.
final class Stage: @unchecked Sendable {
    /// What takes time, and is therefore done elsewhere.
    enum Order: Sendable {
        /// A new life: a new connection takes the name.
        case begin
        /// A life is over: its connection ends.
        case end(Bus)
    }

    private let bus: Bus
    private let order: @Sendable (Order) -> Void
    private let report: @Sendable (Report) -> Void
    private var play: Play
    /// The connection of the present life; nil while the name has no owner.
    private var life: Bus?
    /// Where to send an answer, by the number of the call.
    private var callers: [UInt64: ReplyAddress] = [:]
    private var lastCall: UInt64 = 0
    private var timer: Connection.TimerID?

    /// Puts a play on, which begins with the first call or ``perform(_:)``.
    init(
        _ play: Play, on bus: Bus, order: @escaping @Sendable (Order) -> Void,
        report: @escaping @Sendable (Report) -> Void
    ) {
        (self.play, self.bus, self.order, self.report) = (play, bus, order, report)
    }

    // MARK: - From other threads

    /// Lets something happen to the daemon, and waits for it.
    func perform(_ change: @escaping @Sendable (inout Daemon) -> Void) async throws(DBusError) {
        try await bus.perform { [self] (connection) throws(DBusError) in
            go(connection) { $0.change(change) }
        }
    }

    /// Takes a call that came in a life.
    func take(_ call: MethodCall, from address: ReplyAddress, in name: String) {
        enqueue { [self] connection in
            // Whoever asked an earlier life hears from the bus that there is no reply.
            guard life?.uniqueName == name else { return }
            lastCall += 1
            callers[lastCall] = address
            let caller = Daemon.Caller(address.sender, lastCall)
            go(connection) { $0.change { $0.take(call, from: caller) } }
        }
    }

    /// A client has left the bus.
    func clientLeft(_ client: String) {
        enqueue { [self] connection in go(connection) { $0.change { $0.clientLeft(client) } } }
    }

    /// Begins a life on a connection; false if it came too late.
    func enter(_ life: Bus) async throws(DBusError) -> Bool {
        try await bus.perform { [self] (_) throws(DBusError) in
            guard play.daemon.isRunning, self.life == nil else { return false }
            self.life = life
            return true
        }
    }

    /// Says what is there, in a new life that has got the name.
    func announce(in name: String) async throws(DBusError) {
        try await bus.perform { [self] (connection) throws(DBusError) in
            guard life?.uniqueName == name else { return }
            go(connection) { $0.change { $0.announce() } }
        }
    }

    /// The connection of the present life.
    func presentLife() async throws(DBusError) -> Bus? {
        try await bus.perform { [self] (_) throws(DBusError) in life }
    }

    private func enqueue(_ job: @escaping @Sendable (Connection) -> Void) {
        do {
            try bus.enqueue { job($0) }
        } catch {
            report(.problem(error.description))
        }
    }

    // MARK: - On the bus thread

    /// Lets everything happen that is due, and then something else.
    private func go(_ connection: Connection, _ change: (inout Play) -> Void) {
        play.pass(to: connection.now().bootMilliseconds)
        change(&play)
        for effect in play.takeEffects() { carryOut(effect, connection) }
        if let timer { connection.cancel(timer) }
        timer = play.nextDue.map { due in
            let now = connection.now().bootMilliseconds
            return connection.after(milliseconds: due - min(due, now)) {
                [self, unowned connection] _ in
                timer = nil
                go(connection) { _ in }
            }
        }
    }

    private func carryOut(_ effect: Daemon.Effect, _ connection: Connection) {
        switch effect {
        case .signal(let signal):
            work { (connection) throws(DBusError) in try connection.emit(signal) }
        case .answer(let caller, let reply):
            guard let address = callers.removeValue(forKey: caller.number) else { return }
            work { (connection) throws(DBusError) in try connection.answer(address, with: reply) }
        case .question(let number, let call, let limit):
            work { [self] (connection) throws(DBusError) in
                connection.send(call, timeoutMilliseconds: limit) { [self] result, _ in
                    let isConsent = if case .success = result { true } else { false }
                    enqueue { [self] connection in
                        go(connection) { $0.change { $0.takeConsent(isConsent, to: number) } }
                    }
                }
            }
        case .spoof(let signal, let victims):
            do {
                guard let victims else { return try connection.emit(signal) }
                for victim in victims { try connection.emit(signal, to: victim) }
            } catch {
                report(.problem(error.description))
            }
        case .life(isBeginning: true): order(.begin)
        case .life(isBeginning: false):
            if let life { order(.end(life)) }
            life = nil
            callers = [:]
        case .report(let fact): report(fact)
        }
    }

    /// Does something on the thread of the present life's connection, if there is one.
    private func work(_ job: @escaping @Sendable (Connection) throws(DBusError) -> Void) {
        guard let life else { return }
        let report = report
        do {
            try life.enqueue { connection in
                do throws(DBusError) {
                    try job(connection)
                } catch {
                    report(.problem(error.description))
                }
            }
        } catch {
            report(.problem(error.description))
        }
    }
}
