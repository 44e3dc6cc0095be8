import Events
import Interchange
import Projections
import Testing

@Suite("What a file says of walks")
struct WalkFactsTests {
    private func facts(_ facts: (Double, WalkFacts.Fact)...) -> WalkFacts {
        var all = WalkFacts()
        for (seconds, fact) in facts { all.add(fact, at: nineOClock + Int64(seconds * 1_000)) }
        return all
    }

    private func heartRates(_ seconds: ClosedRange<Int>, _ bpm: UInt16 = 100) -> WalkFacts {
        var all = WalkFacts()
        for second in seconds {
            all.add(.heartRate(bpm, rrTicks: []), at: nineOClock + Int64(second) * 1_000)
        }
        return all
    }

    @Test("becomes events in order of time, whatever the file's order")
    func order() throws {
        let facts = facts(
            (60, .ended), (60, .heartRate(102, rrTicks: [])), (0, .heartRate(100, rrTicks: [512])),
            (30, .heartRate(101, rrTicks: [])), (0, .began))
        let session = try #require(sessions(facts).first)
        #expect(session.heartRate.samples == 3 && session.heartRate.sum == 303)
        #expect(session.startedAtMilliseconds == nineOClock)
        #expect(session.endedAtMilliseconds == nineOClock + 60_000)
        #expect(session.rr.count == 1)
    }

    @Test("is in order of time, also where more than is sorted at once comes backwards")
    func runs() {
        var backwards = WalkFacts()
        for second in (0..<140_000).reversed() {
            backwards.add(.heartRate(100, rrTicks: []), at: nineOClock + Int64(second) * 1_000)
        }
        let facts = backwards.facts
        #expect(facts.count == 140_000 && facts.map(\.at) == facts.map(\.at).sorted())
    }

    @Test("begins and ends a walk with its values, where the file says neither")
    func implied() throws {
        let session = try #require(sessions(heartRates(0...10)).first)
        #expect(session.elapsedMilliseconds == 10_000 && session.heartRate.samples == 11)
    }

    @Test("counts what comes at both ends of a pause, and nothing within")
    func pause() throws {
        var facts = heartRates(0...30)
        facts.add(.paused, at: nineOClock + 10_000)
        facts.add(.resumed, at: nineOClock + 20_000)
        let session = try #require(sessions(facts).first)
        #expect(session.pausedMilliseconds == 10_000 && session.activeMilliseconds == 20_000)
        #expect(session.heartRate.samples == 22 && session.heartRate.excluded.paused == 9)
    }

    @Test("has no pause that ends when it begins, whichever stands first")
    func emptyPause() throws {
        for kinds in [[WalkFacts.Fact.paused, .resumed], [.resumed, .paused]] {
            var facts = heartRates(0...30)
            for kind in kinds { facts.add(kind, at: nineOClock + 10_000) }
            let session = try #require(sessions(facts).first)
            #expect(session.pausedMilliseconds == 0 && session.heartRate.samples == 31)
        }
    }

    private static let leftOut: [(hearts: [Int], others: [Int], silent: UInt64)] =
        [1, 10, 20, 30, 60].map { (Array(stride(from: 0, through: 600, by: $0)), [], 0) } + [
            // As it pleases, after a usual start, and longer than a minute.
            ([0, 2, 19, 21, 60, 64, 110, 170], [], 0), ([0, 1, 2, 3, 4, 50, 51], [], 0),
            ([0, 10, 100], [], 30), ([0, 61], [61], 1),
            // What else is told in between tells that no value came.
            (Array(0...20) + Array(61...80), Array(0...80), 36),
            ([0, 1, 2, 3, 62], [10, 17, 24, 31, 38, 45, 52, 59], 52),
        ]

    @Test("holds a value until more is told, for a minute, where it leaves out", arguments: leftOut)
    func leavesOut(hearts: [Int], others: [Int], silent: UInt64) throws {
        var facts = WalkFacts()
        for second in hearts {
            facts.add(.heartRate(90, rrTicks: []), at: nineOClock + Int64(second) * 1_000)
        }
        for second in others {
            let fix = PositionFixed(latitudeE7: 460_000_000, longitudeE7: Int64(second))
            facts.add(.position(fix), at: nineOClock + Int64(second) * 1_000)
        }
        let session = try #require(sessions(facts).first)
        #expect(session.accounting.silentMilliseconds == silent * 1_000)
        let fresh = session.elapsedMilliseconds - silent * 1_000
        #expect(session.heartRate.zones.restingMilliseconds == fresh)
    }

    @Test("is of walks in each of their formats, and not where a radio was heard")
    func formats() {
        let walks = WalkFileFormat.allCases.map(\.rawValue) + ["apple-health", "gadgetbridge"]
        #expect(walks.allSatisfy { ImportBegan(format: $0).isOfWalks })
        let captures = ["btsnoop", "pcap", "pcapng", "btmon", "notifications", "lines", "jsonl"]
        #expect(!captures.contains { ImportBegan(format: $0).isOfWalks })
    }

    @Test("has the steps and the distance that the file says, from the first reading on")
    func steps() throws {
        var facts = facts((0, .began), (60, .ended))
        for second in 1...60 {
            facts.add(
                .walked(steps: UInt64(second) * 2, distanceMillimetres: UInt64(second) * 1_500),
                at: nineOClock + Int64(second) * 1_000)
        }
        let session = try #require(sessions(facts).first)
        #expect(session.steps == 120)
        #expect(session.distanceMillimetres == 90_000)
    }

