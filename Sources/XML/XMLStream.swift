internal import CExpat

/// Reads a document that comes in pieces, and shows each element's start tag as it comes, and its
/// end to whoever wants the text in it.
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
/// Without ``Limits/textBytes`` only tags are looked at: text between them is checked for form and
/// dropped. The memory does not depend on the length of the document. A stream that has thrown
/// gives nothing more.
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
        /// The most bytes of an element's text that ``XMLElementEnd/text`` gives; by default 0, and
        /// no text is looked at.
        public var textBytes: Int

        /// Sets the bounds.
        public init(
            depth: Int = 64, tokenBytes: Int = 1_024 * 1_024, names: Int = 1_000, textBytes: Int = 0
        ) {
            precondition(
                depth >= 1 && tokenBytes >= 1 && names >= 1 && textBytes >= 0,
                "The document's element has no name.")
            (self.depth, self.tokenBytes, self.names) = (depth, tokenBytes, names)
            self.textBytes = textBytes
        }
    }

    /// How many lines stand before the document's first byte, so that errors name the file's line.
    public var linesBefore = 0

    private let parser: OpaquePointer
    private let state: ParserState
    private let limits: Limits
    private var pushedBytes = 0

    /// Begins a document.
    ///
    /// - Parameter limits: How much of it is taken.
    public init(limits: Limits = Limits()) {
        guard let parser = unsafe XML_ParserCreate(nil) else {
            preconditionFailure("No memory for an XML parser.")
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
    ///   - ending: Given the end of each element; false ends the reading.
    /// - Returns: Whether both want to go on.
    /// - Throws: ``XMLError`` if the document is malformed or goes beyond the limits.
    public mutating func push(
        _ bytes: Span<UInt8>, _ body: (borrowing XMLElement) -> Bool,
        ending: (borrowing XMLElementEnd) -> Bool = { _ in true }
    ) throws(XMLError) -> Bool {
        try push(bytes, isLast: false, body, ending)
    }

    /// Ends the document.
    ///
    /// - Parameter body: Given each start tag that is left; false ends the reading.
    /// - Throws: ``XMLError`` with `incomplete` if the document ends too early.
    public mutating func finish(_ body: (borrowing XMLElement) -> Bool) throws(XMLError) {
        let nothing: [UInt8] = []
        _ = try push(nothing.span, isLast: true, body) { _ in true }
    }

    private mutating func push(
        _ bytes: Span<UInt8>, isLast: Bool, _ body: (borrowing XMLElement) -> Bool,
        _ ending: (borrowing XMLElementEnd) -> Bool
    ) throws(XMLError) -> Bool {
        precondition(bytes.count <= Int32.max, "The piece is 2 GiB or more.")
        let status = withoutActuallyEscaping(body) { body in
            withoutActuallyEscaping(ending) { ending in
                (state.body, state.ending) = (body, ending)
                defer { (state.body, state.ending) = (nil, nil) }
                return parse(bytes, isLast: isLast)
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
            throw error(.tokenTooLong)
        }
        return true
    }

    private func parse(_ bytes: Span<UInt8>, isLast: Bool) -> XML_Status {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                unsafe XML_Parse(parser, bytes.baseAddress, Int32(bytes.count), isLast ? 1 : 0)
            }
        }
    }

    private func error(_ code: XMLError.Code, text: String = "") -> XMLError {
        XMLError(
            code: code, line: linesBefore + Int(unsafe XML_GetCurrentLineNumber(parser)),
            offset: max(0, unsafe XML_GetCurrentByteIndex(parser)), libraryText: text)
    }

    private func error(_ isLast: Bool) -> XMLError {
        if let refusal = state.refusal { return error(refusal) }
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
        return error(code, text: text)
    }
}
