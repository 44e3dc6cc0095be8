import Testing
import XML

@Suite("XMLElementEnd")
struct XMLElementEndTests {
    /// Reads a document in pieces, and gives each end with its depth and text.
    private func ends(_ text: String, pieces size: Int, textBytes: Int = 16) throws -> [String] {
        var stream = XMLStream(limits: XMLStream.Limits(textBytes: textBytes))
        var ends: [String] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            _ = try stream.push(piece.span) { _ in
                true
            } ending: { element in
                ends.append("\(element.depth)=\(element.text ?? "too long")")
                return true
            }
        }
        try stream.finish { _ in true }
        return ends
    }

    @Test("has the text since the tag before, however the document is cut", arguments: [1, 3, 999])
    func text(size: Int) throws {
        let text = "<a>x<b> 1 &lt; 2</b>y<b/><b><![CDATA[<b>]]>&#x41;Ä</b>z</a>"
        #expect(try ends(text, pieces: size) == ["2= 1 < 2", "2=", "2=<b>AÄ", "1=z"])
    }

    @Test("has no text beyond the bound, and none where none is wanted", arguments: [1, 999])
    func bounds(size: Int) throws {
        let long = String(repeating: "x", count: 17)
        let text = "<a><b>\(long)</b><b>\(long.dropLast())</b></a>"
        let expected = ["2=too long", "2=\(long.dropLast())", "1="]
        #expect(try ends(text, pieces: size) == expected)
        #expect(try ends(text, pieces: size, textBytes: 0) == ["2=", "2=", "1="])
    }
}
