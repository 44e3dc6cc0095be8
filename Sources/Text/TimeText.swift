internal import Events

/// Instants as text, without a zone's rules: the caller gives the offset.
public enum TimeText {
    /// `2026-03-01T09:00:00.000Z`: UTC, as RFC 3339 writes it; clamped to the years 1 to 9999.
    ///
    /// - Parameter wallMilliseconds: UTC in milliseconds since 1970.
    /// - Returns: The text.
    public static func utc(_ wallMilliseconds: Int64) -> String {
        let parts = Parts(wallMilliseconds, offsetMinutes: 0)
        return "\(parts.date)T\(parts.clock).\(padded(parts.milliseconds, 3))Z"
    }

    /// `2026-03-01 10:00:00`: local time under an offset.
    ///
    /// - Parameters:
    ///   - wallMilliseconds: UTC in milliseconds since 1970.
    ///   - offsetMinutes: Minutes east of UTC.
    /// - Returns: The text.
    public static func local(_ wallMilliseconds: Int64, offsetMinutes: Int64) -> String {
        let parts = Parts(wallMilliseconds, offsetMinutes: offsetMinutes)
        return "\(parts.date) \(parts.clock)"
    }

    /// `+01:00`: how far local time is ahead of UTC.
    ///
    /// - Parameter minutes: Minutes east of UTC.
    /// - Returns: The text, as RFC 3339 writes an offset.
    public static func offset(_ minutes: Int64) -> String {
        let size = Int64(clamping: minutes.magnitude)
        return (minutes < 0 ? "-" : "+") + padded(size / 60, 2) + ":" + padded(size % 60, 2)
    }

    /// `1:02:03`, or `2:03` below an hour; fractions of a second are cut off.
    public static func duration(_ milliseconds: UInt64) -> String {
        let seconds = Int64(clamping: milliseconds / 1_000)
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        let tail = padded(seconds % 60, 2)
        return hours > 0 ? "\(hours):\(padded(minutes, 2)):\(tail)" : "\(minutes):\(tail)"
    }

    /// Parts of a time in whole seconds that add up to those of the time: whole seconds of what is
    /// cut off go to the parts that lose most.
    ///
    /// - Parameters:
    ///   - parts: The parts, in milliseconds.
    ///   - last: The one that is cut off in any case, for it has parts that are shown as well.
    /// - Returns: The parts in whole seconds, in milliseconds.
    public static func whole(_ parts: [UInt64], cutting last: Int? = nil) -> [UInt64] {
        let cut = parts.map { $0 % 1_000 }
        let order = parts.indices.filter { $0 != last }
            .sorted { (cut[$0], $1) > (cut[$1], $0) }
        let raised = order.prefix(Int(cut.reduce(0, +) / 1_000))
        return parts.indices.map { (parts[$0] / 1_000 + (raised.contains($0) ? 1 : 0)) * 1_000 }
    }

    private struct Parts {
        let date: CivilDate
        let clock: String
        let milliseconds: Int64

        init(_ wallMilliseconds: Int64, offsetMinutes: Int64) {
            let limit: Int64 = 1 << 53
            let local =
                min(max(wallMilliseconds, -limit), limit) + min(max(offsetMinutes, -1_440), 1_440)
                * 60_000
            date = CivilDate(wallMilliseconds: local, zoneOffsetMinutes: 0)
            let inDay = ((local % 86_400_000) + 86_400_000) % 86_400_000
            milliseconds = inDay % 1_000
            let seconds = inDay / 1_000
            clock =
                padded(seconds / 3_600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":"
                + padded(seconds % 60, 2)
        }
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        String(number).withLeadingZeros(width)
    }
}
