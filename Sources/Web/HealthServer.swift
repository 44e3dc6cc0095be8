internal import FlyingSocks
internal import Interchange
public import Projections

/// Answers on a loopback port: takes health totals from whoever knows the token.
public struct HealthServer: Sendable {
    /// What a stranger can cost.
    public struct Limits: Hashable, Sendable {
        /// The most connections that are served at once; others wait to be accepted.
        public var connections = 64
        /// How long a request may take to arrive.
        public var request = Duration.seconds(20)
        /// How long a report may take to be recorded.
        public var recording = Duration.seconds(20)
        /// How long an answer may take to be fetched.
        public var answer = Duration.seconds(5)

        /// The limits above.
        public init() {}
    }

    private let listener: LoopbackListener
    private let admission: Admission
    private let endpoint: HealthEndpoint
    private let limits: Limits

    /// Prepares a server; it answers while ``run()`` runs.
    ///
    /// - Parameters:
    ///   - listener: The port; the server closes it when it ends.
    ///   - token: What a sender has to know.
    ///   - limits: What a stranger can cost.
    ///   - offsetMinutes: Minutes east of UTC at an instant in UTC milliseconds: which date an
    ///     instant belongs to.
    ///   - record: Records a report and gives what became of it. What it throws is
    ///     reported to the sender with the status 503. It is cancelled if it takes too long.
    public init(
        _ listener: LoopbackListener, token: AccessToken, limits: Limits = Limits(),
        offsetMinutes: @escaping @Sendable (_ wallMilliseconds: Int64) -> Int64,
        record: @escaping @Sendable (HealthReport) async throws -> HealthOutcome
    ) {
        self.listener = listener
        self.limits = limits
        admission = Admission(token)
        endpoint = HealthEndpoint(offsetMinutes: offsetMinutes, record: record)
    }

    /// Where totals are to be sent if a server answers on this port.
    public static func address(of listener: LoopbackListener) -> String {
        "http://127.0.0.1:\(listener.port)\(Admission.path)"
    }

    /// Answers until the task is cancelled.
    ///
    /// What a connection meets ends that connection only.
    ///
    /// - Throws: If the system gives no means to wait for sockets, or takes them away.
    public func run() async throws {
        try await run(on: SocketPool.make())
    }

    /// Answers as long as a pool of sockets runs.
    func run(on pool: some AsyncSocketPool) async throws {
        defer { listener.close() }
        try await pool.prepare()
        let listening = try AsyncSocket(socket: listener.socket, pool: pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await pool.run() }
            group.addTask { await answer(on: listening, pool) }
            do {
                try await group.next()
            } catch {
                // The end of the server is no failure of the pool.
                guard Task.isCancelled else { throw error }
            }
        }
    }

    /// Accepts connections and serves them, so many at once.
    private func answer(on listening: AsyncSocket, _ pool: some AsyncSocketPool) async {
        await withTaskGroup(of: Void.self) { group in
            var uncollected = 0
            while !Task.isCancelled {
                if uncollected == limits.connections {
                    await group.next()
                    uncollected -= 1
                }
                do {
                    let socket = try await listening.accept()
                    uncollected += 1
                    group.addTask { await serve(ClientConnection(socket, pool: pool)) }
                } catch {
                    // The peer left while it waited, or the process has no descriptor to spare:
                    // a connection that ends will give one back.
                    await pause()
                }
            }
            group.cancelAll()
        }
    }

    /// Waits a moment, or until the server ends.
    private func pause() async {
        do {
            try await ContinuousClock().sleep(for: .milliseconds(100))
        } catch {
            // Cancelled: the server ends.
        }
    }
}

// MARK: - One connection

extension HealthServer {
    /// Reads one request and answers it.
    private func serve(_ connection: ClientConnection) async {
        defer { connection.close() }
        do {
            let response = try await response(to: connection)
            try await within(limits.answer, else: AnswerNotFetched()) {
                try await connection.write(response.bytes)
                try await connection.finish(afterBytes: 2 * HealthReport.limitBytes)
            }
        } catch {
            // The peer is gone or too slow, or the server ends: there is nobody to tell.
        }
    }

    /// - Throws: If there is nobody to answer.
    private func response(to connection: ClientConnection) async throws -> Response {
        do {
            let (body, interval) = try await within(limits.request, else: Self.lateRequest) {
                try await request(on: connection)
            }
            return try await within(limits.recording, else: Self.lateRecording) {
                try await endpoint.response(to: body, interval: interval)
            }
        } catch let refusal as HTTPRefusal {
            return refusal.response
        }
    }

    /// The peer did not take its answer in time, so it cannot be told of that either.
    private struct AnswerNotFetched: Error {}

    private static let lateRequest = HTTPRefusal(
        .requestTimeout, "requestTimeout", "The request did not arrive in time.")

    private static let lateRecording = HTTPRefusal(
        .serviceUnavailable, "notRecordedInTime",
        "The totals could not be recorded in time; they may have been recorded all the same. "
            + "Send them again: what is known is not counted twice.")

    /// Reads a request whose head is admitted, and gives its body, and what Health Auto Export
    /// says that it summarizes by.
    private func request(
        on connection: ClientConnection
    ) async throws -> (body: [UInt8], interval: String?) {
        var arrived: [UInt8] = []
        var headEnd: Int?
        while headEnd == nil, arrived.count < RequestHead.limitBytes {
            let before = arrived.count
            arrived += try await connection.read()
            headEnd = RequestHead.end(in: arrived, from: before)
        }
        guard let headEnd, headEnd <= RequestHead.limitBytes else {
            throw HTTPRefusal(
                .headerFieldsTooLarge, "headTooLarge",
                "The head of a request has at most \(RequestHead.limitBytes) bytes.")
        }
        let rest = arrived[headEnd...]
        let head = try RequestHead(arrived[..<rest.startIndex])
        try admission.check(head)
        let interval = try head.value("automation-aggregation")
        var body = try RequestBody(try head.framing())
        try body.take(rest)
        if !body.isComplete, try head.value("expect")?.lowercased() == "100-continue" {
            try await connection.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        while !body.isComplete { try body.take(try await connection.read()[...]) }
        return (body.bytes, interval)
    }

    /// Does something, and cancels it after a time.
    ///
    /// - Throws: `late` after that time, or what `body` throws.
    private func within<Value: Sendable>(
        _ limit: Duration, else late: any Error,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await ContinuousClock().sleep(for: limit)
                throw late
            }
            guard let value = try await group.next() else { throw late }
            return value
        }
    }
}
