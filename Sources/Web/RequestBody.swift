internal import Interchange
internal import Projections

/// The body of a request, put together from what arrives, within a limit.
struct RequestBody {
    /// The state between two bytes.
    private enum State: Equatable {
        /// This many bytes of the body follow.
        case content(Int)
        /// The digits of a chunk's size; the size so far, nil before the first digit.
        case size(Int?)
        /// After the size of a chunk: an extension, which means nothing here.
        case chunkExtension(Int)
        /// The line feed after a chunk's size.
        case sizeEnd(Int)
        /// This many bytes of a chunk follow.
        case chunk(Int)
        /// CR, then LF after a chunk.
        case chunkEnd(isBehindCR: Bool)
        /// A line after the last chunk; how many bytes of it there are.
        case trailer(Int)
        /// The line feed of such a line.
        case trailerEnd(Int)
        /// All is there.
        case complete
    }

    /// What has arrived.
    private(set) var bytes: [UInt8] = []
    private var state: State
    /// Bytes that are not part of the body: sizes, line ends, trailers.
    private var overheadBytes = 0
    private let limitBytes: Int

    /// Prepares for a body.
    ///
    /// - Parameters:
    ///   - framing: Where it ends.
    ///   - limitBytes: How long it may be; chunked, all that stands around it as well.
    /// - Throws: ``HTTPRefusal`` if it has no length or is announced to be too long.
    init(
        _ framing: RequestHead.Framing, limitBytes: Int = HealthReport.limitBytes
    ) throws(HTTPRefusal) {
        self.limitBytes = limitBytes
        switch framing {
        case .none:
            throw HTTPRefusal(
                .lengthRequired, "lengthRequired", "Give the length of the body: Content-Length.")
        case .bytes(let count):
            state = count == 0 ? .complete : .content(count)
            guard count <= limitBytes else { throw tooLarge }
        case .chunked: state = .size(nil)
        }
    }

    /// Whether all of the body has arrived.
    var isComplete: Bool { state == .complete }

    /// Takes what has arrived; bytes after the body are passed over.
    ///
    /// - Throws: ``HTTPRefusal`` if the chunks are malformed or too long.
    mutating func take(_ arrived: ArraySlice<UInt8>) throws(HTTPRefusal) {
        var rest = arrived
        while let byte = rest.first {
            switch state {
            case .complete: return
            case .content(let count):
                bytes += rest.prefix(count)
                state = count > rest.count ? .content(count - rest.count) : .complete
                rest = rest.dropFirst(count)
            case .chunk(let count):
                guard bytes.count + min(count, rest.count) <= limitBytes else { throw tooLarge }
                bytes += rest.prefix(count)
                state =
                    count > rest.count ? .chunk(count - rest.count) : .chunkEnd(isBehindCR: false)
                rest = rest.dropFirst(count)
            default:
                overheadBytes += 1
                guard overheadBytes <= limitBytes else { throw tooLarge }
                state = try state(after: byte)
                rest = rest.dropFirst()
            }
        }
    }

    /// The state after a byte that is not part of the body (RFC 9112, 7.1).
    private func state(after byte: UInt8) throws(HTTPRefusal) -> State {
        let (isCR, isLF) = (byte == 0x0D, byte == 0x0A)
        switch state {
        case .size(let size):
            if let digit = byte.hexadecimalDigit {
                let value = (size ?? 0) << 4 | digit
                guard value <= limitBytes else { throw tooLarge }
                return .size(value)
            }
            guard let size else { throw malformed }
            if isCR { return .sizeEnd(size) }
            guard byte == UInt8(ascii: ";") else { throw malformed }
            return .chunkExtension(size)
        case .chunkExtension(let size):
            guard !isLF else { throw malformed }
            return isCR ? .sizeEnd(size) : .chunkExtension(size)
        case .sizeEnd(let size):
            guard isLF else { throw malformed }
            return size == 0 ? .trailer(0) : .chunk(size)
        case .chunkEnd(let isBehindCR):
            guard isBehindCR ? isLF : isCR else { throw malformed }
            return isBehindCR ? .size(nil) : .chunkEnd(isBehindCR: true)
        case .trailer(let count):
            guard !isLF else { throw malformed }
            return isCR ? .trailerEnd(count) : .trailer(count + 1)
        case .trailerEnd(let count):
            guard isLF else { throw malformed }
            return count == 0 ? .complete : .trailer(0)
        case .content, .chunk, .complete: return state
        }
    }

    private var malformed: HTTPRefusal { .malformed("The chunks of the body are malformed.") }

    private var tooLarge: HTTPRefusal {
        HTTPRefusal(
            .contentTooLarge, "contentTooLarge",
            "A body has at most \(limitBytes) bytes; send fewer days at once.")
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: Int? {
        isASCII ? Character(UnicodeScalar(self)).hexDigitValue : nil
    }

    private var isASCII: Bool { self < 0x80 }
}
