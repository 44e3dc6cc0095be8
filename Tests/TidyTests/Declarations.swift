/// What Swift files declare, but for what is within functions.
struct Declarations: Sendable {
    /// Each declaration as a page links to it, `Type/member(label:)`, from each type it is in.
    private(set) var links: Set<String> = []
    /// The types that are in no other, with their files.
    private(set) var types: [String: [String]] = [:]

    init(_ files: [SourceTree.File]) {
        // A type, its extension, or what is no scope of others.
        let head =
            #/
            (?:@?[a-z]\w*(?:\(\w+\))?\ )*?
            (?:((?:struct|enum|class|actor|protocol|typealias)\ )|(extension\ )
            |(?:func|case|var|let)\ |(?=init\b|subscript\b))((?:\w|\.\w)+)
            /#
        for file in files {
            var scopes: [(indent: Int, name: String, isType: Bool)] = []
            for (index, line) in file.lines.enumerated() {
                let indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
                if let last = scopes.last, !last.isType, last.indent < indent { continue }
                guard let match = line.dropFirst(indent).prefixMatch(of: head) else { continue }
                let name = String(match.3)
                if indent == 0, match.1 != nil { types[name, default: []].append(file.path) }
                scopes.removeAll { $0.indent >= indent }
                scopes.append((indent, name, (match.1 ?? match.2) != nil))
                let labels = Self.labels(
                    line[match.range.upperBound...], file.lines[(index + 1)...].prefix(8))
                for start in scopes.indices {
                    let link = scopes[start...].map(\.name).joined(separator: ".")
                    links.formUnion([link, link + labels])
                }
            }
        }
    }

    /// The labels of the list of parameters that a line and the next begin with: `(of:_:)`.
    private static func labels(_ line: Substring, _ next: ArraySlice<String>) -> String {
        guard line.hasPrefix("(") || line.hasPrefix("<"), let start = line.firstIndex(of: "(")
        else { return "" }
        let rest = line.hasSuffix("{") ? "" : next.joined()
        var list = (line[start...].dropFirst() + rest).replacing("->", with: "")
        while let group = list.firstRange(of: #/[(\[{<][^()\[\]{}<>]*[)\]}>]/#) {
            list.removeSubrange(group)
        }
        let labels = list.prefix { $0 != ")" }.split(separator: ",").map { parameter in
            parameter.firstMatch(of: #/^ *(\w+).*:/#).map { "\($0.1):" } ?? "_:"
        }
        return "(\(labels.joined()))"
    }
}
