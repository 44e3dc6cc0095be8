/// Draws a screen over the one before: only what has changed is written.
///
/// The sequences are ECMA-48's and, for the alternate screen and the cursor, xterm's.
package struct ScreenDrawing: Sendable {
    /// What shows the alternate screen, empty and without a cursor.
    package static let begin = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
    /// What brings the normal screen and the cursor back.
    package static let end = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    private var drawn: [String] = []
    private var size: (columns: Int, rows: Int)?

    /// Makes a drawing of an empty screen.
    package init() {}

    /// Forgets what was drawn: the screen may hold anything.
    package mutating func reset() {
        size = nil
    }

    /// What makes a screen of the one before.
    ///
    /// - Parameters:
    ///   - lines: The lines from the top, each within the width.
    ///   - size: The size of the terminal in characters.
    /// - Returns: What to write; nothing if nothing has changed.
    package mutating func drawing(
        _ lines: [String], size: (columns: Int, rows: Int)
    ) -> [UInt8] {
        var text = ""
        if self.size?.columns != size.columns || self.size?.rows != size.rows {
            text = "\u{1B}[0m\u{1B}[2J"
            drawn = []
            self.size = size
        }
        let lines = Array(lines.prefix(size.rows))
        for row in 0..<max(lines.count, drawn.count) {
            let line = row < lines.count ? lines[row] : ""
            guard (row < drawn.count ? drawn[row] : "") != line else { continue }
            // Erased first: after a full line the cursor still stands on its last character.
            text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)"
        }
        drawn = lines
        return Array(text.utf8)
    }
}
