package import Events

/// The four heart-rate zones.
package enum Zone: UInt8, CodedName {
    /// Below moderate.
    case resting = 0
    /// Moderate.
    case moderate = 1
    /// Vigorous.
    case vigorous = 2
    /// The highest, without an upper bound.
    case maximum = 3

    /// The names in the JSON form, in the order of the cases.
    package static let names = ["resting", "moderate", "vigorous", "maximum"]
}

/// The lower bounds of the upper three zones, on real numbers and without holes.
///
/// Bounds are in hundredths of a BPM, so that percentages of a whole number are exact.
package struct Zones: StatePart, Hashable, Sendable {
    /// From here on moderate.
    package private(set) var moderateFromHundredths: UInt64
    /// From here on vigorous.
    package private(set) var vigorousFromHundredths: UInt64
    /// From here on maximum.
    package private(set) var maximumFromHundredths: UInt64

    /// Makes zones from bounds in BPM, each at most 65,535.
    package init(limitsBPM moderate: UInt64, _ vigorous: UInt64, _ maximum: UInt64) {
        moderateFromHundredths = min(moderate, 65_535) * 100
        vigorousFromHundredths = min(vigorous, 65_535) * 100
        maximumFromHundredths = min(maximum, 65_535) * 100
    }

    /// Resting below 100, moderate below 140, vigorous below 180 BPM.
    package static let standard = Zones(limitsBPM: 100, 140, 180)

    /// The zones that a profile asks for.
    ///
    /// Percentages need the maximum heart rate, and the reserve also the resting one below it;
    /// without them the zones are ``standard``.
    package init(of profile: Profile) {
        self = .standard
        guard profile.zones != .standard, profile.zoneLimits.count == 3 else { return }
        let limits = profile.zoneLimits.map { min($0, 65_535) }
        let maximum = min(profile.maximumHeartRateBPM ?? 0, 65_535)
        switch profile.zones {
        case .standard: break
        case .limits: self = Zones(limitsBPM: limits[0], limits[1], limits[2])
        case .percentOfMaximum:
            guard maximum > 0 else { return }
            self = Zones(hundredths: limits.map { $0 * maximum })
        case .heartRateReserve:
            guard let resting = profile.restingHeartRateBPM, resting < maximum else { return }
            self = Zones(hundredths: limits.map { resting * 100 + $0 * (maximum - resting) })
        }
    }

    init() { self = .standard }

    private init(hundredths: [UInt64]) {
        moderateFromHundredths = hundredths[0]
        vigorousFromHundredths = hundredths[1]
        maximumFromHundredths = hundredths[2]
    }

    /// From here on moderate, in BPM.
    package var moderateFrom: Hundredths { Hundredths(value: moderateFromHundredths) }
    /// From here on vigorous, in BPM.
    package var vigorousFrom: Hundredths { Hundredths(value: vigorousFromHundredths) }
    /// From here on maximum, in BPM.
    package var maximumFrom: Hundredths { Hundredths(value: maximumFromHundredths) }

    /// The zone of a heart rate in hundredths of a BPM.
    @inline(__always)
    package func zone(ofHundredths hundredths: UInt64) -> Zone {
        var zone = hundredths < maximumFromHundredths ? Zone.vigorous : .maximum
        zone = hundredths < vigorousFromHundredths ? .moderate : zone
        return hundredths < moderateFromHundredths ? .resting : zone
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&moderateFromHundredths, &vigorousFromHundredths, &maximumFromHundredths)
        for hundredths in [moderateFromHundredths, vigorousFromHundredths, maximumFromHundredths] {
            try coder.require(hundredths < 1 << 34)
        }
    }
}
