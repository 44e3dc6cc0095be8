import Testing

import Text

@Suite("Lists for people")
struct TextTableTests {
    @Test("have columns as wide as what is in them")
    func table() {
        var table = TextTable(.words("name"), .numbers("steps"), .words(""))
        table.add("心拍計", "1,234", "")
        table.add("a", "5", "remembered")
        #expect(table.lines == ["name    steps", "心拍計  1,234", "a           5  remembered"])
    }
}
