import Interchange
import Testing

@Suite("The time of a walk in a file")
struct WalkSpanTests {
    private static let lasts: [FiguresOfFile] = [
        FiguresOfFile(
            "saved the next morning", [Figures(0, 600, 600, millimetres: 900_000, samples: 121)]
        ) {
            $0.records(0...600)
            $0.sum(0, elapsed: 600, active: 600, saved: 29_400)
        },
        FiguresOfFile(
            "stopped, and saved an hour later",
            [Figures(0, 600, 600, millimetres: 900_000, samples: 121)]
        ) {
            $0.timer(0, 0)
            $0.records(0...600)
            $0.timer(600, 4)
            $0.lap(0, elapsed: 600)
            $0.sum(0, elapsed: 600, active: 600, saved: 4_200)
        },
        FiguresOfFile(
            "records go on after the elapsed time",
            [Figures(0, 605, 605, millimetres: 907_500, samples: 122)]
        ) {
            $0.records(0...605)
            $0.sum(0, elapsed: 600, active: 600, saved: 700)
        },
        FiguresOfFile(
            "records begin before the session",
            [Figures(-5, 605, 605, millimetres: 907_500, samples: 122)]
        ) {
            $0.records(-5...600)
            $0.sum(0, elapsed: 600)
        },
        FiguresOfFile(
            "an event later than the walk", [Figures(0, 60, 60, millimetres: 90_000, samples: 13)]
        ) {
            $0.records(0...60)
            $0.timer(900, 8)
            $0.sum(0, elapsed: 60, active: 60, saved: 900)
        },
        FiguresOfFile(
            "no session", [Figures(0, 60, 60, millimetres: 90_000, samples: 13)]
        ) { $0.records(0...60) },
    ]

    /// Sessions of a minute each, of which those of sport 3 are transitions.
    private static let touching = [
        [1, 1], [1, 3, 1], [3, 1], [1, 3], [5, 3, 2, 3, 1], [2, 3, 3, 11], [1, 3, 17, 3],
    ].map { (sports: [UInt8]) in
        let walked = sports.indices.filter { sports[$0] != 3 }.map {
            Figures(Double($0) * 60, 60, 60, samples: $0 + 1 == sports.count ? 13 : 12)
        }
        let leftOut = sports.contains(3) ? ["transitions"] : []
        return FiguresOfFile("sessions of \(sports)", walked, leftOut: leftOut) { file in
            for second in 0...sports.count * 12 { file.record(Int64(second) * 5) }
            for (index, sport) in sports.enumerated() {
                file.sum(Int64(index) * 60, elapsed: 60, sport: sport)
            }
        }
    }

    @Test(
        "is elapsed time, and that of records, never until it was saved",
        arguments: lasts + touching)
    func span(_ file: FiguresOfFile) { file.expect() }

    /// Records each five seconds, and none for half a minute.
    private static func recordWithHole(_ file: inout FITMaker) {
        for second in stride(from: Int64(0), through: 45, by: 5) { file.record(second) }
        for second in stride(from: Int64(75), through: 120, by: 5) { file.record(second) }
    }

