/// The end of an element, lent while it is shown.
@safe
public struct XMLElementEnd: ~Copyable {
    private let name: UnsafePointer<CChar>
    private let textBytes: [UInt8]?
    /// How many elements it is in, itself included: 1 for the outermost.
    public let depth: Int

    init(name: UnsafePointer<CChar>, textBytes: [UInt8]?, depth: Int) {
        unsafe self.name = name
        self.textBytes = textBytes
        self.depth = depth
    }

    /// Compares its name.
    ///
    /// - Parameter expected: A name, prefix included.
    /// - Returns: Whether both are the same bytes.
    public borrowing func isNamed(_ expected: StaticString) -> Bool {
        unsafe XMLElement.isSame(name, expected)
    }

    /// The text between the tag before and this end, references undone.
    ///
    /// It is all of the text of an element without others in it. Nil if it is longer than
    /// ``XMLStream/Limits/textBytes``.
    public var text: String? { textBytes.map { String(decoding: $0, as: UTF8.self) } }
}
