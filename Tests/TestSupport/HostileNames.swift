/// Names that a stranger may have given to a device, and what is harmless in a terminal.
package enum HostileNames {
    /// Names of at most 248 bytes, as the Bluetooth specification allows them.
    package static let all = [
        String(repeating: "\u{1B}[2J\u{1B}]0;owned\u{7}", count: 16),
        "line\nbreak\r\u{2028}\u{2029}\u{85}end\t\u{B}\u{C}",
        "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}\u{200F}evil",
        "<script>alert('x')</script>&amp;\"",
        "=cmd|' /C calc'!A0”“״″❞〞",
        "\u{200B}\u{200C}\u{200D}\u{FEFF}\u{AD}zero",
        "\u{E000}\u{F8FF}private",
        "\u{301}\u{301}lone a" + String(repeating: "\u{301}", count: 100),
        "\u{9B}31m\u{90}C1\u{9C}",
        String(repeating: "心", count: 82),
        String(repeating: "x", count: 248),
        "\u{0}nul\u{7F}",
        "{\"a\":\"\\u001b\"}\\",
    ]

    /// Whether a line holds nothing that a terminal obeys, and no mark without its character.
    ///
    /// - Parameter line: The line.
    /// - Returns: Whether it is harmless.
    package static func isHarmless(_ line: String) -> Bool {
        var marks = 2
        for scalar in line.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                return false
            case .nonspacingMark, .enclosingMark, .spacingMark: marks += 1
            default: marks = 0
            }
            if marks > 2 { return false }
        }
        return true
    }
}
