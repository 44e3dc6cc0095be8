/// The pages that a walk has reached, a bit for each.
///
/// It grows with what the walk has read, not with what the file claims to have.
struct PageSet {
    /// The bits of 64 pages each, by number, but for the last one.
    private var words: [UInt64: UInt64] = [:]
    /// The bits that were looked at last: pages follow each other mostly.
    private var last: (number: UInt64, bits: UInt64) = (0, 0)

    /// Adds pages that follow each other.
    ///
    /// - Returns: Whether none of them was there.
    mutating func insert(_ run: Range<UInt64>) -> Bool {
        var isNew = true
        var page = run.lowerBound
        while page < run.upperBound {
            let bit = page & 63
            let count = min(64 - bit, run.upperBound - page)
            let mask = (UInt64.max >> (64 - count)) << bit
            if last.number != page >> 6 {
                words[last.number] = last.bits
                last = (page >> 6, words[page >> 6] ?? 0)
            }
            if last.bits & mask != 0 { isNew = false }
            last.bits |= mask
            page += count
        }
        return isNew
    }

    /// The first of some pages that was not reached; nil if all were.
    func firstMissing(in pages: Range<UInt64>) -> UInt64? {
        var page = pages.lowerBound
        while page < pages.upperBound {
            let (number, bit) = (page >> 6, page & 63)
            let bits = number == last.number ? last.bits : words[number] ?? 0
            let rest = ~bits >> bit
            guard rest == 0 else {
                let first = page + UInt64(rest.trailingZeroBitCount)
                return first < pages.upperBound ? first : nil
            }
            page += 64 - bit
        }
        return nil
    }
}
