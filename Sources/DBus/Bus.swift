public import Clocks
import Synchronization
import Threads

/// A private connection to a message bus, with a thread of its own; the front door for all other
/// threads.
///
/// Everything that needs order or must not wait for other threads is done inside, on the bus
/// thread, by jobs that are lent the ``Connection``.
public final class Bus: Sendable {
    /// Where the bus is.
    public enum Address: Hashable, Sendable, CustomStringConvertible {
        /// The machine's bus; the environment variable `DBUS_SYSTEM_BUS_ADDRESS` overrides it.
        ///
        /// libdbus reads the variable once in the life of the process.
        case system
        /// The bus of the login session, named by `DBUS_SESSION_BUS_ADDRESS`.
        case session
        /// An address as in the D-Bus specification, "Server Addresses": `unix:path=/run/bus`.
        case address(String)

        /// What people read in an error.
        public var description: String {
            switch self {
            case .system: "the system bus"
            case .session: "the session bus"
            case .address(let text): "the bus at \(text)"
            }
        }
    }

    /// The unique name that the bus gave to this connection, as in `:1.42`.
    public let uniqueName: String

    let messages: MessageCounter
    private let mailbox: Mailbox
    /// Nil once it was joined or detached.
    private let thread: Mutex<OwnThread?>

    /// Connects, and starts the bus thread.
    ///
    /// - Parameters:
    ///   - address: Where the bus is.
    ///   - limits: How large a message may be.
    ///   - clock: Stamps arrivals and drives timers and time limits. Called on the bus thread,
    ///     often.
    /// - Throws: ``DBusError`` if the bus cannot be reached or refuses us.
    public init(
        _ address: Address, limits: Limits = Limits(),
        clock: @escaping @Sendable () -> Arrival = Arrival.now
    ) async throws(DBusError) {
        let mailbox = try Mailbox()
        let messages = MessageCounter()
        var thread: OwnThread? = nil
        let opened: Result<String, DBusError> = await withCheckedContinuation { continuation in
            do throws(NoThread) {
                thread = try OwnThread {
                    do throws(DBusError) {
                        let connection = try Connection.open(
                            address, limits: limits, messages: messages, clock: clock)
                        continuation.resume(returning: .success(connection.uniqueName))
                        connection.run(mailbox)
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                    mailbox.end()
                }
            } catch {
                continuation.resume(returning: .failure(.noThread(error)))
            }
        }
        switch opened {
        case .success(let name):
            uniqueName = name
            (self.mailbox, self.messages) = (mailbox, messages)
            self.thread = Mutex(thread.take())
        case .failure(let error):
            if let thread = thread.take() { thread.join() }
            throw error
        }
    }

    deinit {
        // May run on the bus thread itself, when a job held the last reference: never join here.
        mailbox.close()
        if let thread = thread.withLock({ $0.take() }) { thread.detach() }
    }

    /// Ends the connection and its thread.
    ///
    /// Jobs that were put in before are done before; calls that have no answer by then fail.
    /// Closing twice is harmless.
    public func close() async {
        await withCheckedContinuation { continuation in
            mailbox.close { continuation.resume() }
        }
        // The thread has said that it is at its end, so this does not block.
        if let thread = thread.withLock({ $0.take() }) { thread.join() }
    }
}

// MARK: - Working on the bus thread

extension Bus {
    /// Lets a job run on the bus thread, after those put in before it.
    ///
    /// Does not wait for it.
    ///
    /// - Parameter job: What is to be done. It runs also when the bus is gone: see
    ///   ``Connection/isConnected``. It must not wait for anything.
    /// - Throws: ``DBusError`` with code `closed` if this connection was closed; the job does not
    ///   run.
    public func enqueue(_ job: @escaping @Sendable (Connection) -> Void) throws(DBusError) {
        guard mailbox.put(job) else { throw .closed("a job for the bus thread") }
    }

    /// Lets a job run on the bus thread and waits for its result.
    ///
    /// - Parameter job: What is to be done. It must not wait for anything.
    /// - Returns: What the job returned.
    /// - Throws: ``DBusError`` if the bus is gone, the connection was closed, or as the job throws.
    public func perform<Output: Sendable>(
        _ job: @escaping @Sendable (Connection) throws(DBusError) -> Output
    ) async throws(DBusError) -> Output {
        let name = "a job for the bus thread"
        return try await result(of: name) { connection, end in
            guard connection.isConnected else { return end(.failure(.disconnected(name))) }
            end(Result { () throws(DBusError) in try job(connection) })
        }
    }

    /// Calls a method and waits for the answer.
    ///
    /// Cancelling the task does not end the wait: the answer, the time limit or the end of the
    /// connection does.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - timeoutMilliseconds: How long to wait for the answer.
    /// - Returns: The return values.
    /// - Throws: ``DBusError``; its code tells a refusal from a bus that is gone.
    @discardableResult
    public func call(
        _ call: MethodCall, timeoutMilliseconds: UInt64 = 25_000
    ) async throws(DBusError) -> [Value] {
        try await result(of: call.description) { connection, end in
            connection.send(call, timeoutMilliseconds: timeoutMilliseconds) { result, _ in
                end(result)
            }
        }
    }

    /// Lets a job run on the bus thread, and waits until it hands over its result.
    private func result<Output: Sendable>(
        of name: String,
        _ job:
            @escaping @Sendable (Connection, @escaping (Result<Output, DBusError>) -> Void) -> Void
    ) async throws(DBusError) -> Output {
        try await withCheckedContinuation { continuation in
            let isAccepted = mailbox.put { job($0) { continuation.resume(returning: $0) } }
            if !isAccepted { continuation.resume(returning: .failure(.closed(name))) }
        }.get()
    }

    /// Takes a well-known name, so that this program is a service.
    ///
    /// - Parameter name: The name, as in `org.bluez`.
    /// - Throws: ``DBusError`` if another program has the name, or the bus denies it.
    public func requestName(_ name: String) async throws(DBusError) {
        let doNotQueue: UInt32 = 4  // DBUS_NAME_FLAG_DO_NOT_QUEUE
        let call = MethodCall.bus("RequestName", .string(name), .uint32(doNotQueue))
        let status = try await self.call(call).first?.asUInt32
        // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER and …_ALREADY_OWNER.
        guard status == 1 || status == 4 else {
            throw DBusError(
                code: .refused, name: DBusError.prefix + "AddressInUse",
                message: "another program owns \(name)", call: call.description)
        }
    }
}
