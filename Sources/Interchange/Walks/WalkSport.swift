/// What was not done on foot, as far as a file says so.
package enum WalkSport: CaseIterable, Sendable {
    /// On wheels, by foot or by motor.
    case ride
    /// In water.
    case swim
    /// Anything else that is no walk.
    case other

    /// What it is called, in the singular.
    package var word: String {
        switch self {
        case .ride: "ride"
        case .swim: "swim"
        case .other: "other workout"
        }
    }

    /// Takes a name such as `VirtualRide` or `open_water_swimming`; nil for one on foot, or
    /// unknown.
    init?(_ name: String) {
        let name = name.lowercased()
        guard let found = Self.parts.first(where: { name.contains($0.part) }) else { return nil }
        self = found.sport
    }

    private static let parts: [(part: String, sport: Self)] = [
        ("horse", .other), ("cycl", .ride), ("bik", .ride), ("ride", .ride), ("swim", .swim),
        ("skiing", .other), ("skat", .other), ("snowboard", .other), ("rowing", .other),
        ("paddl", .other), ("kayak", .other), ("canoe", .other), ("sailing", .other),
        ("surf", .other), ("driving", .other), ("motor", .ride), ("yoga", .other),
        ("strength", .other),
    ]

    /// Takes the type of a track in GPX: a name, or one of Strava's numbers, of which 1 is a ride,
    /// 17 a virtual ride, and 9 and 10 are on foot; nil for one on foot, or unknown.
    init?(gpx type: String, by creator: String?) {
        let isStravas = creator?.hasPrefix("StravaGPX") == true
        self.init(isStravas && ["1", "17"].contains(type.withoutSpace) ? "ride" : type)
    }

    /// Takes a sport of FIT (Garmin's profile, `sport`); nil for one on foot, or unknown.
    init?(fit number: Int64) {
        switch number {
        case 2, 21, 22, 24: self = .ride
        case 5: self = .swim
        // From cross-country skiing to rowing, and what has a board, a boat, wings or a horse.
        case 6...9, 12...15, 19, 20, 23, 26, 27, 30...34, 36...44, 47, 53: self = .other
        default: return nil
        }
    }

    /// Takes a kind of Gadgetbridge (`ActivityKind`); nil for one on foot, or
    /// unknown.
    init?(gadgetbridge kind: Int64) {
        switch kind {
        case 0x80, 0x800, 0x0400_0002...0x0400_0005, 0x0400_005F, 0x0400_00B3, 0x0400_00B9:
            self = .ride
        case 0x40, 0x400, 0x0400_000A, 0x0400_00B7, 0x0400_00C3: self = .swim
        // Walking, running and hiking, inside, outside, on a treadmill, on snow and on mountains.
        case 0x10, 0x20, 0x100, 0x40_0000, 0x0400_0001, 0x0400_0012, 0x0400_0017, 0x0400_0019,
            0x0400_002E, 0x0400_0067, 0x0400_00B0...0x0400_00B2, 0x0400_00E2, 0x0400_0000:
            return nil
        case 0x1000...0x0080_0000, 0x0400_0001...0x0400_00C3: self = .other
        default: return nil
        }
    }
}
