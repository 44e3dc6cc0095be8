internal import CNATS
internal import Glibc
internal import Synchronization

/// A connection to a cluster; it connects anew by itself when it is lost.
///
/// Whoever asks gets a reply, or nothing in time; replies come to one inbox, so that thousands of
/// questions can be open at once. The library's threads deliver.
@safe
package final class Connection: Sendable {
    /// A message as it came.
    package struct Message: Sendable {
        /// Where it was sent.
        package let subject: String
        /// The content.
        package let payload: [UInt8]
        /// The headers of interest: status, sequence and subject of a stored message.
        package let headers: Headers
        /// Where an answer goes, which for a message of a stream tells its place.
        package let reply: String
    }

    /// What the headers of a message say.
    package struct Headers: Sendable {
        /// The code of a message without content: 404, 408, 409, 503.
        package var status: String?
        /// The sequence of a stored message that was asked for.
        package var sequence: UInt64?
        /// Its subject.
        package var subject: String?
    }

    let handle: Handle
    fileprivate let questions = Questions()
    private let inbox: String
    private let listeners = Mutex<[Listener]>([])

    /// Connects.
    ///
    /// - Parameters:
    ///   - credentials: Where, and who.
    ///   - name: What the server calls this connection in its lists.
    ///   - limit: How long that may take.
    /// - Throws: ``NATSError``.
    package init(
        to credentials: Credentials, name: String, within limit: Duration = .seconds(5)
    ) throws(NATSError) {
        handle = try Handle(credentials, name: name, limit)
        inbox = Self.newSubject()
        let start = inbox.utf8.count + 1
        try listen(to: "\(inbox).*") { [questions] message in
            let token = String(decoding: message.subject.utf8.dropFirst(start), as: UTF8.self)
            if let number = UInt64(token) { questions.answer(number, message) }
        }
    }

    deinit {
        questions.end()
    }

    /// Why there is no reply: the library gives up for good only if it is not let in any more.
    var silence: NATSError {
        unsafe natsConnection_IsClosed(handle.pointer)
            ? NATSError(.unauthorized, "the connection was closed")
            : NATSError(.timeout, "The cluster did not answer within 5 s.")
    }

    /// Hands messages of a subject on, on a thread of the library, as long as the connection lasts.
    ///
    /// - Parameters:
    ///   - subject: The subject, with wildcards.
    ///   - body: Called with each; it must not wait.
    /// - Throws: ``NATSError``.
    package func listen(
        to subject: String, _ body: @escaping @Sendable (Message) -> Void
    ) throws(NATSError) {
        let listener = try Listener(on: handle, subject, body)
        listeners.withLock { $0.append(listener) }
    }

    /// Sends a message to whoever listens.
    ///
    /// - Parameters:
    ///   - subject: Where it goes.
    ///   - payload: The content.
    ///   - headers: Names and values.
    /// - Throws: ``NATSError``.
    package func send(
        _ subject: String, _ payload: [UInt8], headers: [(String, String)] = []
    ) throws(NATSError) {
        try handle.send(subject, nil, payload, headers)
    }

    /// An inbox for one question at a time, whose replies have subjects of their own, as the
    /// messages of a stream do.
    package final class Inbox: Sendable {
        private let subject: String
        private let question = Mutex<UInt64>(0)
        private let listener = Mutex<Listener?>(nil)

        fileprivate init(
            _ subject: String, of connection: borrowing Connection
        ) throws(NATSError) {
            self.subject = subject
            let questions = connection.questions
            let made = try Listener(on: connection.handle, subject) { [weak self] message in
                guard let number = self?.question.withLock({ $0 }) else { return }
                questions.answer(number, message)
            }
            listener.withLock { $0 = made }
        }

        fileprivate func expect(_ number: UInt64) -> String {
            question.withLock { $0 = number }
            return subject
        }
    }

    /// Makes an inbox.
    ///
    /// - Throws: ``NATSError``.
    package func makeInbox() throws(NATSError) -> Inbox { try Inbox(Self.newSubject(), of: self) }

    /// A subject that nobody else has.
    private static func newSubject() -> String {
        var random = SystemRandomNumberGenerator()
        return "_INBOX." + String(UInt64.random(in: 0 ... .max, using: &random), radix: 16)
    }

    /// Asks, and waits for replies.
    ///
    /// - Parameters:
    ///   - subject: Whom.
    ///   - payload: What.
    ///   - headers: Names and values.
    ///   - limit: How many replies are wanted; a reply with a status is the last one.
    ///   - inbox: Where they come; nil for the connection's own, which knows a reply by the subject
    ///     that it was sent to.
    ///   - patience: How long to wait.
    /// - Returns: The replies that came in time.
    /// - Throws: ``NATSError``, if it could not be asked.
    package func ask(
        _ subject: String, _ payload: [UInt8], headers: [(String, String)] = [],
        replies limit: Int = 1, at inbox: Inbox? = nil, within patience: Duration = .seconds(5)
    ) async throws(NATSError) -> [Message] {
        let number = questions.begin(limit, until: .now + patience)
        do throws(NATSError) {
            let place = inbox?.expect(number) ?? "\(self.inbox).\(number)"
            try handle.send(subject, place, payload, headers)
        } catch {
            questions.forget(number)
            throw unsafe natsConnection_IsClosed(handle.pointer) ? silence : error
        }
        return await questions.replies(to: number)
    }
}

