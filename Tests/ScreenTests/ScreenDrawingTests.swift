import Terminal
import TestSupport
import Testing

@Suite("A drawing of a screen")
struct ScreenDrawingTests {
    @Test("shows the lines, whatever was drawn before", arguments: 0..<20)
    func shows(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var drawing = ScreenDrawing()
        var (size, glass) = ((columns: 20, rows: 6), Glass(columns: 20, rows: 6))
        for _ in 0..<60 {
            if random.chance(5) {
                size = (Int(5 + random.below(30)), Int(1 + random.below(9)))
                glass = Glass(columns: size.columns, rows: size.rows)
            }
            let lines = (0..<random.below(8)).map { _ in
                String(
                    repeating: "x♥1".randomElement(using: &random) ?? "x",
                    count: Int(random.below(UInt64(size.columns) + 1)))
            }
            glass.write(drawing.drawing(lines, size: size))
            let seen = lines.prefix(size.rows)
            #expect(Array(glass.lines.prefix(seen.count)) == Array(seen))
            #expect(glass.lines.dropFirst(seen.count).allSatisfy { $0.isEmpty })
            #expect(glass.complaints.isEmpty)
        }
    }

    @Test("writes what has changed, and nothing if nothing has")
    func difference() {
        var drawing = ScreenDrawing()
        let size = (columns: 10, rows: 3)
        _ = drawing.drawing(["one", "two", "three"], size: size)
        #expect(drawing.drawing(["one", "two", "three"], size: size) == [])
        let bytes = drawing.drawing(["one", "2", "three"], size: size)
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[2;1H\u{1B}[K2")
        drawing.reset()
        #expect(drawing.drawing(["one", "2", "three"], size: size).count > bytes.count)
    }
}
