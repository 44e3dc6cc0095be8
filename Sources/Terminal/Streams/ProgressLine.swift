/// How far a long work is, drawn on one line of a terminal's standard error; elsewhere nothing.
package struct ProgressLine {
    private static let barColumns = 40

    private let isShown = Output.standardError.isTerminal
    private var shown = ""

    /// Makes a line that shows nothing yet.
    package init() {}

    /// Draws the line, if it is another one.
    ///
    /// - Parameters:
    ///   - words: What is done, at most 30 columns for a line of 80.
    ///   - percent: How much of it, 0 to 100.
    package mutating func show(_ words: String, percent: Int) {
        guard isShown else { return }
        let percent = min(100, percent)
        var line = "\(words): \(percent) %"
        if Output.standardError.size.columns >= 80 {
            let columns = percent * Self.barColumns / 100
            let bar = String(repeating: "#", count: columns)
            let rest = String(repeating: ".", count: Self.barColumns - columns)
            line = "\(words) [\(bar)\(rest)] \(percent) %"
        }
        if line != shown { Output.standardError.write("\r\u{1B}[K\(line)") }
        shown = line
    }

    /// Takes away what was drawn.
    package mutating func clear() {
        if !shown.isEmpty { Output.standardError.write("\r\u{1B}[K") }
        shown = ""
    }
}
