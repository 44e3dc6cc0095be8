internal import NIOCore

/// A connection has sent bytes that are of no request.
struct ExcessBytes: Error {}

/// Hands on the bytes of a request, as soon as it is known which phones are let in, and up to a
/// limit; what comes between the request and its answer is dropped unread.
///
/// Some bytes, such as a chunk's extension, are in no part of a request.
final class IntakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var isOpen = false
    private var bytesLeft = 0
    /// The first bytes of a request; nothing more is read before it is known who is let in.
    private var held: ByteBuffer?
    private var lastBytes: UInt32 = 0
    private let limitBytes: Int
    private let site: Site

    init(_ site: Site, limitBytes: Int) {
        (self.site, self.limitBytes) = (site, limitBytes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let isFirst = bytesLeft == limitBytes
        bytesLeft -= bytes.readableBytes
        if !isOpen || bytesLeft < 0 {
            isOpen = false
            context.fireErrorCaught(ExcessBytes())
        } else if isFirst {
            held = bytes
            let looked = context.eventLoop.makePromise(of: Void.self)
            looked.futureResult.assumeIsolated().whenSuccess { [self] in handOn(context) }
            site.lookForPhones { looked.succeed() }
        } else {
            // The peer has closed its end, and all comes at once: as it was known last must do.
            handOn(context)
            held = bytes
            handOn(context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if held == nil { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        handOn(context)
        context.fireUserInboundEventTriggered(event)
    }

    /// Whether what was handed on ends as a head does: with two ends of a line.
    var isAtEndOfHead: Bool { lastBytes == 0x0D0A_0D0A }

    /// Takes in the next request.
    func open() {
        (isOpen, bytesLeft) = (true, limitBytes)
    }

    /// Hands nothing more on.
    func close() {
        isOpen = false
    }

    private func handOn(_ context: ChannelHandlerContext) {
        guard let bytes = held else { return }
        held = nil
        for byte in bytes.readableBytesView.suffix(4) { lastBytes = lastBytes << 8 | UInt32(byte) }
        context.fireChannelRead(wrapInboundOut(bytes))
        context.read()
    }
}
