import Testing
import XML

/// Reads a document in pieces, and gives each start tag with its depth.
private func tags(
    _ text: String, pieces size: Int = .max, limits: XMLStream.Limits = XMLStream.Limits()
) throws(XMLError) -> [String] {
    var stream = XMLStream(limits: limits)
    var tags: [String] = []
    func show(_ element: borrowing XMLElement) -> Bool {
        let name = ["a", "b", "Record"].first { name in
            switch name {
            case "a": element.isNamed("a")
            case "b": element.isNamed("b")
            default: element.isNamed("Record")
            }
        }
        let value = element.attribute("value").map { "=\($0)" } ?? ""
        tags.append("\(element.depth)\(name ?? "?")\(value)")
        return true
    }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let piece = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
        _ = try stream.push(piece.span, show)
    }
    try stream.finish(show)
    return tags
}

private func refusal(_ text: String, pieces size: Int = .max) -> XMLError.Code? {
    do throws(XMLError) {
        _ = try tags(text, pieces: size)
        return nil
    } catch {
        return error.code
    }
}

@Suite("XMLStream")
struct XMLStreamTests {
    @Test("shows each start tag, however the document is cut", arguments: [1, 2, 3, 7, 64, 10_000])
    func pieces(size: Int) throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE a SYSTEM "file:///etc/passwd" [
            <!ELEMENT a ANY> <!ATTLIST b value CDATA "9"> ]>
            <!-- <b/> --><a><b value="1 &lt; 2"/>text<![CDATA[<b/>]]><Record value='Ä'/><b/></a>
            """
        let expected = ["1a", "2b=1 < 2", "2Record=Ä", "2b=9"]
        #expect(try tags(text, pieces: size) == expected)
    }

    @Test("compares attributes byte by byte")
    func attributes() throws {
        var stream = XMLStream()
        var answers: [Bool] = []
        let text = Array(#"<a type="steps" typ="x"/>"#.utf8)
        _ = try stream.push(text.span) { element in
            answers = [
                element.attribute("type", is: "steps"), element.attribute("type", is: "step"),
                element.attribute("tÿpe", is: "steps"), element.attribute("typ") == "x",
                element.attribute("none") == nil,
            ]
            return true
        }
        #expect(answers == [true, false, false, true, true])
    }

    @Test("stops when it is told to, at a tag or at an end", arguments: [true, false])
    func stops(atEnd: Bool) throws {
        var stream = XMLStream()
        var (tags, ends) = (0, 0)
        let text = Array("<a><b/><b/><b/></a>".utf8)
        let goesOn = try stream.push(text.span) { _ in
            tags += 1
            return atEnd || tags < 2
        } ending: { _ in
            ends += 1
            return ends < 2
        }
        #expect(!goesOn && (atEnd ? ends : tags) == 2)
    }

    @Test(
        "names what is wrong",
        arguments: [
            ("", XMLError.Code.incomplete), ("<a>", .incomplete), ("<a><b", .incomplete),
            ("<a><![CDATA[", .incomplete), ("<a><b></a></b>", .malformed), ("no", .malformed),
            ("<a/><a/>", .malformed), ("<a b='\u{1}'/>", .malformed),
            ("<a b='1' b='2'/>", .malformed), ("<a>&none;</a>", .malformed),
            ("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", .entityDeclared),
            ("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>", .entityDeclared),
            ("<!DOCTYPE a [<!ENTITY % e SYSTEM 'http://host/x'> %e;]><a/>", .entityDeclared),
        ] as [(String, XMLError.Code)])
    func errors(_ text: String, _ expected: XMLError.Code) {
        #expect(refusal(text) == expected)
        #expect(refusal(text, pieces: 1) == expected)
    }

    @Test("expands no nested entities, not even a thousand millions")
    func billionLaughs() {
        var text = "<!DOCTYPE a [<!ENTITY l0 'ha'>"
        for level in 1...9 {
            let references = String(repeating: "&l\(level - 1);", count: 10)
            text += "<!ENTITY l\(level) '\(references)'>"
        }
        #expect(refusal(text + "]><a>&l9;</a>") == .entityDeclared)
        #expect(refusal(text + "]><a value='&l9;'/>") == .entityDeclared)
    }

    @Test("takes elements within each other up to the bound and no further")
    func depth() {
        let limits = XMLStream.Limits(depth: 3)
        #expect(throws: Never.self) {
            _ = try tags("<a><a><a/></a><a><a/></a></a>", limits: limits)
        }
        #expect(throws: XMLError.self) { _ = try tags("<a><a><a><a/></a></a></a>", limits: limits) }
        #expect(refusal(String(repeating: "<a>", count: 100_000), pieces: 4_096) == .tooDeep)
    }

    @Test("holds no tag that does not end", arguments: ["<a b='", "<!--", "<a ", "<?a "])
    func longTokens(_ beginning: String) {
        let text = beginning + String(repeating: "x", count: 3 * 1_024 * 1_024)
        #expect(refusal(text, pieces: 65_536) == .tokenTooLong)
    }

    @Test("holds no long head")
    func longHead() {
        let declaration = "<!ATTLIST a b0 CDATA '\(String(repeating: "x", count: 1_000))'>"
        let text = "<!DOCTYPE a [" + String(repeating: declaration, count: 3_000) + "]><a/>"
        #expect(refusal(text, pieces: 65_536) == .tokenTooLong)
    }

    @Test("holds no more names than the bound")
    func names() {
        let elements = (0..<2_000).map { "<n\($0)/>" }.joined()
        #expect(refusal("<a>\(elements)</a>") == .tooManyNames)
        let attributes = (0..<2_000).map { "<b c\($0)=''/>" }.joined()
        #expect(refusal("<a>\(attributes)</a>", pieces: 100) == .tooManyNames)
        #expect(refusal("<a>\(String(repeating: "<b c=''/>", count: 2_000))</a>") == nil)
    }

    @Test("reads a long text in pieces of any size")
    func longText() throws {
        let text = "<a>" + String(repeating: "x", count: 3 * 1_024 * 1_024) + "<b/></a>"
        #expect(try tags(text, pieces: 65_536) == ["1a", "2b"])
    }

    @Test("gives nothing more after an error")
    func afterError() {
        var stream = XMLStream()
        let text = Array("<a></b>".utf8)
        for _ in 0..<2 {
            #expect(throws: XMLError.self) { _ = try stream.push(text.span) { _ in true } }
        }
    }

    @Test("says what is wrong in one line with the place")
    func sentences() throws {
        let error = #expect(throws: XMLError.self) { _ = try tags("<a>\n</b>") }
        #expect(error?.line == 2)
        #expect(error?.description == "The XML is malformed in line 2: mismatched tag.")
    }
}
