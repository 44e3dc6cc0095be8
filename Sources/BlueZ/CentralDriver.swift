import BluetoothCentral
import Clocks
import DBus

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
        self.connection = connection
        self.state = state
        self.report = report
        self.onEnd = onEnd
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
            takeBluezSignal(signal, arrival)
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

    private func takeBluezSignal(_ signal: Signal, _ arrival: Arrival) {
        let arguments = signal.arguments
        var reading = BluezReading()
        switch (signal.interface, signal.member) {
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged") where arguments.count == 3:
            guard let name = arguments[0].asString else { return feedUnexpected(arrival) }
            guard let interface = BluezInterface(name: name) else { return }
            let value = interface == .characteristic ? reading.value(arguments[1]) : nil
            if let value { feed(.valueSignalled(path: signal.path, value), arrival) }
            // A notification is the value alone.
            guard value == nil || arguments[1].asEntries?.count != 1 else { break }
            let invalidated = arguments[2].asStrings ?? []
            let object = reading.object(interface, arguments[1], invalidated: invalidated)
            feed(.objectChanged(LocatedObject(path: signal.path, object: object)), arrival)
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded") where arguments.count == 2:
            guard let path = arguments[0].asObjectPath else { return feedUnexpected(arrival) }
            for object in reading.added(path: path, interfaces: arguments[1]) {
                feed(.objectAdded(object), arrival)
            }
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved") where arguments.count == 2:
            guard let path = arguments[0].asObjectPath, let names = arguments[1].asStrings
            else { return feedUnexpected(arrival) }
            for interface in names.compactMap(BluezInterface.init(name:)) {
                feed(.objectRemoved(path: path, interface), arrival)
            }
        case ("org.bluez.Device1", "Disconnected"):
            let words = arguments.map { $0.asString ?? "" } + ["", ""]
            feed(.disconnected(path: signal.path, name: words[0], message: words[1]), arrival)
        default: return feedUnexpected(arrival)
        }
        for _ in 0..<reading.unexpectedCount { feedUnexpected(arrival) }
    }

    private func feedUnexpected(_ arrival: Arrival) {
        feed(.found(.unexpectedType), arrival)
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
            var reading = BluezReading()
            let answer = Self.answer(to: call, result, &reading)
            feed(.answered(id, answer), arrival)
            for _ in 0..<reading.unexpectedCount { feed(.found(.unexpectedType), arrival) }
        }
    }

    private static func answer(
        to call: CentralCall, _ result: Result<[Value], DBusError>, _ reading: inout BluezReading
    ) -> CallAnswer {
        switch result {
        case .failure(let error) where error.code == .timedOut: .timedOut
        case .failure(let error): .failed(CallFailure(error))
        case .success(let values):
            switch call {
            case .listObjects: .objects(reading.tree(values.first))
            case .readValue: values.first?.asByteArray.map { .bytes($0) } ?? .done
            default: .done
            }
        }
    }
}

extension CallFailure {
    init(_ error: DBusError) {
        self.init(name: error.name, message: error.message)
    }
}
