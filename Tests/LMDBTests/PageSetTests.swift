import TestSelection
import TestSupport
import Testing

@testable import LMDB

@Suite("Page set")
struct PageSetTests {
    @Test("tells at once what is read a second time: a long value as well as a page")
    func readTwice() {
        var pages = PageSet()
        let runs: [Range<UInt64>] = [2..<3, 3..<1_000, 3..<1_000, 3..<4, 2..<3]
        let areNew = runs.map { pages.insert($0) }
        #expect(areNew == [true, true, false, false, false])
    }

    @Test("finds the first page that was not reached, in any order")
    func missing() {
        var pages = PageSet()
        let runs: [Range<UInt64>] = [9..<10, 2..<5, 8..<9, 5..<8]
        let areNew = runs.map { pages.insert($0) }
        #expect(areNew == [true, true, true, true])
        #expect(pages.firstMissing(in: 2..<10) == nil)
        #expect(pages.firstMissing(in: 2..<11) == 10)
    }

    @Test("says the same as a count of each page", arguments: sample(0..<200 as Range<UInt64>, 20))
    func model(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var pages = PageSet()
        var counts: [UInt64: Int] = [:]
        // A cover of all pages in some order, of which something is left out or comes again.
        var runs: [Range<UInt64>] = []
        var next: UInt64 = 2
        while next < 3_000 {
            let end = min(3_000, next + 1 + random.below(random.below(4) == 0 ? 700 : 5))
            runs.append(next..<end)
            next = end
        }
        runs.shuffle(using: &random)
        if random.below(3) == 0 { runs.removeLast() }
        if random.below(3) == 0 {
            let first = 2 + random.below(2_900)
            runs.append(first..<first + 1 + random.below(90))
        }
        for run in runs {
            #expect(pages.insert(run) == run.allSatisfy { counts[$0] == nil })
            for page in run { counts[page, default: 0] += 1 }
        }
        let missing = (2..<3_000 as Range<UInt64>).first { counts[$0] == nil }
        #expect(pages.firstMissing(in: 2..<3_000) == missing)
    }
}
