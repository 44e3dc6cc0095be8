import Events
import Projections
import TestSupport
import Testing

@Suite("What a session's figures are made of")
struct SessionSeriesTests {
    @Test("are the samples that count, and the points of the track")
    func samplesAndPoints() throws {
        var tape = Tape()
        tape.heart(50)
        let start = try #require(tape.state.head) + 1
        try tape.command(.start())
        tape.heart(81, after: 1_000)
        tape.fix(at: (10, 20), altitude: 30)
        tape.heart(0)
        tape.heart(82, contact: 2)
        try tape.command(.pause)
        tape.heart(83, after: 5_000)
        tape.fix(at: (11, 20))
        try tape.command(.resume)
        tape.heart(84, after: 1_000)
        tape.fix(at: (12, 20))
        tape.fix(at: (12, 20), error: 60_000)
        try tape.command(.end(.requested))
        tape.heart(85)
        let series = try tape.series(of: start)
        #expect(series.samples.map(\.bpm) == [81, 84])
        #expect(series.samples.map(\.elapsedMilliseconds) == [1_000, 7_000])
        #expect(series.points.map(\.latitudeE7) == [10, 12])
        #expect(series.points.map(\.isStart) == [true, true])
        #expect(series.points.map(\.altitudeMillimetres) == [30, nil])
        #expect(series.samples.map(\.position) == [start + 1, start + 9])
        #expect(!series.isOpen && series.state == tape.state)
    }

    @Test("are thinned for a drawing, which keeps the ends, the peaks and the breaks")
    func drawn() throws {
        var tape = Tape()
        let start = Position(tape.recorded.count)
        try tape.command(.start())
        for index in 0..<26_000 {
            if index == 13_001 {
                try tape.command(.pause)
                try tape.command(.resume)
            }
            tape.heart(index == 7_777 ? 150 : index == 8_888 ? 60 : 100, after: 100)
            tape.fix(at: (Int64(index) * 30, 20))
        }
        let series = try tape.series(of: start)
        let (samples, (points, heatMap)) = (series.drawnSamples, series.drawnTrack)
        #expect(series.samples.count == 26_000 && 2_000...12_000 ~= samples.count)
        #expect(samples.map(\.bpm).max() == 150 && samples.map(\.bpm).min() == 60)
        #expect(samples.first == series.samples.first && samples.last == series.samples.last)
        #expect(series.points.count > 12_000 && 2_000...12_000 ~= points.count)
        #expect(points.first == series.points.first && points.last == series.points.last)
        #expect(points.filter(\.isStart).count == series.points.filter(\.isStart).count)
        let whole = HeatMap(series, zones: series.zones).segments
        #expect(heatMap.map(\.mean) == whole.map(\.mean))
        for (drawn, part) in zip(heatMap, whole) {
            #expect(points[drawn.firstPoint].position == series.points[part.firstPoint].position)
            #expect(points[drawn.lastPoint].position == series.points[part.lastPoint].position)
        }
    }

    @Test("are the stretches without a heart rate, and why")
    func intervals() throws {
        var tape = Tape()
        tape.heart(80)
        let start = try #require(tape.state.head) + 1
        try tape.command(.start())
        tape.heart(81, after: 1_000)
        tape.heart(82, contact: 2, after: 1_000)
        tape.heart(83, after: 2_000)
        tape.wait(1_000)
        try tape.pause(for: 4_000)
        tape.heart(84)
        tape.wait(1_000)
        tape.linkLost(strap)
        tape.heart(85, after: 15_000)
        tape.wait(30_000)
        try tape.command(.end(.requested))
        let series = try tape.series(of: start)
        #expect(
            series.intervals.map { "\($0.kind) \($0.startMilliseconds)-\($0.endMilliseconds)" } == [
                "noContact 2000-4000", "paused 5000-9000", "held 10000-20000",
                "disconnected 20000-25000", "silent 30000-55000",
            ])
        #expect(series.offsetMinutes == 0)
    }
}

@Suite("The heat-map of a track")
struct HeatMapTests {
    /// A session with a fix each second, and samples in between.
    private func map(
        points: Int, zones: Zones = .standard, bpm: (Int) -> UInt16?
    ) throws -> [HeatMap.Segment] {
        var tape = try Tape.walking()
        for second in 0..<points {
            tape.fix(at: (Int64(second) * 100, 7))
            tape.wait(500)
            if let bpm = bpm(second) { tape.heart(bpm) }
            tape.wait(500)
        }
        // Colours are those of any number.
        return HeatMap(try tape.series(rules: .believing), zones: zones).segments
    }

