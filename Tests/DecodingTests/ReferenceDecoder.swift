import Decoding

/// A second, naive reading of the two service specifications.
///
/// It shares no code and no method with the module: it writes down a list of named fields with
/// their sizes, cuts the value along that list, and counts each piece up in base 256.
struct ReferenceDecoder: Sendable {
    typealias Field = MalformedMeasurement.Field

    /// A field and its size in bytes under given flags, eight binary digits; 0 if it is absent.
    struct Row: Sendable {
        var field: Field
        var size: @Sendable (_ flags: String) -> Int
    }

    /// What came out: the fields by name and the bytes after them, or the error.
    enum Outcome: Equatable {
        case fields([Field: Int], rest: [UInt8])
        case error(MalformedMeasurement)
    }

    var rows: [Row]

    /// HRS 1.0, 3.1.1, without the RR intervals, which are the rest.
    static let heartRate = ReferenceDecoder(rows: [
        Row(field: .heartRate) { flags in bit(0, of: flags) ? 2 : 1 },
        Row(field: .energyExpended) { flags in bit(3, of: flags) ? 2 : 0 },
    ])

    /// RSCS 1.0, 3.1.1.
    static let runningSpeedCadence = ReferenceDecoder(rows: [
        Row(field: .speed) { _ in 2 },
        Row(field: .cadence) { _ in 1 },
        Row(field: .strideLength) { flags in bit(0, of: flags) ? 2 : 0 },
        Row(field: .totalDistance) { flags in bit(1, of: flags) ? 4 : 0 },
    ])

    func decode(_ value: [UInt8]) -> Outcome {
        guard let flagsByte = value.first else {
            return .error(MalformedMeasurement(code: .truncated, field: .flags, offset: 0))
        }

        let flags = Self.binary(flagsByte)
        var rest = value.dropFirst()
        var fields = [Field.flags: Int(flagsByte)]
        for row in rows {
            let size = row.size(flags)
            guard size > 0 else { continue }
            let piece = rest.prefix(size)
            guard piece.count == size else {
                let end = value.count
                return .error(MalformedMeasurement(code: .truncated, field: row.field, offset: end))
            }
            fields[row.field] = Self.number(piece)
            rest = rest.dropFirst(size)
        }
        return .fields(fields, rest: Array(rest))
    }

    /// Bit `index` of eight binary digits; bit 0 is the last digit.
    static func bit(_ index: Int, of digits: String) -> Bool {
        digits.reversed()[index] == "1"
    }

    /// The eight binary digits of a byte.
    static func binary(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 2)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The number that bytes make, the first byte counting least.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { number, byte in number * 256 + Int(byte) }
    }
}
