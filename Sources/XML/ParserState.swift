internal import CExpat

/// What expat's functions share; it belongs to one stream, whose calls it lives in.
@safe
final class ParserState {
    /// The receiver of the call under way.
    var body: ((borrowing XMLElement) -> Bool)?
    /// The receiver of ends, of the call under way.
    var ending: ((borrowing XMLElementEnd) -> Bool)?
    /// Whether the receiver has had enough.
    private(set) var isStopped = false
    /// What of ours, and not of XML's, the document goes against.
    private(set) var refusal: XMLError.Code?
    private let parser: OpaquePointer
    private let limits: XMLStream.Limits
    private var depth = 0
    /// The names so far: expat keeps each of them as long as it lives.
    private var names: Set<String> = []
    /// The text since the last tag; nil if there is more of it than is taken.
    private var text: [UInt8]? = []

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
                unsafe ParserState.at(context).end()
            })
        if limits.textBytes > 0 {
            unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
                guard let context = unsafe context, let text = unsafe text else { return }
                let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
                unsafe ParserState.at(context).add(bytes)
            }
        }
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
        text = []
        guard depth <= limits.depth else { return refuse(.tooDeep) }
        let element = unsafe XMLElement(name: name, attributes: attributes, depth: depth)
        names.insert(element.qualifiedName)
        element.forEachAttribute { name, _ in names.insert(name) }
        guard names.count <= limits.names else { return refuse(.tooManyNames) }
        // After a stop expat may still show the rest of what it holds.
        guard let body, !isStopped, refusal == nil, !body(element) else { return }
        stop()
    }

    private func end() {
        let element = XMLElementEnd(textBytes: text, depth: depth)
        depth -= 1
        text = []
        guard let ending, !isStopped, refusal == nil, !ending(element) else { return }
        stop()
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
        guard let before = text?.count else { return }
        guard before + bytes.count <= limits.textBytes else { return text = nil }
        unsafe text?.append(contentsOf: bytes)
    }

    private func stop() {
        isStopped = true
        unsafe XML_StopParser(parser, 0)
    }

    private func refuse(_ code: XMLError.Code) {
        if refusal == nil { refusal = code }
        unsafe XML_StopParser(parser, 0)
    }
}
