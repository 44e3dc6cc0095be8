/// Lines in a terminal that are replaced by others, in place.
package struct DrawnLines {
    private var count = 0

    /// Makes lines of which none is drawn yet.
    package init() {}

    /// What replaces the lines that were drawn before; no lines clear them.
    ///
    /// - Parameter lines: Each within the terminal's width. Those that it has no rows for are left
    ///   out, because the cursor cannot go back to them.
    /// - Returns: What to write, before anything else is drawn.
    package mutating func drawing(_ lines: [String]) -> [UInt8] {
        let lines = lines.prefix(max(Output.standard.size.rows - 1, 1))
        var text = count > 0 ? "\r\u{1B}[\(count)A" : "\r"
        for line in lines { text += line + "\u{1B}[K\r\n" }
        text += "\u{1B}[J"
        count = lines.count
        return Array(text.utf8)
    }
}
