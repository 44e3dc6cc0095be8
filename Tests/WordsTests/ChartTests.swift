import Testing

@testable import Words

/// Pictures in a terminal.
@Suite("Plots and charts in a terminal")
struct ChartTests {
    @Test("fill rows to an eighth, show the lowest value, and nothing where nothing is")
    func plot() {
        let plot = Plot(values: [nil, 60, 70, 79, 80, 100], bottom: 60, rowHeight: 20)
        #expect(
            plot.lines(labelColumns: 4) { "\($0)" } == [
                "     │      ", " 100 ┤      ", "     │     █", "     │ ▁▄███",
            ])
        let staircase = Plot(values: [nil, 1_000, 2_400], bottom: 0, rowHeight: 1_000, line: 2_000)
        #expect(
            staircase.lines(labelColumns: 5) { "\($0)" } == [
                "      │   ", " 2000 ┤╌╌▃", "      │  █", "      │ ██",
            ])
    }

    @Test("have rows of 1, 2 or 5, or so many tens and hundreds")
    func heights() {
        let vectors: [(most: UInt64, height: UInt64)] = [
            (0, 1), (8, 1), (9, 2), (17, 2), (44, 5), (45, 10), (8_421, 1_000), (12_000, 2_000),
            (47_973, 10_000),
        ]
        for (most, height) in vectors {
            #expect(Plot.rowHeight(for: most, rows: 9) == height, "\(most)")
        }
        #expect(Plot.rowHeight(for: .max, rows: 9) > 0)
    }

    @Test("have labels that fit, the more important ones first")
    func axis() {
        #expect(
            Plot.axis([(0, "09:00"), (3, "paused"), (8, "10:00")], columns: 14) == "09:00   10:00 ")
        #expect(Plot.axis([(10, "10:00")], columns: 12) == "            ")
    }
}
