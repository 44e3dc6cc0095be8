import Testing

import Text

@Suite("Text in a terminal")
struct TextWidthTests {
    static let widths = [
        ("", 0), ("abc", 3), ("心拍計", 6), ("Cafe\u{301}", 4), ("▂▄▆ ♥", 5), ("🏃", 2), ("ﾊｰﾄ", 3),
        ("ｈ", 2), ("한국", 4),
    ]

    @Test("takes the columns that its scripts take", arguments: widths)
    func width(text: String, expected: Int) {
        #expect(columns(of: text) == expected)
        #expect(columns(of: padded(text, to: 10)) == 10)
        #expect(columns(of: cut(text, to: 3)) <= 3)
    }

    @Test("is broken at spaces, and a word that is too long is cut")
    func wrapping() {
        #expect(wrapped("", to: 10) == [])
        #expect(wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(wrapped("心拍計 心拍計", to: 9) == ["心拍計", "心拍計"])
        #expect(wrapped("a incomprehensible b", to: 6) == ["a", "incomprehensible", "b"])
    }

    @Test("keeps its colours when it is cut")
    func cutting() {
        #expect(cut("\u{1B}[31mred\u{1B}[0m and more", to: 5) == "\u{1B}[31mred\u{1B}[0m a")
        #expect(cut("心心", to: 3) == "心")
    }
}