    private static let pauses: [FiguresOfFile] = [
        FiguresOfFile("told by the timer", [Figures(0, 120, 90, samples: 20)]) { file in
            file.timer(0, 0)
            for second in Array(stride(from: Int64(0), through: 45, by: 5)) { file.record(second) }
            file.timer(45, 4)
            file.timer(75, 0)
            for second in stride(from: Int64(75), through: 120, by: 5) { file.record(second) }
            file.sum(0, elapsed: 120, active: 90)
        },
        FiguresOfFile("told by the session alone", [Figures(0, 120, 90, samples: 20)]) { file in
            recordWithHole(&file)
            file.sum(0, elapsed: 120, active: 90)
        },
        FiguresOfFile("shorter than the hole in the records", [Figures(0, 120, 100, samples: 20)]) {
            file in
            recordWithHole(&file)
            file.sum(0, elapsed: 120, active: 100)
        },
        FiguresOfFile("between laps", [Figures(0, 120, 90, samples: 20)]) { file in
            recordWithHole(&file)
            file.lap(0, elapsed: 45)
            file.lap(75, elapsed: 45)
            file.sum(0, elapsed: 120)
        },
        FiguresOfFile("in a hole, and a stop at the end", [Figures(0, 120, 90, samples: 20)]) {
            file in
            file.timer(0, 0)
            recordWithHole(&file)
            file.timer(120, 4)
            file.sum(0, elapsed: 120, active: 90)
        },
        FiguresOfFile("in a hole within a lap", [Figures(0, 200, 140, samples: 30)]) { file in
            for second in stride(from: Int64(0), through: 40, by: 5) { file.record(second) }
            for second in stride(from: Int64(100), through: 200, by: 5) { file.record(second) }
            file.lap(0, elapsed: 90)
            file.lap(150, elapsed: 50)
            file.sum(0, elapsed: 200, active: 140)
        },
        FiguresOfFile("a stop without a start", [Figures(0, 120, 90, samples: 20)]) { file in
            file.timer(0, 0)
            for second in stride(from: Int64(0), through: 45, by: 5) { file.record(second) }
            file.timer(45, 4)
            for second in stride(from: Int64(75), through: 120, by: 5) { file.record(second) }
            file.sum(0, elapsed: 120, active: 90)
        },
        FiguresOfFile("at the end", [Figures(0, 120, 60, samples: 13)]) { file in
            for second in stride(from: Int64(0), through: 60, by: 5) { file.record(second) }
            file.timer(60, 4)
            file.sum(0, elapsed: 120, active: 60)
        },
        FiguresOfFile("none, but a hole", [Figures(0, 120, 120, samples: 20)]) { file in
            recordWithHole(&file)
            file.sum(0, elapsed: 120, active: 120)
        },
    ]

    @Test("has the pauses of the file", arguments: pauses)
    func pause(_ file: FiguresOfFile) { file.expect() }

    /// Laps with points each five seconds.
    private static func tcx(
        _ laps: [(start: Int, total: Int, tracks: [ClosedRange<Int>])]
    ) -> String {
        func time(_ second: Int) -> String {
            "2026-03-01T09:\(second / 600)\(second / 60 % 10):\(second % 60 / 10)\(second % 10)Z"
        }
        let parts = laps.map { lap in
            "<Lap StartTime='\(time(lap.start))'><TotalTimeSeconds>\(lap.total)</TotalTimeSeconds>"
                + lap.tracks.map { track in
                    "<Track>"
                        + stride(from: track.lowerBound, through: track.upperBound, by: 5).map {
                            "<Trackpoint><Time>\(time($0))</Time><HeartRateBpm><Value>100</Value>"
                                + "</HeartRateBpm></Trackpoint>"
                        }.joined() + "</Track>"
                }.joined() + "</Lap>"
        }
        return "<TrainingCenterDatabase><Activities><Activity>\(parts.joined())</Activity>"
            + "</Activities></TrainingCenterDatabase>"
    }