    @Test(
        "W3: has its ends at every n / 50-th point, two at least",
        arguments: [
            (0, 0, 2), (1, 0, 2), (2, 1, 2), (50, 25, 2), (51, 25, 2), (99, 49, 2), (149, 74, 2),
            (150, 50, 3), (199, 66, 3), (1_000, 50, 20),
        ])
    func ends(points: Int, count: Int, stride: Int) throws {
        let segments = try map(points: points) { _ in 120 }
        #expect(segments.count == count)
        for (index, segment) in segments.enumerated() {
            #expect(segment.firstPoint == index * stride)
            #expect(segment.lastPoint == min((index + 1) * stride, points - 1))
        }
        #expect((segments.last?.lastPoint ?? max(0, points - 1)) == max(0, points - 1))
    }

    @Test("W3: has the zone's colour, stronger towards its upper bound")
    func colours() throws {
        let vectors: [(bpm: UInt16, zone: Zone, opacity: String)] = [
            (1, .resting, "0.41"), (50, .resting, "0.70"), (99, .resting, "0.99"),
            (100, .moderate, "0.40"), (120, .moderate, "0.70"), (139, .moderate, "0.99"),
            (140, .vigorous, "0.40"), (160, .vigorous, "0.70"), (180, .maximum, "0.40"),
            (240, .maximum, "0.70"), (299, .maximum, "1.00"), (350, .maximum, "1.00"),
        ]
        for (bpm, zone, opacity) in vectors {
            let segment = try #require(try map(points: 2) { _ in bpm }.first)
            #expect(segment.zone == zone && segment.mean?.description == "\(bpm).00")
            #expect(segment.opacity.description == opacity, "\(bpm) BPM")
        }
    }

    @Test("takes the mean of the samples in a segment's time, each once")
    func means() throws {
        // Samples at 0.5, 1.5, 2.5… s; ends at 0, 2, 4 s.
        let segments = try map(points: 5) { [100, 101, 140, 139, 170][$0] }
        #expect(segments.map { $0.mean?.description } == ["100.50", "139.50"])
        #expect(segments.map(\.zone) == [.moderate, .moderate])
    }

    @Test("is neutral where there is no sample")
    func neutral() throws {
        let segments = try map(points: 7) { $0 < 2 || $0 > 3 ? 90 : nil }
        #expect(segments.map(\.zone) == [.resting, nil, .resting])
        #expect(segments.map { $0.mean?.description } == ["90.00", nil, "90.00"])
    }

    @Test("goes by the session's own zones, also where they are beyond what is drawn")
    func ownZones() throws {
        let zones = Zones(limitsBPM: 0, 1, 400)
        #expect(try map(points: 2, zones: zones) { _ in 200 }.map(\.zone) == [.vigorous])
        let highest = try map(points: 2, zones: zones) { _ in 500 }
        #expect(highest.map(\.opacity.description) == ["1.00"])
    }

    /// The segments of a walk that goes on for 8 s, a fix each second from place to place.
    private func course(
        _ body: (inout Tape, Int) throws -> Void
    ) throws -> [HeatMap.Segment] {
        var tape = try Tape.walking(rules: .believing)
        tape.count(0, distance: 0)
        for second in 0..<9 {
            tape.fix(at: (Int64(second) * 100, 7), altitude: Int64(second) * 1_000)
            try body(&tape, second)
            tape.wait(1_000)
        }
        return HeatMap(try tape.series(rules: .believing), zones: .standard).segments
    }