/// The library's connection, and what it was made with.
@safe
final class Handle: Sendable {
    // Set once, and behind it the library's own lock: its calls may come from any thread.
    nonisolated(unsafe) let pointer: OpaquePointer

    init(
        _ credentials: Credentials, name: String, _ limit: Duration
    ) throws(NATSError) {
        var options: OpaquePointer?
        try NATSError.check(unsafe natsOptions_Create(&options))
        defer { unsafe natsOptions_Destroy(options) }
        try unsafe Handle.set(options, credentials)
        try NATSError.check(unsafe natsOptions_SetName(options, name))
        try NATSError.check(
            unsafe natsOptions_SetTimeout(options, limit.components.seconds * 1_000))
        // For ever: a recorder outlasts any outage of the cluster.
        try NATSError.check(unsafe natsOptions_SetMaxReconnect(options, -1))
        try NATSError.check(unsafe natsOptions_SetReconnectWait(options, 500))
        // A server that was cut off is left after 9 s.
        try NATSError.check(unsafe natsOptions_SetPingInterval(options, 3_000))
        try NATSError.check(unsafe natsOptions_SetMaxPingsOut(options, 2))
        var connection: OpaquePointer?
        var status = unsafe natsConnection_Connect(&connection, options)
        // With libnats 3.4.1 about one connection in 400 is refused with a valid key.
        for _ in 0..<2 where status == NATS_CONNECTION_AUTH_FAILED {
            status = unsafe natsConnection_Connect(&connection, options)
        }
        try NATSError.check(status)
        guard let connection = unsafe connection else { throw NATSError(.unreachable) }
        unsafe pointer = connection
    }

    deinit {
        unsafe natsConnection_Destroy(pointer)
    }

