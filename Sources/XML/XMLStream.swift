internal import CExpat

/// Reads a document that comes in pieces, and shows each element's start tag as it comes.
///
/// ```swift
/// var stream = XMLStream()
/// for chunk in chunks {
///     try stream.push(chunk.span) { element in
///         if element.isNamed("Record") { count += 1 }
///         return true
///     }
/// }
/// try stream.finish { _ in true }
/// ```
///
/// Only tags are looked at: text between them is checked for form and dropped. The memory does not
/// depend on the length of the document. A stream that has thrown gives nothing more.
@safe
public struct XMLStream: ~Copyable {
    /// How much of a document a stream takes.
    public struct Limits: Sendable {
        /// The most elements within each other, at least 1; by default 64.
        public var depth: Int
        /// The most bytes of one tag or comment, and of everything before the first tag; by default
        /// 1 MiB.
        ///
        /// It is looked at between two pieces: what comes whole in a piece may be longer.
        public var tokenBytes: Int
        /// The most different names of elements and attributes, at least 1; by default 1,000.
        public var names: Int

        /// Sets the bounds.
        public init(depth: Int = 64, tokenBytes: Int = 1_024 * 1_024, names: Int = 1_000) {
            precondition(
                depth >= 1 && tokenBytes >= 1 && names >= 1,
                "A document has an element, and it a tag with a name.")
            self.depth = depth
            self.tokenBytes = tokenBytes
            self.names = names
        }
    }

    private let parser: OpaquePointer
    private let state: ParserState
    private let limits: Limits
    private var pushedBytes = 0

    /// Begins a document.
    ///
    /// - Parameter limits: How much of it is taken.
    public init(limits: Limits = Limits()) {
        guard let parser = unsafe XML_ParserCreate(nil) else {
            preconditionFailure("Memory for an XML parser could not be had.")
        }
        unsafe self.parser = parser
        self.limits = limits
        state = unsafe ParserState(parser, limits)
        state.attach()
    }

    deinit {
        unsafe XML_ParserFree(parser)
    }

    /// Reads the next piece of the document.
    ///
    /// - Parameters:
    ///   - bytes: The piece, less than 2 GiB; pieces may be cut anywhere.
    ///   - body: Given each start tag; false ends the reading.
    /// - Returns: Whether `body` wants to go on.
    /// - Throws: ``XMLError`` if the document is malformed or goes beyond the limits.
    public mutating func push(
        _ bytes: Span<UInt8>, _ body: (borrowing XMLElement) -> Bool
    ) throws(XMLError) -> Bool {
        try push(bytes, isLast: false, body)
    }

    /// Ends the document.
    ///
    /// - Parameter body: Given each start tag that is left; false ends the reading.
    /// - Throws: ``XMLError`` with `incomplete` if the document ends too early.
    public mutating func finish(_ body: (borrowing XMLElement) -> Bool) throws(XMLError) {
        let nothing: [UInt8] = []
        _ = try push(nothing.span, isLast: true, body)
    }

    private mutating func push(
        _ bytes: Span<UInt8>, isLast: Bool, _ body: (borrowing XMLElement) -> Bool
    ) throws(XMLError) -> Bool {
        precondition(bytes.count <= Int32.max, "A piece of a document is less than 2 GiB.")
        let status = withoutActuallyEscaping(body) { body in
            state.body = body
            defer { state.body = nil }
            return unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                    unsafe XML_Parse(parser, bytes.baseAddress, Int32(bytes.count), isLast ? 1 : 0)
                }
            }
        }
        pushedBytes += bytes.count
        guard status == XML_STATUS_OK else {
            if state.isStopped { return false }
            throw error(isLast)
        }
        // Where the tag begins that has not come to its end yet, or else all that was read.
        let place = state.hasElement ? unsafe XML_GetCurrentByteIndex(parser) : 0
        guard place < 0 || pushedBytes - place <= limits.tokenBytes else {
            throw XMLError(.tokenTooLong, line: line, text: "")
        }
        return true
    }

    private var line: Int { Int(unsafe XML_GetCurrentLineNumber(parser)) }

    private func error(_ isLast: Bool) -> XMLError {
        if let refusal = state.refusal { return XMLError(refusal, line: line, text: "") }
        let number = unsafe XML_GetErrorCode(parser)
        let text = unsafe XML_ErrorString(number).map { unsafe String(cString: $0) } ?? ""
        // What is malformed only because it ends here was cut off.
        let code: XMLError.Code =
            switch number {
            case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
                XML_ERROR_UNCLOSED_CDATA_SECTION:
                isLast ? .incomplete : .malformed
            case XML_ERROR_NO_MEMORY: .outOfMemory
            default: .malformed
            }
        return XMLError(code, line: line, text: text)
    }
}

/// What expat's functions share; it belongs to one stream, whose calls it lives in.
@safe
private final class ParserState {
    /// The receiver of the call under way.
    var body: ((borrowing XMLElement) -> Bool)?
    /// Whether the receiver has had enough.
    private(set) var isStopped = false
    /// What of ours, and not of XML's, the document goes against.
    private(set) var refusal: XMLError.Code?
    private let parser: OpaquePointer
    private let limits: XMLStream.Limits
    private var depth = 0
    /// The names so far: expat keeps each of them as long as it lives.
    private var names: Set<String> = []

    /// Whether the first element has begun.
    var hasElement: Bool { !names.isEmpty }

    init(_ parser: OpaquePointer, _ limits: XMLStream.Limits) {
        unsafe self.parser = parser
        self.limits = limits
    }

    /// Tells expat to call this object, which must live as long as the parser.
    func attach() {
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let context = unsafe context, let name = unsafe name,
                    let attributes = unsafe attributes
                else { return }
                unsafe ParserState.at(context).begin(name, attributes)
            },
            { context, _ in
                guard let context = unsafe context else { return }
                unsafe ParserState.at(context).depth -= 1
            })
        unsafe XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
            guard let context = unsafe context else { return }
            unsafe ParserState.at(context).refuse(.entityDeclared)
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> ParserState {
        unsafe Unmanaged<ParserState>.fromOpaque(context).takeUnretainedValue()
    }

    private func begin(
        _ name: UnsafePointer<CChar>,
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
    ) {
        depth += 1
        guard depth <= limits.depth else { return refuse(.tooDeep) }
        let element = unsafe XMLElement(name: name, attributes: attributes, depth: depth)
        element.forEachName { names.insert($0) }
        guard names.count <= limits.names else { return refuse(.tooManyNames) }
        // After a stop expat may still show the rest of what it holds.
        guard let body, !isStopped, refusal == nil, !body(element) else { return }
        isStopped = true
        unsafe XML_StopParser(parser, 0)
    }

    private func refuse(_ code: XMLError.Code) {
        if refusal == nil { refusal = code }
        unsafe XML_StopParser(parser, 0)
    }
}