    @Test("has no fewer steps after a pause than the file says")
    func stepsAndPause() throws {
        var facts = facts((0, .began), (20, .paused), (80, .resumed), (100, .ended))
        for second in Array(0...20) + Array(81...100) {
            let steps = UInt64(second <= 20 ? second : second - 60) * 2
            facts.add(
                .walked(steps: steps, distanceMillimetres: steps * 700),
                at: nineOClock + Int64(second) * 1_000)
        }
        let session = try #require(sessions(facts).first)
        #expect(session.steps == 80 && session.distanceMillimetres == 56_000)
        #expect(session.pausedMilliseconds == 60_000)
    }

    @Test("gives each of several walks the steps that it has")
    func twoWalks() throws {
        var facts = WalkFacts()
        for walk in [0, 1_000] as [Int64] {
            facts.add(.began, at: nineOClock + walk * 1_000)
            for second in 1...10 as ClosedRange<Int64> {
                facts.add(
                    .walked(steps: UInt64(second) * 2, distanceMillimetres: nil),
                    at: nineOClock + (walk + second) * 1_000)
            }
            facts.add(.ended, at: nineOClock + (walk + 10) * 1_000)
        }
        #expect(sessions(facts).map(\.steps) == [20, 20])
    }

    @Test("are two walks where one ends and the next one begins")
    func touching() {
        let facts = facts(
            (0, .began), (0, .heartRate(100, rrTicks: [])), (60, .ended),
            (60, .walked(steps: 90, distanceMillimetres: nil)), (60, .began),
            (61, .heartRate(110, rrTicks: [])), (120, .ended))
        let walks = sessions(facts)
        #expect(walks.map(\.elapsedMilliseconds) == [60_000, 60_000])
        #expect(walks.map(\.steps) == [90, 0])
    }

    @Test("tells the zone that was walked in")
    func zone() {
        var facts = heartRates(0...1)
        facts.offsetMinutes = 120
        let kinds = facts.events(of: importedFile).headers.map(\.kind)
        #expect(kinds.prefix(3) == [.importBegan, .zoneOffsetChanged, .sessionStarted])
    }

    @Test(
        "has nothing from before 1990 or from an end on, and all else",
        arguments: [
            (WalkFileFormat.csv, "time,bpm\n", "@,99\n"),
            (.gpx, "<gpx><trk><trkseg>", "<trkpt lat='48' lon='11'><time>@</time></trkpt>"),
            (.tcx, "<TrainingCenterDatabase><Activity>", "<Trackpoint><Time>@</Time></Trackpoint>"),
        ])
    func strayDates(_ format: WalkFileFormat, _ head: String, _ point: String) {
        func read(_ times: [String]) -> WalkFacts {
            let points = times.map { point.replacing("@", with: "\($0)Z") }.joined()
            return readWalks(format, head + points, until: nineOClock + 86_400_000).facts
        }
        let good = (10...40).map { "2026-03-01T09:00:\($0)" }
        for stray in ["2026-03-02T09:00:00", "1989-12-31T23:59:59"] {
            let facts = read([stray] + good.prefix(9) + [stray] + good.dropFirst(9) + [stray])
            #expect(facts.timed == read(good).timed && facts.leftOut.map(\.count) == [3])
            #expect(facts.leftOut[0].what.hasSuffix(", the first \(stray.prefix(10))"))
        }
    }

    @Test("has ten thousand walks, and of the others the number")
    func manyWalks() {
        let tracks = (0..<10_002).map { index in
            let (hour, minute, second) = (index / 1_200, index / 20 % 60, index % 20 * 3)
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let time = "\(two(hour)):\(two(minute)):\(two(second))"
            return """
                <trk><trkseg><trkpt lat="4" lon="1">
                <time>2026-03-01T\(time)Z</time></trkpt></trkseg>
                </trk>
                """
        }
        let (facts, damage) = readWalks(.gpx, "<gpx>\(tracks.joined())</gpx>")
        #expect(damage == nil && facts.facts.count { $0.fact == .began } == 10_000)
        #expect(facts.leftOut.map(\.what) == ["walks beyond the first 10,000"])
        #expect(facts.leftOut.map(\.count) == [2])
    }

    @Test("says that there were too many pauses and sessions, if there were")
    func manyPauses() {
        let file = FITMaker { fit in
            for second in Int64(0)..<16_388 { fit.timer(second, second % 2 == 0 ? 4 : 0) }
            for second in Int64(0)..<67 { fit.sum(second * 100, elapsed: 50) }
        }
        let left = readWalks(.fit, file.bytes).facts.leftOut.map { "\($0.what) (\($0.count))" }
        let many = ["pauses beyond the first 8,192 (2)", "sessions beyond the first 64 (3)"]
        #expect(Set(left).isSuperset(of: many), "\(left)")
    }

    @Test("leaves out what no event can hold, and counts it")
    func impossible() {
        let facts = facts(
            (-1e12, .heartRate(100, rrTicks: [])),
            (0, .heartRate(100, rrTicks: [UInt16](repeating: 1, count: 256))),
            (0, .position(PositionFixed(latitudeE7: 900_000_001, longitudeE7: 0))))
        #expect(facts.facts.isEmpty && facts.leftOut.map(\.count) == [1, 2])
    }
}
