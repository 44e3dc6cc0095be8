internal import Text

/// What is told to people as lines and to scripts as JSON, both made of the same value.
package protocol Answer {
    /// Lines for people, each with its end.
    var text: String { get }
    /// One object and a newline.
    var jsonLine: [UInt8] { get }
}

/// A text within 80 columns below what comes before its first line; each line with its end.
///
/// - Parameters:
///   - label: What comes before the first line.
///   - width: The columns that this takes, at least.
///   - indent: The columns before it.
///   - text: The text; without a word there is still a line.
/// - Returns: The lines.
package func labelled(
    _ label: String = "", to width: Int = 0, indent: Int, _ text: String
) -> String {
    let lines = wrapped(text, to: 80 - indent - width)
    return (lines.isEmpty ? [""] : lines).enumerated().map { index, line in
        String(repeating: " ", count: indent) + padded(index == 0 ? label : "", to: width) + line
            + "\n"
    }.joined()
}
