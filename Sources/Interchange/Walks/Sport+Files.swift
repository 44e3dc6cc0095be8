internal import Events

/// What files call sports, and their numbers for them.
extension Sport {
    /// Takes a name such as `VirtualRide` or `open_water_swimming`; nil for one that is unknown.
    init?(named name: String) {
        var (words, wasSmall) = (" ", false)
        for character in name {
            if wasSmall, character.isUppercase { words += " " }
            wasSmall = character.isLowercase
            words += character.isLetter ? character.lowercased() : " "
        }
        func has(_ stem: String) -> Bool {
            words.ranges(of: stem).contains { range in
                ["", "e", "s", "es", "er", "ing", "ging", "king", "ming", "ning"].contains(
                    words[range.upperBound...].prefix { $0 != " " })
            }
        }
        guard let found = Self.stems.first(where: { $0.value.contains(where: has) })
        else { return nil }
        self = found.key
    }

    /// What words end with before such endings, and those after a blank are: no ride is a stride.
    private static let stems: KeyValuePairs<Self, [String]> = [
        .other: ["horse", "horseback"],
        .ride: ["cycl", "cyclocross", "bik", "mtb", " rid", "motorsport"], .swim: ["swim"],
        .other: [
            "ski", "skat", "board", " row", "paddl", "kayak", "canoe", "sail", "boat", "surf",
            "glid", "fly", "driv", "climb", "golf", "tennis", "elliptical", "yoga", "pilates",
            "strength",
        ], .treadmill: ["treadmill"], .run: ["run", "jog"],
        .hike: ["hik", "trek", "mountaineer"], .walk: ["walk"],
        .other: [
            "hiit", "interval", "ball", "soccer", "hockey", "rugby", "cricket", "lacrosse",
            "badminton", "squash", "padel", "crossfit", "weight", "gym", "cardio", "aerobic",
            "stair", "danc", " box", "martial", "wrestl", "fenc", " div", "raft", "spin",
        ],
    ]

    /// Strava's numbers for the type of a track.
    private static let numbersOfStrava: [String: Self] = [
        "1": .ride, "4": .hike, "9": .run, "10": .walk, "17": .ride,
    ]

    /// Takes the type of a track in GPX: a name, or one of Strava's numbers; nil if it is unknown.
    init?(gpx type: String, by creator: String?) {
        if creator?.hasPrefix("StravaGPX") == true,
            let sport = Self.numbersOfStrava[type.withoutSpace]
        {
            self = sport
        } else {
            self.init(named: type)
        }
    }

    /// Takes a sport and a part of it of FIT (Garmin's profile, `sport` and `sub_sport`); nil if it
    /// is unknown.
    init?(fit number: Int64, _ part: Int64?) {
        // Of training (10) and fitness equipment (4) only the part says what it was.
        switch (number == 10 ? 4 : number, part) {
        case (0...1, 1), (4, 1), (11, 1): self = .treadmill
        case (1, _), (4, 45): self = .run
        case (11, _), (4, 27): self = .walk
        case (16...17, _): self = .hike
        case (2, _), (21, _), (22, _), (24, _), (4, 5), (4, 6): self = .ride
        case (5, _): self = .swim
        // From cross-country skiing to rowing, what has a ball, a board, a boat, wings or a horse,
        // and from boxing to canoeing; neither geocaching nor wheelchairs.
        case (6...9, _), (12...15, _), (19...20, _), (23, _), (25...27, _), (30...34, _),
            (36...44, _), (47...49, _), (53, _), (56, _), (58...59, _), (62...64, _), (67, _),
            (69...80, _), (82...86, _), (88, _):
            self = .other
        // From rowing and an elliptical to strength, yoga, pilates, climbing and intervals.
        case (4, let part?) where [14, 15, 19, 20, 25, 26, 43, 44, 62, 68, 69, 70].contains(part):
            self = .other
        default: return nil
        }
    }

    /// The number of FIT, and of a part of it; 0 if it has none.
    var fit: (sport: Int, part: Int) {
        switch self {
        case .walk: (11, 0)
        case .hike: (17, 0)
        case .run: (1, 0)
        case .treadmill: (1, 1)
        case .ride: (2, 0)
        case .swim: (5, 0)
        case .other: (0, 0)
        }
    }

    /// The words of Garmin's and Strava's GPX.
    var gpx: String {
        switch self {
        case .walk: "walking"
        case .hike: "hiking"
        case .run: "running"
        case .treadmill: "treadmill_running"
        case .ride: "cycling"
        case .swim: "swimming"
        case .other: "other"
        }
    }

    /// What TCX calls it: of walking the schema knows nothing.
    var tcx: String {
        switch self {
        case .run, .treadmill: "Running"
        case .ride: "Biking"
        case .walk, .hike, .swim, .other: "Other"
        }
    }

    /// Takes a kind of Gadgetbridge (`ActivityKind`); nil if it is unknown.
    init?(gadgetbridge kind: Int64) {
        switch kind {
        case 0x80, 0x800, 0x0400_0002...0x0400_0005, 0x0400_005F, 0x0400_00B3, 0x0400_00B9:
            self = .ride
        case 0x40, 0x400, 0x0400_000A, 0x0400_00B7, 0x0400_00C3: self = .swim
        case 0x10: self = .run
        case 0x20: self = .walk
        case 0x100: self = .treadmill
        // Walking, running and hiking, inside, outside, on a treadmill, on snow and on mountains.
        case 0x40_0000, 0x0400_0001, 0x0400_0012, 0x0400_0017, 0x0400_0019, 0x0400_002E,
            0x0400_0067, 0x0400_00B0...0x0400_00B2, 0x0400_00E2, 0x0400_0000:
            return nil
        case 0x1000...0x0080_0000, 0x0400_0001...0x0400_00C3: self = .other
        default: return nil
        }
    }
}

/// What files call what ends a lap.
extension LapCause {
    /// Of Garmin's profile, `lap_trigger`.
    private static let fit: [Self] = [
        .byHand, .byTime, .byDistance, .byPlace, .byPlace, .byPlace, .byPlace, .unnamed,
        .byEquipment,
    ]

    /// Of TCX; what it does not name is by hand.
    private static let tcx: KeyValuePairs<String, Self> = [
        "Manual": .byHand, "Distance": .byDistance, "Location": .byPlace, "Time": .byTime,
        "HeartRate": .byHeartRate,
    ]

    /// Takes a name of TCX; nil if it is unknown.
    init?(tcx name: String) {
        guard let cause = Self.tcx.first(where: { $0.key == name })?.value else { return nil }
        self = cause
    }

    /// Its name in TCX.
    var tcx: String { Self.tcx.first { $0.value == self }?.key ?? "Manual" }

    /// Takes a number of FIT.
    init(fit number: Int64) {
        self = Self.fit.indices.contains(Int(number)) ? Self.fit[Int(number)] : .unnamed
    }

    /// Its number in FIT; that of a lap by hand if FIT has none.
    var fit: Int { Self.fit.firstIndex(of: self) ?? 0 }
}
