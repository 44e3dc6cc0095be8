internal import NIOCore
internal import NIOHTTP1

/// The exchanges of a connection, on its event loop: one request comes, one answer goes, and then
/// the next, if neither side may be in doubt where the first one ended.
///
/// A request is reported when all of it has arrived, within the limits; what is refused before is
/// answered here. After the last answer nothing more is sent, and what the peer still sends is
/// passed over for a while: to close a connection on which unread bytes wait resets it, and the
/// peer might lose the answer (RFC 9112, 9.6).
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// The head has not arrived.
        case head
        /// The head was admitted, and its body has not arrived.
        case body(HTTPRequest, limitBytes: Int)
        /// All has arrived, and the answer is being made.
        case answering(HTTPMethod)
        /// The answer continues as long as somebody listens.
        case streaming
        /// The answer is on its way; all that may happen is the end, or another request.
        case answered
    }

    /// How many requests a connection may bring.
    static let requestLimit = 100

    private var state = State.head
    /// How many more it may bring: none after one that ends it.
    private var requestsLeft = ExchangeHandler.requestLimit
    private var deadline: Scheduled<Void>?
    private var isOutputClosed = false
    private let site: Site
    private let entrance: Entrance
    private let limits: WebServer.Limits
    private let connections: Connections
    private let intake: IntakeHandler
    private let requests: AsyncStream<HTTPRequest>.Continuation

    /// Prepares for a connection.
    ///
    /// - Parameters:
    ///   - site: What is served.
    ///   - entrance: Where the connection came in.
    ///   - limits: What a stranger can cost.
    ///   - connections: All that came in there.
    ///   - intake: Hands on what arrives, as long as it can be of a request.
    ///   - requests: Receives each request, and the end of the connection.
    init(
        _ site: Site, at entrance: Entrance, limits: WebServer.Limits, connections: Connections,
        intake: IntakeHandler, requests: AsyncStream<HTTPRequest>.Continuation
    ) {
        (self.site, self.entrance, self.limits) = (site, entrance, limits)
        (self.connections, self.intake, self.requests) = (connections, intake, requests)
    }

    // MARK: - In

    func channelActive(context: ChannelHandlerContext) {
        connections.enter(context.channel)
        guard context.channel.isActive else { return }  // There was no room.
        context.fireChannelActive()
        expectRequest(context)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(HTTPRefusal) {
            switch (state, unwrapInboundIn(data)) {
            case (.head, .head(let head)):
                requestsLeft = head.mayBeFollowed ? requestsLeft - 1 : 0
                let admitted = try site.admit(head, at: entrance)
                let limitBytes = admitted.route.bodyLimitBytes
                let waits = try head.value("Expect")?.lowercased() == "100-continue"
                if waits, limitBytes > 0, head.version == .http1_1 {
                    let proceed = HTTPResponseHead(version: .http1_1, status: .continue)
                    context.writeAndFlush(wrapOutboundOut(.head(proceed)), promise: nil)
                }
                let request = HTTPRequest(
                    head: head, route: admitted.route, phone: admitted.phone)
                state = .body(request, limitBytes: limitBytes)
            case (.body(var request, let limitBytes), .body(var part)):
                guard request.body.readableBytes + part.readableBytes <= limitBytes else {
                    throw .contentTooLarge(limitBytes: limitBytes)
                }
                state = .head  // So that the body is not copied.
                request.body.writeBuffer(&part)
                state = .body(request, limitBytes: limitBytes)
            case (.body(let request, _), .end):
                state = .answering(request.head.method)
                if !intake.isAtEndOfHead { requestsLeft = 0 }  // More has come with it.
                intake.close()
                connections.note(context.channel, .answering)
                deadline?.cancel()
                requests.yield(request)
            default: requestsLeft = 0  // What follows a request too soon, or one that was refused.
            }
        } catch {
            refuse(error, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            switch state {
            // Half a request isn't one, and a peer that closes its end no longer listens.
            case .head, .body, .streaming: context.close(promise: nil)
            // A question is dropped, as a browser ends one that it needs no more; whoever has asked
            // for something to be done may close his end, and is answered.
            case .answering(.GET): context.close(promise: nil)
            case .answering: break
            case .answered: if isOutputClosed { context.close(promise: nil) }
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as HTTPParserError: refuse(HTTPRefusal(error), context)
        case is ExcessBytes:
            refuse(.contentTooLarge(limitBytes: HTTPRoute.health.bodyLimitBytes), context)
        default: context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.leave(context.channel)
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        requests.finish()
    }

    // MARK: - Out

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        send(unwrapOutboundIn(data), context, promise ?? context.eventLoop.makePromise())
    }

    /// Waits for a request: the first, or another one, without which nobody waits for an answer.
    private func expectRequest(_ context: ChannelHandlerContext) {
        let isFirst = requestsLeft == Self.requestLimit
        state = .head
        intake.open()
        connections.note(context.channel, .asking)
        expect(within: limits.request, context) { handler, context in
            if case .head = handler.state, !isFirst { return context.close(promise: nil) }
            handler.refuse(.late, context)
        }
    }

    /// Answers without anybody's help.
    private func refuse(_ refusal: HTTPRefusal, _ context: ChannelHandlerContext) {
        requestsLeft = 0
        switch state {
        case .head, .body: break
        case .answering, .streaming, .answered: return  // It is about what follows the request.
        }
        intake.close()
        for part in [.head(refusal.response.head), .end(refusal.body)] as [ResponsePart] {
            send(part, context, context.eventLoop.makePromise())
        }
        context.flush()
    }

    private func send(
        _ part: ResponsePart, _ context: ChannelHandlerContext, _ sent: EventLoopPromise<Void>
    ) {
        // Whoever does not take a part in time is gone, or too slow.
        let own = expect(within: limits.answer, context) { _, context in
            context.close(promise: nil)
        }
        let isSent = sent.futureResult.assumeIsolated()
        isSent.whenSuccess { [self] in
            // After the end the deadline is that of the peer's own end.
            if case .answered = state {} else { own.cancel() }
        }
        switch part {
        case .head(var head):
            // Whoever keeps it is to leave it before it is ended here.
            let isLast = requestsLeft == 0
            head.headers.add(
                name: isLast ? "Connection" : "Keep-Alive",
                value: isLast ? "close" : "timeout=\(limits.request.components.seconds * 3 / 4)")
            context.write(wrapOutboundOut(.head(head)), promise: sent)
        case .stream(let head):
            (state, requestsLeft) = (.streaming, 0)
            send(.head(head), context, sent)
        case .body(let bytes):
            let body = context.channel.allocator.buffer(bytes: bytes)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: sent)
        case .end(let bytes):
            send(.body(bytes), context, context.eventLoop.makePromise())
            state = .answered
            connections.note(context.channel, .answered)
            isSent.whenComplete { [self] _ in
                guard requestsLeft == 0 else { return expectRequest(context) }
                isOutputClosed = true
                context.close(mode: .output, promise: nil)
            }
            context.write(wrapOutboundOut(.end(nil)), promise: sent)
        }
    }

    /// Does something after a time, in place of what was to be done.
    @discardableResult
    private func expect(
        within limit: Duration, _ context: ChannelHandlerContext,
        else late: @escaping (ExchangeHandler, ChannelHandlerContext) -> Void
    ) -> Scheduled<Void> {
        deadline?.cancel()
        let next = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) {
            late(self, context)
        }
        deadline = next
        return next
    }
}
