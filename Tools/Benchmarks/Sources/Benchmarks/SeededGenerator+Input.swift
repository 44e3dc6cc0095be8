import TestSupport

extension SeededGenerator {
    /// A number from 0 to `bound` - 1; `bound` is small, so that the bias is too.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number from -`limit` to `limit`.
    mutating func within(_ limit: Int) -> Int { below(2 * limit + 1) - limit }
}