    private static func set(
        _ options: OpaquePointer?, _ credentials: Credentials
    ) throws(NATSError) {
        var servers = unsafe credentials.servers.map { unsafe UnsafePointer(strdup($0)) }
        defer { unsafe servers.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        try NATSError.check(
            unsafe natsOptions_SetServers(options, &servers, Int32(servers.count)))
        if credentials.servers.contains(where: { $0.hasPrefix("tls://") }) {
            try NATSError.check(unsafe natsOptions_SetSecure(options, true))
        }
        if let file = credentials.authorityFile {
            try NATSError.check(unsafe natsOptions_LoadCATrustedCertificates(options, file))
        }
        if let file = credentials.credentialsFile {
            try NATSError.check(
                unsafe natsOptions_SetUserCredentialsFromFiles(options, file, nil))
        }
        if let file = credentials.seedFile, let key = credentials.publicKey {
            try NATSError.check(unsafe natsOptions_SetNKeyFromSeed(options, key, file))
        }
    }

    func send(
        _ subject: String, _ reply: String?, _ payload: [UInt8], _ headers: [(String, String)]
    ) throws(NATSError) {
        var message: OpaquePointer?
        let status = unsafe payload.withUnsafeBytes { bytes in
            unsafe natsMsg_Create(
                &message, subject, reply, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count))
        }
        try NATSError.check(status)
        defer { unsafe natsMsg_Destroy(message) }
        for (name, value) in headers {
            try NATSError.check(unsafe natsMsgHeader_Set(message, name, value))
        }
        try NATSError.check(unsafe natsConnection_PublishMsg(pointer, message))
    }
}

/// A subscription; it ends when it goes.
@safe
final class Listener: Sendable {
    // Set once, and behind it the library's own lock: its calls may come from any thread.
    private nonisolated(unsafe) let pointer: OpaquePointer
    private let body: Body
    /// The connection stays as long as the subscription.
    private let handle: Handle

    final class Body: Sendable {
        let take: @Sendable (Connection.Message) -> Void
        init(_ take: @escaping @Sendable (Connection.Message) -> Void) { self.take = take }
    }

    init(
        on handle: Handle, _ subject: String,
        _ take: @escaping @Sendable (Connection.Message) -> Void
    ) throws(NATSError) {
        self.handle = handle
        body = Body(take)
        var subscription: OpaquePointer?
        // Released when the library says that it delivers no more.
        let context = unsafe Unmanaged.passRetained(body).toOpaque()
        let status = unsafe natsConnection_Subscribe(
            &subscription, handle.pointer, subject,
            { _, _, message, context in
                guard let message = unsafe message, let context = unsafe context else { return }
                defer { unsafe natsMsg_Destroy(message) }
                let body = unsafe Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
                body.take(unsafe Connection.Message(message))
            }, context)
        guard status == NATS_OK, let subscription = unsafe subscription else {
            unsafe Unmanaged<Body>.fromOpaque(context).release()
            try NATSError.check(status)
            throw NATSError(.unreachable)
        }
        unsafe pointer = subscription
        // Of a connection that has just been closed this fails, and the context is never released:
        // whether the library has a call of it under way, nobody can tell.
        unsafe natsSubscription_SetOnCompleteCB(
            pointer,
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Body>.fromOpaque(context).release()
            }, context)
        // No bound but the memory's: what is asked for is bounded already.
        unsafe natsSubscription_SetPendingLimits(pointer, -1, -1)
    }

    deinit {
        unsafe natsSubscription_Destroy(pointer)
    }
}

extension Connection.Message {
    fileprivate init(_ message: OpaquePointer) {
        subject = unsafe natsMsg_GetSubject(message).map { unsafe String(cString: $0) } ?? ""
        reply = unsafe natsMsg_GetReply(message).map { unsafe String(cString: $0) } ?? ""
        let count = unsafe Int(natsMsg_GetDataLength(message))
        payload =
            unsafe natsMsg_GetData(message).map { start in
                unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
            } ?? []
        func header(_ name: String) -> String? {
            var value: UnsafePointer<CChar>?
            guard unsafe natsMsgHeader_Get(message, name, &value) == NATS_OK else { return nil }
            return unsafe value.map { unsafe String(cString: $0) }
        }
        // A message of a stream says where it stands, and what its author wrote is no status.
        headers = Connection.Headers(
            status: payload.isEmpty && reply.isEmpty ? header("Status") : nil,
            sequence: header("Nats-Sequence").flatMap { UInt64($0) },
            subject: header("Nats-Subject"))
    }
}
