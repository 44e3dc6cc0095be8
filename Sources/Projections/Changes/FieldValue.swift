/// What a field of a state says, as people and scripts read it.
package enum FieldValue: Hashable, Sendable {
    /// Nothing: what can be absent is.
    case absent
    /// A whole number, negative or not.
    case signed(Int64)
    /// A whole number.
    case unsigned(UInt64)
    /// A number with two decimals, by its hundredths.
    case hundredths(UInt64)
    /// Whether something holds.
    case flag(Bool)
    /// Anything else in its own words: a date, a device, the name of a case.
    case text(String)
}

extension FieldValue: CustomStringConvertible {
    /// The value in one line; a stranger's text is left as it came.
    package var description: String {
        switch self {
        case .absent: "none"
        case .signed(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .hundredths(let number): Hundredths(value: number).description
        case .flag(let isTrue): isTrue ? "yes" : "no"
        case .text(let text): text
        }
    }

    /// How much more another value is, if both are numbers of one kind; else nothing.
    package func difference(to other: FieldValue) -> FieldValue {
        if case .hundredths(let before) = self, case .hundredths(let after) = other {
            let words = Hundredths(value: max(before, after) - min(before, after)).description
            return .text((after < before ? "-" : "+") + words)
        }
        guard let before = number, let after = other.number else { return .absent }
        let (difference, overflow) = after.subtractingReportingOverflow(before)
        return overflow ? .absent : .signed(difference)
    }

    /// The whole number, if it is one that 64 bits with a sign can hold.
    private var number: Int64? {
        switch self {
        case .signed(let number): number
        case .unsigned(let number): Int64(exactly: number)
        case .absent, .hundredths, .flag, .text: nil
        }
    }
}
