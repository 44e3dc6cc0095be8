/// The pages that a walk has reached, a bit for each.
///
/// It grows with what the walk has read, not with what the file claims to have.
struct PageSet {
    /// A page that was not reached exactly once.
    enum Fault: Equatable {
        case missing(UInt64)
        case twice(UInt64)
    }

    /// How many words of 64 pages stand together.
    private static let stretchWords: UInt64 = 8

    /// The bits of all stretches of which a page was reached, in the order in which they were.
    private var words: [UInt64] = []
    /// Where the words of a stretch begin.
    private var places: [UInt64: Int] = [:]
    /// The stretch that was looked for last, and its place: pages follow each other mostly.
    private var last: (stretch: UInt64, place: Int) = (.max, 0)
    /// The least page that was reached a second time.
    private var repeated: UInt64?

    /// Adds pages that follow each other.
    ///
    /// - Returns: Whether none of them was there.
    @discardableResult
    mutating func insert(_ run: Range<UInt64>) -> Bool {
        var isNew = true
        var page = run.lowerBound
        while page < run.upperBound {
            let bit = page & 63
            let count = min(64 - bit, run.upperBound - page)
            let mask = (UInt64.max >> (64 - count)) << bit
            let index = index(of: page >> 6)
            let both = words[index] & mask
            if both != 0 {
                isNew = false
                let first = page - bit + UInt64(both.trailingZeroBitCount)
                repeated = min(repeated ?? first, first)
            }
            words[index] |= mask
            page += count
        }
        return isNew
    }

    /// The first fault among some pages; all that were reached are among them.
    func firstFault(in pages: Range<UInt64>) -> Fault? {
        let missing = firstMissing(in: pages)
        guard let repeated, repeated < missing ?? .max else { return missing.map { .missing($0) } }
        return .twice(repeated)
    }

    private func firstMissing(in pages: Range<UInt64>) -> UInt64? {
        var page = pages.lowerBound
        while page < pages.upperBound {
            let (word, bit) = (page >> 6, page & 63)
            let rest = places[word / Self.stretchWords].map {
                ~words[$0 + Int(word % Self.stretchWords)] >> bit
            }
            guard rest == 0 else {
                let first = page + UInt64((rest ?? 1).trailingZeroBitCount)
                return first < pages.upperBound ? first : nil
            }
            page += 64 - bit
        }
        return nil
    }

    /// Where the word of that number stands; it is made if need be.
    private mutating func index(of word: UInt64) -> Int {
        let stretch = word / Self.stretchWords
        if last.stretch != stretch {
            last = (stretch, places[stretch] ?? words.count)
            if last.place == words.count {
                places[stretch] = last.place
                words += repeatElement(0, count: Int(Self.stretchWords))
            }
        }
        return last.place + Int(word % Self.stretchWords)
    }
}