    private static let laps: [FiguresOfFile] = [
        FiguresOfFile(
            "rounded, the first point late", .tcx,
            tcx([(0, 300, [0...285]), (302, 298, [317...597])]),
            [Figures(0, 600, 598, samples: 115)]),
        FiguresOfFile(
            "a second apart", .tcx, tcx([(0, 60, [0...60]), (61, 59, [61...120])]),
            [Figures(0, 120, 120, samples: 25)]),
        FiguresOfFile(
            "two tracks, of which the lap has the time", .tcx, tcx([(0, 90, [0...30, 60...120])]),
            [Figures(0, 120, 90, samples: 20)]),
        FiguresOfFile(
            "two tracks that the lap goes on between", .tcx,
            tcx([(0, 120, [0...30, 60...120])]), [Figures(0, 120, 120, samples: 20)]),
        FiguresOfFile(
            "a pause within, longer than its gap", .tcx,
            tcx([(0, 60, [0...30, 50...80]), (100, 60, [100...160])]),
            [Figures(0, 160, 120, samples: 27)]),
        FiguresOfFile(
            "each as long as all", .tcx, tcx([(0, 120, [0...55]), (60, 120, [60...120])]),
            [Figures(0, 120, 120, samples: 25)]),
        FiguresOfFile(
            "a pause first in a lap", .tcx,
            tcx([(0, 160, [0...60, 240...320]), (340, 60, [340...400])]),
            [Figures(0, 400, 220, samples: 43)]),
        FiguresOfFile(
            "a pause in the last lap, without a second track", .tcx,
            tcx([(0, 60, [0...60]), (60, 60, [65...80, 200...240])]),
            [Figures(0, 240, 120, samples: 26)]),
        FiguresOfFile(
            "no time of laps, and a gap", .tcx, tcx([(0, 0, [0...30, 60...120])]),
            [Figures(0, 120, 90, samples: 20)]),
        FiguresOfFile(
            "no time of two laps", .tcx, tcx([(0, 0, [0...60]), (65, 0, [65...120])]),
            [Figures(0, 120, 120, samples: 25)]),
        FiguresOfFile(
            "a lap's time counted from the walk's start", .tcx,
            tcx([(0, 65, [0...60]), (65, 900, [65...120])]),
            [Figures(0, 120, 120, samples: 25)]),
        FiguresOfFile(
            "a lap of another clock", .tcx,
            tcx([(3_000, 60, [0...30]), (30, 60, [30...90])]),
            [Figures(0, 90, 90, samples: 20)]),
    ]

    @Test("has pauses between laps that are as long as the laps say", arguments: laps)
    func lapGaps(_ file: FiguresOfFile) { file.expect() }

    @Test("is not one that the file has told before")
    func twice() {
        let once = FITMaker { file in
            file.records(0...60)
            file.sum(0, elapsed: 60)
        }.bytes
        let other = FITMaker { file in
            file.records(100...160)
            file.sum(100, elapsed: 60)
        }.bytes
        let figures = [0.0, 100].map { Figures($0, 60, 60, millimetres: 90_000, samples: 13) }
        let files = [(once + once + other, 1), (once + other, 0), (once + other + once, 1)]
        for (bytes, count) in files {
            let (facts, damage) = readWalks(.fit, bytes)
            #expect(damage == nil && sessions(facts).map { Figures($0) } == figures)
            #expect(facts.leftOut.reduce(0) { $0 + Int($1.count) } == count)
        }
    }

    @Test(
        "is two stretches where the clock of a file jumps by weeks, and a stray is left out",
        arguments: [
            (WalkFileFormat.csv, "time,bpm\n", "@,99\n"),
            (
                .gpx, "<gpx><trk><trkseg>",
                "<trkpt lat='8' lon='1'><time>@</time><extensions><hr>99</hr></extensions></trkpt>"
            ),
            (
                .tcx, "<TrainingCenterDatabase><Activity><Lap><Track>",
                "<Trackpoint><Time>@</Time><HeartRateBpm><Value>99</Value></HeartRateBpm>"
                    + "</Trackpoint>"
            ),
        ])
    func jumps(_ format: WalkFileFormat, _ head: String, _ point: String) {
        func read(_ times: [String]) -> (figures: [Figures], leftOut: [UInt64]) {
            let points = times.map { point.replacing("@", with: "\($0)Z") }.joined()
            let (facts, _) = readWalks(format, head + points)
            let figures = sessions(facts).map { Figures($0) }.map {
                Figures($0.start, $0.elapsed, $0.active, samples: $0.samples)
            }
            return (figures, facts.leftOut.map(\.count))
        }
        let one = (10...20).map { "2026-03-01T09:00:\($0)" }
        let other = (30...50).map { "2026-03-21T09:00:\($0)" }
        let day = 86_400.0
        let both = read(one + other)
        #expect(
            both.figures == [
                Figures(10, 10, 10, samples: 11), Figures(20 * day + 30, 20, 20, samples: 21),
            ])
        #expect(both.leftOut.isEmpty)
        #expect(read(other + one).figures == both.figures)
        for stray in [1, 5, 11] {
            let strays = one.prefix(stray) + other.prefix(1) + one.dropFirst(stray)
            let rest = read(Array(strays))
            #expect(rest.figures == [Figures(10, 10, 10, samples: 11)] && rest.leftOut == [1])
        }
    }
}
