internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Answers on a port of loopback, and on one of a network if a walker has named its address.
package struct WebServer: Sendable {
    /// What a stranger can cost.
    package struct Limits: Hashable, Sendable {
        /// The most connections, in equal parts for each listener; one more takes the place of
        /// whoever has been idle for longest there.
        package var connections = 128
        /// How long a request may take to arrive.
        package var request = Duration.seconds(20)
        /// How long an answer may take to be fetched.
        package var answer = Duration.seconds(5)

        /// The limits above.
        package init() {}
    }

    /// The most bytes of a head.
    static let headLimitBytes = 16 * 1_024
    /// The most fields of a head.
    static let fieldLimit = 100

    /// The most connections that are accepted in one turn.
    static let acceptedAtOnce = 16

    private let listeners: [Listener]
    private let site: Site
    private var limits: Limits

    /// Prepares a server; it answers while ``run()`` runs.
    ///
    /// - Parameters:
    ///   - listeners: The ports; the server closes them when it ends.
    ///   - site: What is served.
    ///   - limits: What a stranger can cost.
    package init(_ listeners: [Listener], _ site: Site, limits: Limits = Limits()) {
        (self.listeners, self.site, self.limits) = (listeners, site, limits)
        // A stranger on the network takes no place from this machine's browser.
        self.limits.connections =
            ConnectionRoom.connections(upTo: limits.connections) / listeners.count
    }

    /// Where a server answers on this port.
    package static func address(at port: UInt16) -> String {
        "http://127.0.0.1:\(port)"
    }

    /// Answers until the task is cancelled.
    ///
    /// What a connection meets ends that connection only.
    ///
    /// - Throws: If the system gives no means to wait for connections, or takes them away.
    package func run() async throws {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                for listener in listeners {
                    group.addTask { try await run(listener, on: loops.next()) }
                }
                try await group.next()
            }
        } catch {
            try await loops.shutdownGracefully()
            throw error
        }
        try await loops.shutdownGracefully()
    }

    private func run(_ listener: Listener, on loop: any EventLoop) async throws {
        let connections = NIOLoopBoundBox.makeBoxSendingValue(
            Connections(limit: limits.connections), eventLoop: loop)
        let bound = try await ServerBootstrap(group: loop)
            .serverChannelInitializer { channel in
                listener.lengthenQueue()
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .serverChannelOption(.maxMessagesPerRead, value: UInt(Self.acceptedAtOnce))
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)  // The intake reads.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .bind(
                listener.descriptor,
                serverBackPressureStrategy: .init(lowWatermark: 64, highWatermark: 128)
            ) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try exchanges(on: channel, at: listener.entrance, among: connections.value)
                }
            }
        try await withThrowingDiscardingTaskGroup { group in
            do {
                try await bound.executeThenClose { connections in
                    for try await exchanges in connections {
                        group.addTask { await exchanges.answer { await site.response(to: $0) } }
                    }
                }
                throw PortLost()
            } catch {
                // The end of the server is not a failure.
                guard Task.isCancelled else { throw error }
            }
        }
    }

    /// Prepares an accepted connection, on its loop.
    private func exchanges(
        on channel: any Channel, at entrance: Entrance, among connections: Connections
    ) throws -> Exchanges {
        var heads = NIOHTTPDecoderLimitConfiguration()
        heads.maxHeaderFieldSize = Self.headLimitBytes
        heads.maxHeaderListSize = Self.headLimitBytes
        heads.maxHeaderFieldCount = Self.fieldLimit
        let (requests, continuation) = AsyncStream.makeStream(of: HTTPRequest.self)
        // What is not in a body, such as the sizes of its chunks, may be as much again.
        let intake = IntakeHandler(
            site, limitBytes: Self.headLimitBytes + 2 * HTTPRoute.health.bodyLimitBytes)
        try channel.pipeline.syncOperations.addHandlers([
            intake,
            ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: heads)),
            HTTPResponseEncoder(),
            ExchangeHandler(
                site, at: entrance, limits: limits, connections: connections, intake: intake,
                requests: continuation),
        ])
        return Exchanges(channel: channel, requests: requests)
    }

    private struct PortLost: Error, CustomStringConvertible {
        var description: String { "the system has closed the port" }
    }
}

/// A connection, seen by what answers: one request comes, one answer goes, and then the next.
private struct Exchanges: Sendable {
    private static let sliceBytes = 64 * 1_024

    let channel: any Channel
    let requests: AsyncStream<HTTPRequest>

    /// Answers each request until the end of the connection.
    func answer(_ response: @escaping @Sendable (HTTPRequest) async -> Response) async {
        let answering = Task {
            // Why it fails nobody is to be told: the peer is gone or too slow, or the server ends.
            defer { channel.close(promise: nil) }
            for await request in requests { try await send(await response(request)) }
        }
        // Whoever has gone needs no answer.
        channel.closeFuture.whenComplete { _ in answering.cancel() }
        await withTaskCancellationHandler {
            _ = await answering.result
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    private func send(_ response: Response) async throws {
        switch response.body {
        case .whole(let bytes, _):
            channel.write(ResponsePart.head(response.head), promise: nil)
            var rest = bytes[...]
            // Each slice has a time of its own: whoever is slow and reads gets all.
            while rest.count > Self.sliceBytes {
                let slice = Array(rest.prefix(Self.sliceBytes))
                try await channel.writeAndFlush(ResponsePart.body(slice))
                rest = rest.dropFirst(Self.sliceBytes)
            }
            try await channel.writeAndFlush(ResponsePart.end(Array(rest)))
        case .events(let events):
            try await channel.writeAndFlush(ResponsePart.stream(response.head))
            try await events { try await channel.writeAndFlush(ResponsePart.body($0)) }
            channel.close(promise: nil)
        }
    }
}
