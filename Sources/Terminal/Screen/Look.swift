/// How a terminal shows text: what it can, and what its user wants.
package struct Look: Hashable, Sendable {
    /// Whether there are colours; sixteen are enough.
    package var isColored: Bool
    /// Whether it shows characters beyond ASCII.
    package var hasUnicode: Bool
    /// Whether the heart beats, which only colours show; else it stands still, and bright.
    package var beats: Bool

    /// A heart that beats.
    var heart: String { hasUnicode ? "♥" : "#" }
    /// A heart that waits.
    var outlineHeart: String { hasUnicode ? "♡" : "o" }
    /// Something is recorded.
    var running: String { hasUnicode ? "●" : "*" }
    /// Nothing is recorded yet.
    var ready: String { hasUnicode ? "○" : "o" }
    /// The session is paused.
    var paused: String { hasUnicode ? "‖" : "=" }
    /// Nothing to tell.
    var dash: String { hasUnicode ? "–" : "-" }
    /// The full part of a progress bar, and the empty one.
    var bar: (full: String, empty: String) { hasUnicode ? ("█", "░") : ("#", ".") }
    /// An eighth of a cell's height, two, and so on.
    var eighths: [String] {
        hasUnicode
            ? ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] : [".", ".", ":", ":", "|", "|", "#", "#"]
    }
    /// An axis: next to a row, and at its corner.
    var axis: (side: String, corner: String) { hasUnicode ? ("┤", "└") : ("|", "+") }
    /// What is around a label on the axis.
    var dot: String { hasUnicode ? "·" : "." }
}
