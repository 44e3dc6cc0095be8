/// The end of an element, lent while it is shown.
public struct XMLElementEnd: ~Copyable {
    let textBytes: [UInt8]?
    /// How many elements it is in, itself included: 1 for the outermost.
    public let depth: Int

    /// The text between the tag before and this end, references undone.
    ///
    /// It is all of the text of an element without others in it. Nil if it is longer than
    /// ``XMLStream/Limits/textBytes``.
    public var text: String? { textBytes.map { String(decoding: $0, as: UTF8.self) } }
}
