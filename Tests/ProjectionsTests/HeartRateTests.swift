import Events
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("Heart rate of a session")
struct HeartRateTests {
    @Test("S2: average, maximum and minimum are exact at any moment")
    func exactTotals() throws {
        var tape = try Tape.walking()
        tape.heart(80)
        let highest = tape.heart(87)
        tape.heart(87)
        tape.heart(79)
        let report = tape.session.heartRate
        #expect(report.samples == 4)
        #expect(report.sum == 333)
        #expect(report.mean?.description == "83.25")
        #expect(report.minimum == 79)
        #expect(report.maximum == HeartRateReport.Maximum(bpm: 87, position: highest))
    }

    @Test("S3: what does not count is kept and counted by its reason")
    func excludes() throws {
        var tape = Tape()
        tape.heart(70)
        try tape.command(.start())
        tape.heart(80)
        tape.heart(0)
        tape.heart(90, contact: 2)
        tape.heart(0, contact: 2)
        tape.append(.characteristicNotified(CharacteristicNotified(device: strap, value: [1, 90])))
        try tape.command(.pause)
        tape.heart(100)
        tape.heart(0, contact: 2)
        try tape.command(.resume)
        tape.heart(82, contact: 0)
        let report = tape.session.heartRate
        #expect(report.samples == 2)
        #expect(report.sum == 162)
        #expect(report.excluded.zero == 1)
        #expect(report.excluded.noContact == 2)
        #expect(report.excluded.paused == 2)
        #expect(report.excluded.undecodable == 1)
        #expect(tape.state.findings.total == 1)
    }

