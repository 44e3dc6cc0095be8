internal import CPage
public import Fleet
internal import JSON
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Serves one quiet page, to whoever knows its address on this machine.
public struct PageServer: Sendable {
    /// A connection that says nothing for longer is closed.
    private static let idleLimit = TimeAmount.seconds(15)

    private let walkers: Walkers
    private let cluster: any Cluster
    private let secret: String

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - walkers: How everybody stands.
    ///   - cluster: Where logs are read from.
    ///   - secret: What addresses begin with, so that nobody finds them by trying.
    public init(_ walkers: Walkers, of cluster: any Cluster, secret: String) {
        self.walkers = walkers
        self.cluster = cluster
        self.secret = secret
    }

    private typealias Connection = NIOAsyncChannel<
        HTTPServerRequestPart, HTTPServerResponsePart
    >

    /// Serves until the task is cancelled.
    ///
    /// - Parameters:
    ///   - port: Where, on the loopback address.
    ///   - isReady: Called when it listens.
    /// - Throws: An error of NIO if the port is taken.
    public func run(port: Int, isReady: @Sendable () -> Void) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IdleStateHandler(readTimeout: Self.idleLimit))
                    try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                    try pipeline.addHandler(IdleCloser())
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        isReady()
        try await server.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    group.addTask { await serve(connection) }
                }
            }
        }
    }

    /// Answers one request: a browser connects again for the next one.
    private func serve(_ connection: Connection) async {
        do {
            try await connection.executeThenClose { requests, answers in
                for try await case .head(let head) in requests {
                    let answer = await answer(to: head)
                    let headers = HTTPHeaders([
                        ("Content-Type", answer.type), ("Cache-Control", "no-store"),
                        ("Content-Length", "\(answer.bytes.count)"), ("Connection", "close"),
                        ("Content-Security-Policy", "default-src 'self'"),
                        ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
                    ])
                    try await answers.write(
                        .head(
                            HTTPResponseHead(
                                version: .http1_1, status: answer.status, headers: headers)))
                    try await answers.write(.body(.byteBuffer(ByteBuffer(bytes: answer.bytes))))
                    return try await answers.write(.end(nil))
                }
            }
        } catch {
            // The browser has gone, or never spoke.
        }
    }

    // MARK: - Answers

    private struct Answer {
        var status = HTTPResponseStatus.ok
        var type = "application/json"
        var bytes: [UInt8]

        static func refusal(_ status: HTTPResponseStatus, _ words: String) -> Answer {
            Answer(
                status: status, bytes: JSONWriter.line { json in json.field("error", words) })
        }
    }

    private func answer(to head: HTTPRequestHead) async -> Answer {
        let parts = head.uri.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard head.method == .GET, parts.first == secret[...] else {
            return .refusal(.notFound, "There is nothing here.")
        }
        let path = parts.dropFirst().map(String.init)
        switch path {
        case [""]: return Answer(type: "text/html; charset=utf-8", bytes: Array(Site.html.utf8))
        case ["page.js"]:
            return Answer(type: "text/javascript; charset=utf-8", bytes: Array(Site.script.utf8))
        case ["page.css"]:
            return Answer(
                type: "text/css; charset=utf-8",
                bytes: Site.embedded("/css/tokens.css") + Site.embedded("/css/base.css")
                    + Array(Site.style.utf8))
        case ["walkers"]: return Answer(bytes: walkers.json)
        default: return await log(path)
        }
    }

    private func log(_ path: [String]) async -> Answer {
        guard path.count == 3, path[0] == "walkers",
            let name = FleetLog(person: path[1], id: path[2])
        else { return .refusal(.notFound, "There is nothing here.") }
        do {
            let view = try WalkerView(try await CollectedLog(name, from: cluster))
            return Answer(bytes: view.jsonLine)
        } catch {
            return .refusal(.serviceUnavailable, "\(error)")
        }
    }
}

/// Closes a connection that asks nothing; one that has asked waits for its answer.
private final class IdleCloser: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private var hasAsked = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasAsked = true
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent, !hasAsked { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

extension Site {
    /// A file of the walker's page, whose colours and type this one shares.
    fileprivate static func embedded(_ path: String) -> [UInt8] {
        var index = 0
        while let file = page_file_at(index)?.pointee {
            if String(cString: file.path) == path {
                return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            }
            index += 1
        }
        return []
    }
}
