import Testing

@testable import LMDB

@Suite("Page set")
struct PageSetTests {
    @Test("tells at once what is read a second time: a long value as well as a page")
    func readTwice() {
        var pages = PageSet()
        let runs: [Range<UInt64>] = [2..<3, 3..<1_000, 3..<1_000, 3..<4, 2..<3]
        let areNew = runs.map { pages.insert(read: $0) }
        #expect(areNew == [true, true, false, false, false])
    }

    @Test("finds the first page that was reached twice, or not at all, in any order")
    func faults() {
        var pages = PageSet()
        for run in [9..<10, 2..<5, 8..<9, 5..<8] as [Range<UInt64>] { pages.insert(run) }
        #expect(pages.firstFault(in: 2..<10) == nil)
        #expect(pages.firstFault(in: 2..<11) == .missing(10))
        pages.insert(4..<6)
        #expect(pages.firstFault(in: 2..<10) == .twice(4))
    }
}
