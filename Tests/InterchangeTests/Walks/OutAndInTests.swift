import Events
import Interchange
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("A walk that leaves and comes in again")
struct OutAndInTests {
    private static let seeds: Range<UInt64> = 0..<40

    /// What comes of a seed: as a recorder writes it, and as a file of another program gives it.
    private static func walks(_ seed: UInt64) throws -> [WalkFile] {
        try [LiveWalk.file(seed: seed)]
            + RandomWalk(seed: seed, seconds: 20 + seed * 8).facts.walks()
    }

    private static func back(
        _ walk: WalkFile, _ format: WalkFormat, _ rows: WalkFile.Rows = .seconds
    ) throws -> WalkFile {
        let kind = try #require(WalkFileFormat(rawValue: format.rawValue))
        let times = StatedTimes(beganAtMilliseconds: walk.report.startedAtMilliseconds)
        let (facts, damage) = readWalks(kind, walk.bytes(format, rows), times)
        #expect(damage == nil && (format != .fit || facts.leftOut.isEmpty))
        let walks = facts.walks()
        #expect(walks.count == 1)
        return try #require(walks.first)
    }

    /// A heart rate with its time.
    private struct Beat: Hashable {
        let at: Int64
        let bpm: UInt16
    }

    /// A place with its time.
    private struct Place: Hashable {
        let at: Int64
        let latitudeE7: Int64
        let longitudeE7: Int64
        let altitudeMillimetres: Int64?
    }

    private static func beats(_ walk: WalkFile) -> [Beat] {
        walk.series.samples.map {
            Beat(at: walk.wallMilliseconds($0.elapsedMilliseconds), bpm: $0.bpm)
        }
    }

    private static func places(_ walk: WalkFile) -> [Place] {
        walk.series.points.map {
            Place(
                at: walk.wallMilliseconds($0.elapsedMilliseconds), latitudeE7: $0.latitudeE7,
                longitudeE7: $0.longitudeE7, altitudeMillimetres: $0.altitudeMillimetres)
        }
    }

    private static func ticks(_ walk: WalkFile) -> [UInt16] {
        walk.series.samples.flatMap(\.rrTicks)
    }

    /// The intervals in milliseconds that a heart can make.
    private static func milliseconds(_ walk: WalkFile) -> [UInt32] {
        ticks(walk).map { (UInt32($0) * 1_000 + 512) / 1_024 }.filter { (100...60_000) ~= $0 }
    }

    private static func pauses(_ walk: WalkFile) -> [SessionInterval] {
        walk.series.intervals.filter { $0.kind == .paused }
    }

    /// The laps that a format can tell: those that take some time.
    private static func laps(_ walk: WalkFile) -> [SessionSeries.LapEnd] {
        var last: UInt64 = 0
        return walk.series.lapEnds.filter { lap in
            defer { last = lap.elapsedMilliseconds }
            return lap.elapsedMilliseconds > last
                && lap.elapsedMilliseconds < walk.report.elapsedMilliseconds
        }
    }

    /// The last of what came up to each second.
    private static func lastOfSeconds<Value>(
        _ values: [Value], since start: Int64, _ at: (Value) -> Int64
    ) -> [Value] {
        func second(_ value: Value) -> Int64 { (at(value) - start + 999) / 1_000 }
        return values.indices.filter { index in
            index + 1 == values.count || second(values[index]) != second(values[index + 1])
        }.map { values[$0] }
    }

