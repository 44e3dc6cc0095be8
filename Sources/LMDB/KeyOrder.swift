/// The order of the keys of a tree, followed by a walk from the least to the greatest.
struct KeyOrder {
    /// Whether keys are numbers in the byte order of the machine, as in the free list.
    private let isNumeric: Bool
    /// What the next key must be above; nil before the first.
    private var last: [UInt8]?
    /// Whether the next key may also be equal, as the first key below a branch key may.
    private var allowsSame = false

    init(isNumeric: Bool) {
        self.isNumeric = isNumeric
    }

    /// Moves past all keys of a leaf.
    ///
    /// - Returns: Whether they are in order.
    mutating func advance(overLeaf page: TreePage) -> Bool {
        guard follows(page, 0) else { return false }
        for index in 1..<max(1, page.nodes.count) {
            guard
                precedes(
                    page.content.bytes.span.extracting(page.key(index - 1)),
                    page.content.bytes.span.extracting(page.key(index)))
            else { return false }
        }
        last = Array(page.content.bytes[page.key(page.nodes.count - 1)])
        allowsSame = false
        return true
    }

    /// Moves past a key of a branch page, which the first key below it may be equal to.
    ///
    /// - Returns: Whether it is in order.
    mutating func advance(overBranch page: TreePage, _ index: Int) -> Bool {
        guard follows(page, index) else { return false }
        last = Array(page.content.bytes[page.key(index)])
        allowsSame = true
        return true
    }

    private func follows(_ page: TreePage, _ index: Int) -> Bool {
        guard let last else { return true }
        let key = page.content.bytes.span.extracting(page.key(index))
        return precedes(last.span, key) || (allowsSame && !precedes(key, last.span))
    }

    private func precedes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        if left.count == 8, right.count == 8 {
            let (left, right) = (Self.number(left), Self.number(right))
            return isNumeric ? left < right : left.bigEndian < right.bigEndian
        }
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index]
        }
        return left.count < right.count
    }

    private static func number(_ key: Span<UInt8>) -> UInt64 {
        unsafe key.bytes.unsafeLoadUnaligned(as: UInt64.self)
    }
}
