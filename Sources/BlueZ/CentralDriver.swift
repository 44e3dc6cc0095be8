package import BluetoothCentral
import Clocks
package import DBus

/// Moves the central's state machine: signals, answers and time become inputs, actions become
/// calls.
///
/// It lives on the bus thread, for as long as the connection, and decides nothing.
final class CentralDriver {
    private unowned let connection: Connection
    private(set) var state: CentralState
    private let report: (CentralReport, Arrival) -> Void
    private let onEnd: (CallFailure?) -> Void
    /// The unique name of bluetoothd, whom alone we believe.
    private var owner: String?
    private var timer: (id: Connection.TimerID, deadline: UInt64)?
    private var isLeaving = false
    /// Whether the bus is lost, or denies what we need: what still comes from it is too late.
    private var hasEnded = false

    private static let serviceName = "org.bluez"
    private static let leavingLimitMilliseconds: UInt64 = 8_000

    /// - Parameters:
    ///   - connection: The connection that the driver lives on.
    ///   - state: The state from before; it knows of no bluetoothd.
    ///   - report: Gets the reports.
    ///   - onEnd: Called when there is nothing more to be done here; with a failure if the bus is
    ///     lost or denies what we need.
    init(
        _ connection: Connection, state: CentralState,
        report: @escaping (CentralReport, Arrival) -> Void,
        onEnd: @escaping (CallFailure?) -> Void
    ) {
        (self.connection, self.state, self.report, self.onEnd) = (connection, state, report, onEnd)
    }

    /// Asks for the signals, and only then for bluetoothd.
    func start() {
        connection.onSignal = { [unowned self] signal, sender, arrival in
            take(signal, from: sender, arrival)
        }
        connection.onDropped = { [unowned self] _, sender, arrival in
            guard let sender else { return }
            if sender == owner {
                feed(.found(.droppedMessage), arrival)
            } else {
                noteSpoof(arrival)
            }
        }
        connection.onMethodCall = { [unowned self] call, caller, _ in
            guard caller.sender == owner else { return .unknownMethod(call) }
            return PairingAgent.answer(call) { state.isWanted(path: $0) }
        }
        connection.onDisconnected = { [unowned self] arrival in
            let failure = CallFailure(
                name: "org.freedesktop.DBus.Error.Disconnected", message: "the bus is gone")
            end(failure, arrival)
        }
        for rule in Self.matchRules {
            connection.send(.addMatch(rule)) { [unowned self] result, arrival in
                if case .failure(let error) = result { end(CallFailure(error), arrival) }
            }
        }
        let question = MethodCall.bus("GetNameOwner", .string(Self.serviceName))
        connection.send(question) { [unowned self] result, arrival in
            // A refusal says that nobody owns the name.
            let owner = if case .success(let values) = result { values.first?.asString } else { "" }
            serviceOwned(by: owner ?? "", isAnswer: true, arrival)
        }
    }

    /// Takes what is wanted.
    func want(_ desire: CentralDesire) {
        guard !isLeaving else { return }
        feed(.desireChanged(desire), connection.now())
    }

    /// Lets everything go, and ends when it is gone, or after 8 s.
    func leave() {
        isLeaving = true
        connection.after(milliseconds: Self.leavingLimitMilliseconds) { [unowned self] _ in
            onEnd(nil)
        }
        feed(.desireChanged(CentralDesire()), connection.now())
    }

    private func end(_ failure: CallFailure, _ arrival: Arrival) {
        owner = nil
        feed(.busVanished, arrival)
        hasEnded = true
        onEnd(failure)
    }

    /// All with the sender: any program may broadcast signals that look like BlueZ's.
    private static let matchRules = [
        """
        type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',\
        member='NameOwnerChanged',arg0='org.bluez'
        """,
        """
        type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',\
        member='PropertiesChanged',path_namespace='/org/bluez'
        """,
        "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager'",
        """
        type='signal',sender='org.bluez',interface='org.bluez.Device1',member='Disconnected'
        """,
    ]
}

// MARK: - Inputs

extension CentralDriver {
    private func feed(_ input: CentralInput, _ arrival: Arrival) {
        guard !hasEnded else { return }
        for action in state.handle(input, atMilliseconds: arrival.bootMilliseconds) {
            switch action {
            case .call(let id, let call): send(call, id)
            case .report(let fact): report(fact, arrival)
            }
        }
        setTimer()
        if isLeaving && state.isAtRest { onEnd(nil) }
    }

    private func setTimer() {
        let deadline = state.nextDeadlineMilliseconds
        guard deadline != timer?.deadline else { return }
        if let timer { connection.cancel(timer.id) }
        timer = deadline.map { deadline in
            let now = connection.now().bootMilliseconds
            let wait = deadline > now ? deadline - now : 0
            let id = connection.after(milliseconds: wait) { [unowned self] arrival in
                timer = nil
                feed(.timePassed, arrival)
            }
            return (id, deadline)
        }
    }

    private func take(_ signal: Signal, from sender: String, _ arrival: Arrival) {
        if sender == MethodCall.busName {
            takeBusSignal(signal, arrival)
        } else if sender == owner {
            for input in BluezReading.inputs(of: signal) { feed(input, arrival) }
        } else {
            noteSpoof(arrival)
        }
    }

    /// A signal like bluetoothd's, of somebody else; before its name is known nobody is accused.
    private func noteSpoof(_ arrival: Arrival) {
        if owner != nil { feed(.found(.spoofedSignal), arrival) }
    }

    private func takeBusSignal(_ signal: Signal, _ arrival: Arrival) {
        guard signal.member == "NameOwnerChanged", signal.arguments.count == 3,
            signal.arguments[0].asString == Self.serviceName,
            let newOwner = signal.arguments[2].asString
        else { return }
        serviceOwned(by: newOwner, isAnswer: false, arrival)
    }

    /// The name has an owner, or none.
    ///
    /// The answer to our own question may be no news.
    private func serviceOwned(by newOwner: String, isAnswer: Bool, _ arrival: Arrival) {
        if hasEnded || isAnswer && owner != nil { return }
        owner = newOwner.isEmpty ? nil : newOwner
        feed(newOwner.isEmpty ? .serviceVanished : .serviceAppeared, arrival)
    }
}

// MARK: - Calls

extension CentralDriver {
    private func send(_ call: CentralCall, _ id: CallID) {
        let messages = call.messages(to: owner ?? Self.serviceName)
        for message in messages.dropLast() {
            // Its failure shows in the answer to the last one, or does not matter.
            connection.send(message, timeoutMilliseconds: call.timeoutMilliseconds) { _, _ in }
        }
        guard let last = messages.last else { return }
        connection.send(last, timeoutMilliseconds: call.timeoutMilliseconds) {
            [unowned self] result, arrival in
            for input in BluezReading.inputs(of: result, answering: call, id) {
                feed(input, arrival)
            }
        }
    }
}

extension CallFailure {
    package init(_ error: DBusError) {
        self.init(name: error.name, message: error.message)
    }
}
