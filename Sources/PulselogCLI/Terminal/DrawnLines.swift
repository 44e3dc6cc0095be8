/// Lines in a terminal that are replaced by others, in place.
struct DrawnLines {
    private var count = 0

    /// Replaces what was drawn before; no lines clear it.
    ///
    /// - Parameter lines: Each within the terminal's width. Those that it has no rows for are left
    ///   out, because the cursor cannot go back to them.
    mutating func draw(_ lines: [String]) {
        let lines = lines.prefix(max(Output.standard.size.rows - 1, 1))
        var text = count > 0 ? "\r\u{1B}[\(count)A" : "\r"
        for line in lines { text += line + "\u{1B}[K\r\n" }
        text += "\u{1B}[J"
        count = lines.count
        // A terminal that went away ends nothing here; SIGHUP tells.
        _ = Output.standard.offer(Array(text.utf8))
    }
}
