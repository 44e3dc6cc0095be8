import Terminal
import Testing

@Suite("Keys")
struct KeyReaderTests {
    /// What terminals send, and the keys that it stands for.
    static let vectors: [(bytes: [UInt8], keys: [Key])] = [
        (Array("ps".utf8), [.character("p"), .character("s")]),
        ([0x0D], [.enter]), ([0x0A], [.enter]), ([0x7F], [.backspace]), ([0x08], [.backspace]),
        ([0x1B], [.escape]), (Array("\u{1B}[A".utf8), [.other]),
        (Array("\u{1B}[1;5Cq".utf8), [.other, .character("q")]),
        (Array("\u{1B}OPq".utf8), [.other, .character("q")]),
        (Array("\u{1B}xq".utf8), [.other, .character("q")]), (Array("\u{1B}[".utf8), [.other]),
        (Array("\u{1B}[[Aq".utf8), [.other, .character("q")]),
        ([0x01, 0x70], [.other, .character("p")]),
        (Array("ä€".utf8), [.character("ä"), .character("€")]),
        ([0xFF, 0x70], [.other, .character("p")]), ([0xC3, 0x28], [.other, .character("(")]),
        ([], []),
    ]

    @Test("are read from what a terminal sends", arguments: vectors)
    func reads(_ vector: (bytes: [UInt8], keys: [Key])) {
        var reader = KeyReader()
        #expect(reader.keys(of: vector.bytes) == vector.keys)
    }

    @Test("of several bytes may come in pieces")
    func pieces() {
        var reader = KeyReader()
        let bytes = Array("€".utf8)
        #expect(reader.keys(of: Array(bytes.prefix(2))) == [])
        #expect(reader.keys(of: [bytes[2]]) == [.character("€")])
    }
}
