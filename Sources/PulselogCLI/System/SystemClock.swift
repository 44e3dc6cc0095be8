internal import CClock
internal import DBus
internal import Events
internal import Glibc

/// The machine's clocks, zone and boot, as the events name them.
enum SystemClock {
    /// Both clocks, read together.
    struct Reading: Sendable {
        /// `CLOCK_BOOTTIME` in milliseconds.
        let bootMilliseconds: UInt64
        /// UTC in milliseconds since 1970.
        let wallMilliseconds: Int64
    }

    /// Reads both clocks together, as the bus thread does for what arrives there.
    static func now() -> Reading {
        let arrival = DBus.Arrival.now()
        return Reading(
            bootMilliseconds: arrival.bootMilliseconds, wallMilliseconds: arrival.wallMilliseconds)
    }

    /// 2024-01-01T00:00:00Z in milliseconds: a clock before it was never set.
    static let earliestTrustedMilliseconds: Int64 = 1_704_067_200_000

    /// Whether the kernel holds the wall clock for synchronized (adjtimex(2)) and it is not
    /// before 2024.
    static func isWallTrusted(_ reading: Reading) -> Bool {
        var status = timex()
        let state = adjtimex(&status)
        let isSynchronized = state >= 0 && status.status & STA_UNSYNC == 0
        return isSynchronized && reading.wallMilliseconds >= earliestTrustedMilliseconds
    }

    /// The local zone at an instant: minutes east of UTC and its name.
    static func zone(atWallMilliseconds wall: Int64) -> (offsetMinutes: Int64, name: String) {
        var seconds = time_t(wall / 1_000)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return (0, "UTC") }
        let name = local.tm_zone.map { String(cString: $0) } ?? ""
        return (Int64(local.tm_gmtoff) / 60, String(name.prefix(32)))
    }

    /// Minutes east of UTC of the local zone at an instant.
    static func offsetMinutes(atWallMilliseconds wall: Int64) -> Int64 {
        var seconds = time_t(wall / 1_000)
        var local = tm()
        return localtime_r(&seconds, &local) == nil ? 0 : Int64(local.tm_gmtoff) / 60
    }

    /// The kernel's identity of this boot: 16 bytes.
    ///
    /// - Throws: ``CommandFailure`` if the kernel does not tell.
    static func bootID() throws(CommandFailure) -> [UInt8] {
        let path = "/proc/sys/kernel/random/boot_id"
        let text = try SystemFile.read(path, limitBytes: 64)
        let digits = text.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "\n") }
            .compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 32 else {
            throw CommandFailure(.internalError, "\(path) is not as expected; is /proc mounted?")
        }
        return (0..<16).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }
    }
}
