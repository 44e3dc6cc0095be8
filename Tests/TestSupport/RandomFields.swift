package import Events

/// A coder that fills every field with a random value, the ends of its range more often than
/// others: so every kind, also one that is added later, has random events without more code.
package struct RandomFields: FieldCoder {
    /// What the values are drawn from.
    package var generator: SeededGenerator
    private let isModest: Bool

    /// Makes a coder whose values follow from the seed.
    ///
    /// - Parameters:
    ///   - seed: Any number.
    ///   - isModest: Whether most values are such as a walk gives: small numbers, short texts and
    ///     values, and devices that come again.
    package init(seed: UInt64, isModest: Bool = false) {
        generator = SeededGenerator(seed: seed)
        self.isModest = isModest
    }

    /// A random event of a known kind.
    package mutating func event(_ kind: EventKind) -> Event {
        // Some payloads refuse part of what their fields can hold; then another one is drawn.
        for _ in 0..<1_000 {
            do throws(FieldError) {
                if let event = try Event(kind: kind, fields: &self) { return event }
                preconditionFailure("\(kind) is no known kind.")
            } catch { continue }
        }
        preconditionFailure("No random values fit \(kind).")
    }

    /// True as often as not.
    package mutating func chance() -> Bool { Bool.random(using: &generator) }

    private mutating func number<Integer: FixedWidthInteger & Sendable>(
        in range: ClosedRange<Integer>
    ) -> Integer where Integer.Stride: SignedInteger {
        if isModest, generator.chance(75) {
            let least = range.contains(0) ? 0 : range.lowerBound
            let (most, isBeyond) = least.addingReportingOverflow(Integer(clamping: 5_000))
            let limit = isBeyond ? range.upperBound : min(most, range.upperBound)
            return Integer.random(in: least...limit, using: &generator)
        }
        return switch UInt8.random(in: 0..<6, using: &generator) {
        case 0: range.lowerBound
        case 1: range.upperBound
        case 2: min(range.upperBound, range.lowerBound.addingReportingOverflow(1).partialValue)
        case 3: range.contains(0) ? 0 : range.lowerBound
        default: Integer.random(in: range, using: &generator)
        }
    }

    private mutating func someBytes(limit: Int) -> [UInt8] {
        let limit = isModest ? min(limit, 20) : limit
        let count = chance() ? number(in: 0...limit) : number(in: 0...min(limit, 24))
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Sets a random value.
    package mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) { value = number(in: range) }

    /// Sets a random value.
    package mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) { value = number(in: range) }

    /// Sets a random value.
    package mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) { value = number(in: range) }

    /// Sets a random value.
    package mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        value = chance()
    }

    /// Sets a random value.
    package mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        let pieces = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\u{0}", "\n", "\u{1B}[31m", "\u{7F}", "\u{9B}",
            "é", "e\u{301}", "\u{2028}", "\u{202E}", "\u{FEFF}", "😀", "\u{10FFFF}", "\u{212A}",
        ]
        let target = number(in: 0...(isModest ? min(limit, 20) : limit))
        value = ""
        while let piece = pieces.randomElement(using: &generator),
            value.utf8.count + piece.utf8.count <= target
        { value += piece }
    }

    /// Sets a random value.
    package mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) { value = someBytes(limit: limit) }

    /// Sets a random value.
    package mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        value = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Sets a random value.
    package mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) { value = Code.allCases.randomElement(using: &generator) ?? value }

    /// Sets a random value.
    package mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError) {
        value = OpenCode(rawValue: chance() ? number(in: 0...6) : number(in: 0...255))
    }

    /// Sets a random value.
    package mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        let space = DeviceID.Space.allCases.randomElement(using: &generator) ?? .random
        // Of these there are forty: more than a section of a block lists.
        let address = isModest ? generator.below(10) << 40 | 7 : number(in: 0...UInt64.max)
        value = DeviceID(address: address, space: space)
    }

    /// Sets a random value.
    package mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        value = CivilDate(daysSinceEpoch: number(in: CivilDate.validDays)) ?? value
    }

    /// Sets a random value.
    package mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError)
    {
        isPresent = chance()
    }
}