    @Test("S3: a number that no heart has is left out with its intervals, and says why")
    func notCredible() throws {
        var tape = try Tape.walking()
        let bytes: [[UInt8]] = [[0, 0], [0, 19], [0, 20], [0, 254], [0, 255]]
        let wide: [[UInt8]] = [[1, 19, 0], [1, 255, 0], [1, 44, 1], [1, 45, 1], [1, 255, 255]]
        for value in bytes + wide {
            tape.wait(1_000)
            let withInterval = [value[0] | 0x10] + value.dropFirst() + [0, 3]
            tape.append(.notified(strap, withInterval))
        }
        let report = tape.session
        #expect(report.heartRate.samples == 4 && report.heartRate.sum == 20 + 254 + 255 + 300)
        #expect(report.heartRate.minimum == 20 && report.heartRate.maximum?.bpm == 300)
        #expect(report.rr.count == 4)
        let excluded = report.heartRate.excluded
        #expect([excluded.zero, excluded.noReading, excluded.notCredible] == [1, 2, 3])
        // The last one shows no heart rate once it is not in passing, and its time is none's.
        tape.wait(5_001)
        #expect(ConnectionView(tape.state, at: tape.moment).heartRateBPM == nil)
        #expect(
            report.accounting.freshMilliseconds == report.heartRate.weightedMilliseconds)
        #expect(report.link.spans.map(\.values) == [10])
    }

    @Test("S3: the rule countImplausible counts every number but 0")
    func whatIfImplausible() throws {
        var tape = try Tape.walking(rules: .believing)
        for bpm in [0, 19, 301, .max] as [UInt16] { tape.heart(bpm) }
        #expect(tape.session.heartRate.samples == 3)
        #expect(tape.session.heartRate.excluded.zero == 1)
    }

    @Test("S5: both means are given, and zeros give no heart rate")
    func means() throws {
        var tape = try Tape.walking()
        tape.heart(0)
        #expect(tape.session.heartRate.mean == nil)
        #expect(tape.session.heartRate.timeWeightedMean == nil)
        tape.heart(100)
        tape.heart(140, after: 4_000)
        tape.wait(60_000)
        let report = tape.session.heartRate
        // 100 for 4 s, then 140 for as long as a value is fresh: 5 s.
        #expect(report.mean?.description == "120.00")
        #expect(report.weightedMilliseconds == 9_000)
        #expect(report.timeWeightedMean?.description == "122.22")
    }

    @Test("S14: a lone spike is a maximum, but not a supported one")
    func supportedMaximum() throws {
        var tape = try Tape.walking()
        let plain = [
            (120, 0), (125, 1_000), (220, 1_000), (126, 1_000), (150, 1_000), (158, 5_001),
        ]
        var positions: [Position] = []
        for (bpm, wait) in plain {
            tape.wait(UInt64(wait))
            positions.append(tape.heart(UInt16(bpm)))
        }
        #expect(
            tape.session.heartRate.maximum
                == HeartRateReport.Maximum(bpm: 220, position: positions[2]))
        #expect(
            tape.session.heartRate.supportedMaximum
                == HeartRateReport.Maximum(bpm: 126, position: positions[3]))
        // Exactly 5 s and 10 BPM beside it: supported, and the earlier one made it.
        tape.heart(148, after: 5_000)
        #expect(
            tape.session.heartRate.supportedMaximum
                == HeartRateReport.Maximum(bpm: 158, position: positions[5]))
    }

    /// Up to 100 values a second, and down to one in ten.
    private static let rates: [(least: UInt64, more: UInt64)] = [
        (400, 2_000), (2, 20), (100, 300), (0, 2_000), (4_000, 2_000), (10, 8_000),
    ]

    @Test("S14: agrees with a comparison of all pairs", arguments: sample(0..<60, 8))
    func supportedMaximumAgrees(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var tape = try Tape.walking()
        var samples: [(bpm: Int, at: UInt64)] = []
        let rate = Self.rates[seed % Self.rates.count]
        for _ in 0..<300 {
            tape.wait(rate.least + random.below(rate.more))
            let bpm = 60 + random.below(120)
            tape.heart(UInt16(bpm))
            samples.append((Int(bpm), tape.bootMilliseconds))
        }
        var expected = 0
        for (index, sample) in samples.enumerated() {
            for (other, beside) in samples.enumerated() where other != index {
                let apart = max(sample.at, beside.at) - min(sample.at, beside.at)
                if apart <= 5_000, abs(sample.bpm - beside.bpm) <= 10 {
                    expected = max(expected, sample.bpm)
                }
            }
        }
        #expect(Int(tape.session.heartRate.supportedMaximum?.bpm ?? 0) == expected, "seed \(seed)")
    }

    static let zoneVectors: [(hundredths: UInt64, zone: Zone)] = [
        (0, .resting), (9_999, .resting), (10_000, .moderate), (13_950, .moderate),
        (13_999, .moderate), (14_000, .vigorous), (17_999, .vigorous), (18_000, .maximum),
        (35_000, .maximum),
    ]

    @Test("S12: zones have no holes on real numbers", arguments: zoneVectors)
    func zones(vector: (hundredths: UInt64, zone: Zone)) {
        #expect(Zones.standard.zone(ofHundredths: vector.hundredths) == vector.zone)
    }

    @Test("S12: own limits, percent of maximum, reserve; standard if a number is missing")
    func ownZones() {
        var profile = Profile(zones: .limits, zoneLimits: [90, 120, 150])
        #expect(Zones(of: profile) == Zones(limitsBPM: 90, 120, 150))
        profile.zones = .percentOfMaximum
        profile.zoneLimits = [50, 70, 90]
        #expect(Zones(of: profile) == .standard)
        profile.maximumHeartRateBPM = 185
        // 50 % of 185 is 92.5: 92 rests, 93 is moderate.
        #expect(Zones(of: profile).zone(ofHundredths: 9_200) == .resting)
        #expect(Zones(of: profile).zone(ofHundredths: 9_300) == .moderate)
        profile.zones = .heartRateReserve
        #expect(Zones(of: profile) == .standard)
        profile.restingHeartRateBPM = 61
        // 61 + 50 % of 124 is 123.
        #expect(Zones(of: profile).zone(ofHundredths: 12_299) == .resting)
        #expect(Zones(of: profile).zone(ofHundredths: 12_300) == .moderate)
    }

    @Test("S12: time in zone sums to the weighted time")
    func zoneTimes() throws {
        var tape = try Tape.walking()
        for bpm: UInt16 in [90, 100, 139, 140, 180] {
            tape.heart(bpm, lasting: 1_000)
        }
        let report = tape.session.heartRate
        #expect(report.zones.restingMilliseconds == 1_000)
        #expect(report.zones.moderateMilliseconds == 2_000)
        #expect(report.zones.vigorousMilliseconds == 1_000)
        #expect(report.zones.maximumMilliseconds == 1_000)
        #expect(report.weightedMilliseconds == 5_000)
    }
}
