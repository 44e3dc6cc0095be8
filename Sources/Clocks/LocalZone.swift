internal import Glibc

/// The zone of this machine, as tzset(3) read it last.
public enum LocalZone {
    /// The most characters of a zone's name.
    private static let nameLimit = 32

    /// The zone at an instant.
    ///
    /// - Parameter wall: UTC in milliseconds since 1970.
    /// - Returns: Minutes east of UTC, and the zone's name; UTC for an instant that no calendar
    ///   holds, and where there is no data of the zone: what the system calls it then is no zone.
    public static func zone(
        atWallMilliseconds wall: Int64
    ) -> (offsetMinutes: Int64, name: String) {
        var seconds = time_t(wall / 1_000)
        var local = unsafe tm()
        guard unknownName == nil, unsafe localtime_r(&seconds, &local) != nil else {
            return (0, "UTC")
        }
        let name = unsafe local.tm_zone.map { unsafe String(cString: $0) } ?? ""
        return (Int64(unsafe local.tm_gmtoff) / 60, String(name.prefix(nameLimit)))
    }

    /// Minutes east of UTC at an instant.
    ///
    /// - Parameter wall: UTC in milliseconds since 1970.
    /// - Returns: The offset; 0 for an instant that no calendar holds.
    public static func offsetMinutes(atWallMilliseconds wall: Int64) -> Int64 {
        zone(atWallMilliseconds: wall).offsetMinutes
    }
}
