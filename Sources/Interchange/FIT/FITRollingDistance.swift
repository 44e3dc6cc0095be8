/// A distance of which each record has the last twelve bits, in 1/16 m: field 8 of FIT's records
/// (`compressed_speed_distance`), with a speed in cm/s before it.
struct FITRollingDistance {
    /// After so many sixteenths it begins at 0 again: 256 m.
    private static let turn: Int64 = 4_096
    /// A longer time without a record is a pause.
    private static let gapMilliseconds: Int64 = 60_000

    private var last: (sixteenths: Int64, at: Int64)?

    /// The timer runs again: nothing was walked before since the last record.
    mutating func resume(at now: Int64) { last?.at = now }

    /// Takes a record's three bytes.
    ///
    /// - Returns: The distance in millimetres; nil if it has none.
    mutating func take(_ bytes: ArraySlice<UInt8>, at now: Int64) -> UInt64? {
        guard bytes.count == 3, bytes.contains(where: { $0 != 255 }) else { return nil }
        let number = bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let (speed, low) = (number & 0xFFF, number >> 12)
        guard let last else {
            self.last = (low, now)
            return UInt64(low * 1_000 / 16)
        }
        var grown = (low - last.sixteenths) & (Self.turn - 1)
        // Whole turns while nothing was recorded are known by the speed.
        let passed = now - last.at <= Self.gapMilliseconds ? max(0, now - last.at) : 0
        let expected = speed * passed * 16 / 100_000
        grown += max(0, (expected - grown + Self.turn / 2) / Self.turn) * Self.turn
        self.last = (last.sixteenths + grown, max(now, last.at))
        return UInt64(last.sixteenths + grown) * 1_000 / 16
    }
}
