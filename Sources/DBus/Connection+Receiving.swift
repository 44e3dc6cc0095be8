internal import CDBus
import Clocks

/// The most messages that are taken in one turn of the loop, so that a storm of signals cannot keep
/// timers and jobs waiting.
private let messagesPerTurn = 256

extension Connection {
    /// Takes what libdbus has read.
    ///
    /// True if there may be more.
    func receive() -> Bool {
        for _ in 0..<messagesPerTurn {
            guard let pointer = unsafe dbus_connection_pop_message(pointer) else { return false }
            take(unsafe OwnedMessage(owning: pointer, counter: messages), now())
        }
        return true
    }

    private func take(_ message: consuming OwnedMessage, _ arrival: Arrival) {
        switch message.kind {
        case DBUS_MESSAGE_TYPE_SIGNAL: takeSignal(message, arrival)
        case DBUS_MESSAGE_TYPE_METHOD_CALL: takeCall(message, arrival)
        case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: takeAnswer(message, arrival)
        default: break  // The specification says to ignore unknown kinds.
        }
    }

    // MARK: - Signals

    private func takeSignal(_ message: borrowing OwnedMessage, _ arrival: Arrival) {
        // libdbus makes this one itself; it treats one from outside as a broken connection.
        if message.interface == "org.freedesktop.DBus.Local" {
            return disconnect(arrival)
        }
        let path = message.path
        let interface = message.interface
        let member = message.member
        let sender = message.sender
        switch arguments(of: message, "signal \(interface).\(member) of \(path) from \(sender)") {
        case .success(let arguments):
            let signal = Signal(
                path: path, interface: interface, member: member, arguments: arguments)
            onSignal?(signal, sender, arrival)
        case .failure(let error):
            drop(error, signalFrom: sender, arrival)
        }
    }

    private func disconnect(_ arrival: Arrival) {
        guard isConnected else { return }
        phase = .lost
        failPending(arrival) { .disconnected($0) }
        onDisconnected?(arrival)
    }

    /// Fails all pending calls, in the order they were sent.
    func failPending(_ arrival: Arrival, with error: (String) -> DBusError) {
        let calls = pending.sorted { $0.key < $1.key }
        pending = [:]
        for (_, pending) in calls {
            cancel(pending.timer)
            pending.completion(.failure(error(pending.call.description)), arrival)
        }
    }

    // MARK: - Calls of our methods

    private func takeCall(_ message: borrowing OwnedMessage, _ arrival: Arrival) {
        let address = ReplyAddress(
            sender: message.sender, serial: message.serial, isExpected: message.expectsReply)
        var call = MethodCall(
            destination: message.destination, path: message.path, interface: message.interface,
            member: message.member)
        let reply: MethodReply
        switch arguments(of: message, "call \(call) from \(address.sender)") {
        case .success(let arguments):
            call.arguments = arguments
            let isPing = call.interface == "org.freedesktop.DBus.Peer" && call.member == "Ping"
            reply =
                isPing ? .values([]) : onMethodCall?(call, address, arrival) ?? .unknownMethod(call)
        case .failure(let error):
            drop(error, arrival)
            reply = .refusal(name: error.name, message: error.message)
        }
        do {
            try answer(address, with: reply)
        } catch {
            drop(error, arrival)
        }
    }

    // MARK: - Answers to our calls

    private func takeAnswer(_ message: borrowing OwnedMessage, _ arrival: Arrival) {
        let serial = message.replySerial
        let sender = message.sender
        guard let asked = pending[serial], isExpected(from: sender, to: asked.call) else {
            strayAnswerCount += 1
            return
        }
        pending[serial] = nil
        cancel(asked.timer)
        let name = asked.call.description
        var result = arguments(of: message, "the answer to \(name)")
        switch result {
        case .success(let arguments) where message.kind == DBUS_MESSAGE_TYPE_ERROR:
            let error = DBusError(
                code: .refused, name: message.errorName,
                message: arguments.first?.asString ?? "", call: name)
            result = .failure(error)
        case .success: break
        case .failure: droppedMessageCount += 1
        }
        asked.completion(result, arrival)
    }

    /// Whether this sender may answer: the one who was asked by its unique name, or the bus in its
    /// place.
    ///
    /// The owner of a well-known name is not known here.
    private func isExpected(from sender: String, to call: MethodCall) -> Bool {
        if sender == call.destination || sender == MethodCall.busName { return true }
        return !call.destination.hasPrefix(":") && call.destination != MethodCall.busName
    }

    // MARK: -

    private func arguments(
        of message: borrowing OwnedMessage, _ name: String
    ) -> Result<[Value], DBusError> {
        do {
            return .success(try ValueDecoder.arguments(of: message, limits: limits))
        } catch {
            return .failure(.undecodable(error.reason, name))
        }
    }

    private func drop(
        _ error: DBusError, signalFrom sender: String? = nil, _ arrival: Arrival
    ) {
        droppedMessageCount += 1
        onDropped?(error, sender, arrival)
    }
}