    /// Expects what is told of the walk as a whole, and its pauses and places.
    private static func expectSums(of walk: WalkFile, in back: WalkFile) {
        #expect(places(walk) == places(back))
        expectFrame(of: walk, in: back)
        #expect(walk.report.steps == back.report.steps)
        // Places are rounded, and what is noise goes by them; a lap ends with what was held back.
        let (length, other) = (
            walk.report.distanceMillimetres ?? 0, back.report.distanceMillimetres ?? 0
        )
        let ends = UInt64(walk.series.lapEnds.count)
        #expect(
            max(length, other) - min(length, other) <= 8_000 + length / 100 + ends * 1_000)
    }

    /// Expects its sport, its times, its pauses and its laps.
    private static func expectFrame(of walk: WalkFile, in back: WalkFile) {
        #expect(walk.report.keeping.sport == back.report.keeping.sport)
        #expect(laps(walk) == laps(back))
        #expect(pauses(walk) == pauses(back))
        #expect(walk.report.startedAtMilliseconds == back.report.startedAtMilliseconds)
        #expect(walk.report.elapsedMilliseconds == back.report.elapsedMilliseconds)
    }

    @Test("as FIT is the same to the byte of each value", arguments: sample(seeds, 30))
    func fit(_ seed: UInt64) throws {
        for walk in try Self.walks(seed) {
            let back = try Self.back(walk, .fit)
            #expect(Self.beats(walk) == Self.beats(back))
            #expect(walk.series.samples.map(\.rrTicks) == back.series.samples.map(\.rrTicks))
            #expect(walk.series.points.map(\.isStart) == back.series.points.map(\.isStart))
            let (marks, others) = (walk.series.marks, back.series.marks)
            #expect(marks.map(\.text) == others.map(\.text))
            #expect(marks.map(\.elapsedMilliseconds) == others.map(\.elapsedMilliseconds))
            Self.expectSums(of: walk, in: back)
            #expect(walk.report.activeMilliseconds == back.report.activeMilliseconds)
            #expect(walk.series.offsetMinutes == back.series.offsetMinutes)
        }
    }

    @Test("as TCX has samples, pauses, positions, steps and distance", arguments: sample(seeds, 8))
    func tcx(_ seed: UInt64) throws {
        for walk in try Self.walks(seed) {
            let back = try Self.back(walk, .tcx)
            #expect(Self.beats(walk).filter { $0.bpm < 256 } == Self.beats(back))
            Self.expectSums(of: walk, in: back)
        }
    }

    @Test(
        "as GPX has its track, and the heart rate shown at each point", arguments: sample(seeds, 8))
    func gpx(_ seed: UInt64) throws {
        for walk in try Self.walks(seed) where walk.lack(.gpx) == nil {
            let back = try Self.back(walk, .gpx)
            #expect(Self.places(walk) == Self.places(back))
            let samples = walk.series.samples
            let shown = walk.series.points.compactMap { point -> Beat? in
                guard
                    let last = samples.last(where: {
                        $0.elapsedMilliseconds <= point.elapsedMilliseconds
                    }), last.elapsedMilliseconds + 10_000 >= point.elapsedMilliseconds,
                    last.bpm < 256
                else { return nil }
                return Beat(at: walk.wallMilliseconds(point.elapsedMilliseconds), bpm: last.bpm)
            }
            #expect(shown == Self.beats(back))
            Self.expectFrame(of: walk, in: back)
        }
    }

    @Test("as CSV of samples is the same to the millisecond", arguments: sample(seeds, 8))
    func samples(_ seed: UInt64) throws {
        for walk in try Self.walks(seed) {
            let back = try Self.back(walk, .csv, .samples)
            #expect(Self.beats(walk) == Self.beats(back))
            #expect(Self.milliseconds(walk) == Self.milliseconds(back))
            let marks = walk.series.marks.map(\.text).filter { !$0.isEmpty }
            #expect(marks == back.series.marks.map(\.text))
            Self.expectSums(of: walk, in: back)
            #expect(walk.series.offsetMinutes == back.series.offsetMinutes)
        }
    }

    @Test("as CSV of seconds is the same to the second", arguments: sample(seeds, 8))
    func seconds(_ seed: UInt64) throws {
        for walk in try Self.walks(seed) {
            let back = try Self.back(walk, .csv)
            let start = walk.report.startedAtMilliseconds
            let beats = Self.lastOfSeconds(Self.beats(walk), since: start, \.at)
            #expect(beats.map(\.bpm) == Self.beats(back).map(\.bpm))
            for (beat, own) in zip(beats, Self.beats(back)) {
                #expect((0..<1_000) ~= own.at - beat.at)
            }
            #expect(Self.milliseconds(walk) == Self.milliseconds(back))
            let places = Self.lastOfSeconds(Self.places(walk), since: start, \.at)
            #expect(places.map(\.latitudeE7) == Self.places(back).map(\.latitudeE7))
            #expect(places.map(\.longitudeE7) == Self.places(back).map(\.longitudeE7))
            #expect(walk.report.steps == back.report.steps)
            // What waits may be counted within a second as no pedometer grows: that is said.
            #expect(back.report.excludedDistances <= 1)
            if back.report.excludedDistances == 0 {
                #expect(walk.report.distanceMillimetres == back.report.distanceMillimetres)
            }
            #expect(walk.report.keeping.sport == back.report.keeping.sport)
            let laps = Self.lastOfSeconds(walk.series.lapEnds, since: 0) {
                Int64($0.elapsedMilliseconds)
            }
            #expect(laps.count == back.series.lapEnds.count)
            let paused = [walk, back].map { $0.report.pausedMilliseconds }
            #expect(
                max(paused[0], paused[1]) - min(paused[0], paused[1])
                    <= 1_000 * UInt64(Self.pauses(walk).count))
        }
    }

    @Test("as intervals has each of them", arguments: sample(seeds, 8))
    func intervals(_ seed: UInt64) throws {
        // Of a list the heart rates come from the intervals, and count from 20 to 300 BPM.
        let range = UInt16(205)...3_150
        for walk in try Self.walks(seed) where Self.ticks(walk).contains(where: { range ~= $0 }) {
            let back = try Self.back(walk, .rr)
            #expect(Self.ticks(walk).filter { range ~= $0 } == Self.ticks(back))
        }
    }

    @Test("says that nobody walked it, where a file has a place for that")
    func simulated() throws {
        let walk = try LiveWalk.file(seed: 3, flags: [.wallTrusted, .simulated])
        for format in [WalkFormat.fit, .tcx, .gpx] {
            let kind = try #require(WalkFileFormat(rawValue: format.rawValue))
            for (file, isSimulated) in [(walk, true), (try LiveWalk.file(seed: 3), false)] {
                let (facts, damage) = readWalks(kind, file.bytes(format))
                #expect(facts.isSimulated == isSimulated && damage == nil)
            }
        }
    }

    @Test("with bytes that were changed is read or damaged", arguments: sample(0..<60, 6))
    func changedBytes(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let walk = try #require(RandomWalk(seed: seed % 20, seconds: 20).facts.walks().first)
        for format in [WalkFormat.gpx, .tcx, .csv, .rr] {
            let kind = try #require(WalkFileFormat(rawValue: format.rawValue))
            for _ in 0..<15 {
                var bytes = walk.bytes(format)
                guard !bytes.isEmpty else { continue }
                for _ in 0...random.below(6) {
                    let index = Int(random.below(UInt64(bytes.count)))
                    // Digits are what numbers beyond all bounds are made of.
                    let isDigit = random.chance(50)
                    bytes[index] = UInt8(isDigit ? 48 + random.below(10) : random.below(256))
                    if random.chance(10) { bytes.removeSubrange(index...) }
                    if bytes.isEmpty { bytes = [0] }
                }
                let (facts, _) = readWalks(kind, bytes, StatedTimes(beganAtMilliseconds: 0))
                #expect(facts.walks().allSatisfy { $0.report.state == .ended })
            }
        }
    }
}
