internal import CDBus

extension Connection {
    /// Sends a call and hands over the answer, once, on this thread and never from within this
    /// function.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - timeoutMilliseconds: How long to wait for the answer. Afterwards the service may still
    ///     be working on the call.
    ///   - completion: Gets the return values, or why there are none.
    public func send(
        _ call: MethodCall, timeoutMilliseconds: UInt64 = 25_000,
        completion: @escaping Completion
    ) {
        do {
            let serial = try post(call)
            let timer = after(milliseconds: timeoutMilliseconds) { [unowned self] arrival in
                guard let pending = pending.removeValue(forKey: serial) else { return }
                let error = DBusError.timedOut(
                    pending.call.description, afterMilliseconds: timeoutMilliseconds)
                pending.completion(.failure(error), arrival)
            }
            pending[serial] = PendingCall(call: call, timer: timer, completion: completion)
        } catch {
            failures.append { completion(.failure(error), $0) }
        }
    }

    /// Sends a signal.
    ///
    /// - Parameters:
    ///   - signal: The signal.
    ///   - destination: The only receiver; nil for all who asked for it.
    /// - Throws: ``DBusError`` if the bus is gone or D-Bus cannot express the signal.
    public func emit(_ signal: Signal, to destination: String? = nil) throws(DBusError) {
        let name = signal.description
        try validate(name) { () throws(InvalidPart) in
            try Validation.path(signal.path)
            try Validation.interface(signal.interface)
            try Validation.member(signal.member)
            if let destination { try Validation.busName(destination) }
            try Validation.arguments(signal.arguments, limits: limits)
        }
        let message = try unsafe owned(
            dbus_message_new_signal(signal.path, signal.interface, signal.member), name)
        if let destination {
            _ = unsafe dbus_message_set_destination(message.pointer, destination)
        }
        ValueEncoder.append(signal.arguments, to: message)
        _ = try post(message, name)
    }

    /// Answers a call that was put off with ``MethodReply/later``.
    ///
    /// - Parameters:
    ///   - address: The caller, as the handler got it.
    ///   - answer: The answer; ``MethodReply/later`` sends nothing.
    /// - Throws: ``DBusError`` if the bus is gone or D-Bus cannot express the answer.
    public func answer(_ address: ReplyAddress, with answer: MethodReply) throws(DBusError) {
        guard address.isExpected else { return }
        let name = "the answer to \(address.sender)"
        switch answer {
        case .later:
            return
        case .values(let values):
            try validate(name) { () throws(InvalidPart) in
                try Validation.arguments(values, limits: limits)
            }
            let message = try reply(to: address, DBUS_MESSAGE_TYPE_METHOD_RETURN, name)
            ValueEncoder.append(values, to: message)
            _ = try post(message, name)
        case .refusal(let error, let text):
            try validate(name) { () throws(InvalidPart) in
                try Validation.errorName(error)
                try Validation.arguments([.string(text)], limits: limits)
            }
            let message = try reply(to: address, DBUS_MESSAGE_TYPE_ERROR, name)
            _ = unsafe dbus_message_set_error_name(message.pointer, error)
            ValueEncoder.append([.string(text)], to: message)
            _ = try post(message, name)
        }
    }

    // MARK: -

    /// Sends a call and gives its serial number.
    private func post(_ call: MethodCall) throws(DBusError) -> UInt32 {
        let name = call.description
        try validate(name) { () throws(InvalidPart) in
            try Validation.busName(call.destination)
            try Validation.path(call.path)
            if !call.interface.isEmpty { try Validation.interface(call.interface) }
            try Validation.member(call.member)
            try Validation.arguments(call.arguments, limits: limits)
        }
        let message = try unsafe owned(
            dbus_message_new_method_call(
                call.destination, call.path, call.interface.isEmpty ? nil : call.interface,
                call.member), name)
        ValueEncoder.append(call.arguments, to: message)
        return try post(message, name)
    }

    private func reply(
        to address: ReplyAddress, _ kind: Int32, _ name: String
    ) throws(DBusError) -> OwnedMessage {
        let message = try unsafe owned(dbus_message_new(kind), name)
        _ = unsafe dbus_message_set_destination(message.pointer, address.sender)
        _ = unsafe dbus_message_set_reply_serial(message.pointer, address.serial)
        unsafe dbus_message_set_no_reply(message.pointer, 1)
        return message
    }

    private func validate(
        _ name: String, _ body: () throws(InvalidPart) -> Void
    ) throws(DBusError) {
        switch phase {
        case .open: break
        case .lost: throw .disconnected(name)
        case .closed: throw .closed(name)
        }
        do {
            try body()
        } catch {
            throw .invalidArgument(error.reason, name)
        }
    }

    private func owned(
        _ pointer: OpaquePointer?, _ name: String
    ) throws(DBusError) -> OwnedMessage {
        guard let pointer = unsafe pointer else { throw .outOfMemory(name) }
        return unsafe OwnedMessage(owning: pointer, counter: messages)
    }

    private func post(
        _ message: borrowing OwnedMessage, _ name: String
    ) throws(DBusError) -> UInt32 {
        var serial: UInt32 = 0
        guard unsafe dbus_connection_send(pointer, message.pointer, &serial) != 0 else {
            throw .outOfMemory(name)
        }
        return serial
    }
}
