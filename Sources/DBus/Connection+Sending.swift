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
        _ = try unsafe post(signal.arguments, as: signal.description) { () throws(InvalidPart) in
            try Validation.path(signal.path)
            try Validation.interface(signal.interface)
            try Validation.member(signal.member)
            if let destination { try Validation.busName(destination) }
        } making: {
            unsafe dbus_message_new_signal(signal.path, signal.interface, signal.member)
        } completing: { message in
            guard let destination else { return }
            _ = unsafe dbus_message_set_destination(message, destination)
        }
    }

    /// Answers a call that was put off with ``MethodReply/later``.
    ///
    /// - Parameters:
    ///   - address: The caller, as the handler got it.
    ///   - answer: The answer; ``MethodReply/later`` sends nothing.
    /// - Throws: ``DBusError`` if the bus is gone or D-Bus cannot express the answer.
    public func answer(_ address: ReplyAddress, with answer: MethodReply) throws(DBusError) {
        guard address.isExpected else { return }
        let (values, errorName): ([Value], String?)
        switch answer {
        case .later: return
        case .values(let all): (values, errorName) = (all, nil)
        case .refusal(let error, let text): (values, errorName) = ([.string(text)], error)
        }
        let name = "the answer to \(address.sender)"
        _ = try unsafe post(values, as: name) { () throws(InvalidPart) in
            if let errorName { try Validation.errorName(errorName) }
        } making: {
            unsafe dbus_message_new(
                errorName == nil ? DBUS_MESSAGE_TYPE_METHOD_RETURN : DBUS_MESSAGE_TYPE_ERROR)
        } completing: { message in
            _ = unsafe dbus_message_set_destination(message, address.sender)
            _ = unsafe dbus_message_set_reply_serial(message, address.serial)
            unsafe dbus_message_set_no_reply(message, 1)
            if let errorName { _ = unsafe dbus_message_set_error_name(message, errorName) }
        }
    }

    // MARK: -

    /// Sends a call and gives its serial number.
    private func post(_ call: MethodCall) throws(DBusError) -> UInt32 {
        let interface = call.interface.isEmpty ? nil : call.interface
        return try unsafe post(call.arguments, as: call.description) { () throws(InvalidPart) in
            try Validation.busName(call.destination)
            try Validation.path(call.path)
            if let interface { try Validation.interface(interface) }
            try Validation.member(call.member)
        } making: {
            unsafe dbus_message_new_method_call(
                call.destination, call.path, interface, call.member)
        }
    }

    /// Makes a message and sends it.
    ///
    /// - Parameters:
    ///   - arguments: What it carries; they are validated last.
    ///   - name: What an error calls it.
    ///   - validate: Refuses what libdbus would end the process for.
    ///   - make: Makes the message; nil without memory.
    ///   - complete: Sets what making it left open.
    /// - Returns: The message's serial number.
    /// - Throws: ``DBusError`` if the bus is gone or D-Bus cannot express the message.
    private func post(
        _ arguments: [Value], as name: String,
        _ validate: () throws(InvalidPart) -> Void,
        making make: () -> OpaquePointer?,
        completing complete: (OpaquePointer) -> Void = { _ in }
    ) throws(DBusError) -> UInt32 {
        switch phase {
        case .open: break
        case .lost: throw .disconnected(name)
        case .closed: throw .closed(name)
        }
        do {
            try validate()
            try Validation.arguments(arguments, limits: limits)
        } catch {
            throw .invalidArgument(error.reason, name)
        }
        guard let made = unsafe make() else { throw .outOfMemory(name) }
        let message = unsafe OwnedMessage(owning: made, counter: messages)
        unsafe complete(message.pointer)
        ValueEncoder.append(arguments, to: message)
        var serial: UInt32 = 0
        guard unsafe dbus_connection_send(pointer, message.pointer, &serial) != 0 else {
            throw .outOfMemory(name)
        }
        return serial
    }
}
