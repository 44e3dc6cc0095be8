internal import Events

/// The clocks of a capture, of which it has one: UTC, which may be wrong and may be set.
///
/// It is known to have been set where it goes back, and where it comes from before 2024 to a later
/// time. The other clock stands still there.
struct CaptureClock {
    /// More than that is no disorder of packets: the clock was set back.
    private static let disorderMilliseconds: Int64 = 2_000
    private static let limit: Int64 = 1 << 53 - 1
    /// 2024-01-01T00:00:00Z: a clock before it was perhaps never set.
    private static let year2024: Int64 = 1_704_067_200_000

    private var wall: Int64
    /// The wall clock's time that is 0 on the other clock.
    private var origin: Int64?
    /// The latest time of the other clock.
    private var latest: Int64 = 0
    /// What seconds count from as long as no packet has had a time.
    private let floor: Int64
    /// Whether any packet has had a time.
    private(set) var isSet = false

    /// - Parameter began: UTC that seconds count from as long as no packet has a time.
    init(beganAtMilliseconds began: Int64 = 0) {
        wall = began
        floor = began
    }

    /// Sets the clocks to a packet's time.
    ///
    /// - Parameter microseconds: UTC since 1970; nil leaves the clocks as they are.
    mutating func set(_ microseconds: Int64?) {
        guard let microseconds else { return }
        isSet = true
        let (quotient, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        let before = wall
        wall = min(max(rest < 0 ? quotient - 1 : quotient, -Self.limit), Self.limit)
        let elapsed = wall - (origin ?? wall)
        if origin == nil || elapsed < latest - Self.disorderMilliseconds
            || before < Self.year2024 && wall >= Self.year2024
        {
            origin = wall - latest
        }
        latest = min(max(latest, wall - (origin ?? wall)), Self.limit)
    }

    /// Lets a second pass, as long as no packet has had a time: straps send a value each second.
    mutating func assumeSecond() {
        guard !isSet else { return }
        wall = min(wall + 1_000, Self.limit)
        latest = wall - floor
        origin = floor
    }

    /// When the packet was captured.
    var stamp: Stamp {
        let elapsed = min(max(wall - (origin ?? wall), 0), Self.limit)
        return Stamp(
            bootMilliseconds: UInt64(elapsed), wallMilliseconds: wall, bootNumber: 0)
    }

    /// Whether the wall clock is to be believed.
    var flags: EventFlags { wall >= Self.year2024 ? .wallTrusted : [] }
}