    @Test("has cadence and pace by the session's own steps and distance, spread evenly")
    func cadenceAndPace() throws {
        // A reading each 4 s: 8 steps and 4 m, then 4 steps and 2 m.
        let segments = try course { tape, second in
            if second == 4 { tape.count(8, distance: 4_000) }
            if second == 8 { tape.count(12, distance: 6_000) }
        }
        #expect(
            segments.map { $0.cadence?.description } == ["120.00", "120.00", "60.00", "60.00"])
        #expect(segments.map(\.paceMilliseconds) == [1_000_000, 1_000_000, 2_000_000, 2_000_000])
    }

    @Test("has no pace, and no cadence but 0, where the walker rested")
    func rest() throws {
        // Twelve steps and 6 m in the first two seconds, two more in the last.
        let segments = try course { tape, second in
            if second == 2 { tape.count(12, distance: 6_000) }
            if second == 8 { tape.count(13, distance: 6_500) }
        }
        #expect(segments.map { $0.cadence?.description } == ["360.00", "0.00", "0.00", "30.00"])
        #expect(segments.map(\.paceMilliseconds) == [333_333, nil, nil, 4_000_000])
    }

    @Test("has the mean height of its points")
    func heights() throws {
        let segments = try course { _, _ in }
        #expect(segments.map(\.altitudeMillimetres) == [1_000, 3_000, 5_000, 7_000])
    }

    @Test("leaves out heights that were set aside")
    func heightsSetAside() throws {
        var tape = try Tape.walking()
        for second in 0..<9 {
            let altitude: Int64 = [3: -9_999_000, 4: 65_535_000, 6: 2_000_000][second] ?? 510_000
            tape.fix(at: (Int64(second) * 100, 7), altitude: altitude, lasting: 1_000)
        }
        let series = try tape.series()
        #expect(series.points.count == 9)
        #expect(series.points.count { $0.altitudeMillimetres == nil } == 3)
        let segments = HeatMap(series, zones: .standard).segments
        #expect(segments.allSatisfy { $0.altitudeMillimetres ?? 510_000 == 510_000 })
    }

    @Test("has the points that count, and those before that agree with them")
    func onTrial() throws {
        var tape = try Tape.walking()
        // One alone, three that agree, two elsewhere for a moment, then a jump.
        let places: [Int64] = [900_000_000, 0, 100, 200, 500_000, 500_100, 300]
        for place in places + (0..<12).map({ 700_000 + 100 * $0 }) {
            tape.fix(at: (place, 7), lasting: 1_000)
        }
        let series = try tape.series()
        #expect(
            series.points.map(\.latitudeE7)
                == [0, 100, 200, 300] + (0..<12).map { 700_000 + 100 * $0 })
        #expect(series.points.indices.filter { series.points[$0].isStart } == [0, 4])
        let times = series.points.map(\.elapsedMilliseconds)
        #expect(times == [1, 2, 3, 6].map { $0 * 1_000 } + (7..<19).map { $0 * 1_000 })
    }

    @Test("joins heart rates and pace by the points' own times", arguments: [2, 4, 8])
    func handedOverTogether(group: Int) throws {
        func segments(by group: Int) throws -> [HeatMap.Segment] {
            var tape = try Tape.walking()
            let start = tape.wallMilliseconds
            var waiting: [Int64] = []
            for second: Int64 in 1...200 {
                tape.heart(UInt16(60 + second / 2), rr: [UInt16(700 + second), 700], after: 1_000)
                if second % 25 == 0 { waiting.append(second) }
                guard waiting.count == group else { continue }
                for second in waiting {
                    let place = second * 126 + second % 50 * 20
                    tape.fix(at: (place, 7), fixedAt: start + second * 1_000)
                }
                waiting = []
            }
            return HeatMap(try tape.series(), zones: .standard).segments
        }
        #expect(try segments(by: group) == segments(by: 1))
        #expect(try segments(by: 1).count == 4)
    }

    @Test("has no value for what nothing told")
    func nothingTold() throws {
        let segments = try map(points: 5) { _ in nil }
        #expect(
            segments.allSatisfy {
                $0.cadence == nil && $0.altitudeMillimetres == nil && $0.rmssdMilliseconds == nil
            })
    }

    @Test("has the variability of the beats in its time, cleaned")
    func variability() throws {
        // Differences of 32 ticks, 31.25 ms; in the second half none, and one artefact.
        let segments = try course { tape, second in
            let rr: [UInt16] = second < 4 ? [800, 832, 800, 832] : [800, 800, 2_000, 800]
            tape.heart(75, rr: rr)
        }
        #expect(
            segments.map { $0.rmssdMilliseconds?.description }
                == ["31.25", "31.25", nil, "0.00"])
    }

    @Test("counts no beat twice where a strap's values come twice")
    func copies() throws {
        func rmssd(_ times: Int) throws -> [String?] {
            try course { tape, second in
                let beat = UInt16(800 + 32 * (second % 2))
                for _ in 0..<times { tape.heart(75, rr: [beat, beat + 16, beat, beat + 16]) }
            }.map { $0.rmssdMilliseconds?.description }
        }
        #expect(try rmssd(2).dropFirst() == rmssd(1).dropFirst())
    }
}
