/// The pages that a walk has reached.
struct PageSet {
    private var words: [UInt64]
    private(set) var count: UInt64 = 0

    /// Makes an empty set of pages with numbers up to `last`.
    init(upTo last: UInt64) {
        words = [UInt64](repeating: 0, count: Int(last / 64) + 1)
    }

    /// Adds a page.
    ///
    /// - Returns: Whether it was not there yet.
    mutating func insert(_ number: UInt64) -> Bool {
        let bit = UInt64(1) << (number % 64)
        let index = Int(number / 64)
        guard words[index] & bit == 0 else { return false }
        words[index] |= bit
        count += 1
        return true
    }
}
