extension String {
    /// The text, cut at a scalar so that it takes at most `limit` bytes of UTF-8.
    public func fitting(_ limit: Int) -> String {
        var result = ""
        var count = 0
        for scalar in unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= limit else { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    /// A number's digits, with zeros before them where they are fewer than `width`.
    package func withLeadingZeros(_ width: Int) -> String {
        String(repeating: "0", count: max(0, width - utf8.count)) + self
    }
}

/// A name of the code as words: `sessionStarted` becomes `session started`.
public func inWords(_ name: String) -> String {
    name.reduce(into: "") { text, character in
        text += character.isUppercase ? " " + character.lowercased() : String(character)
    }
}
