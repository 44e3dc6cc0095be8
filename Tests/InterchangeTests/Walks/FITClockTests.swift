import Events
import Interchange
import Projections
import Testing

@Suite("The clock of a FIT file")
struct FITClockTests {
    private static let day: Int64 = 86_400

    /// Ten minutes of records by a clock that is ahead, and a session by another one.
    private static func clock(
        session start: Int64 = 0, total: UInt32? = 600, _ ahead: @escaping (Int64) -> Int64
    ) -> (inout FITMaker) -> Void {
        { file in
            file.ahead = ahead(0)
            file.timer(0, 0)
            for second in stride(from: Int64(0), through: 600, by: 5) {
                file.ahead = ahead(second)
                file.record(second, [(3, .byte(100)), (5, .word(UInt32(second * 150)))])
            }
            file.timer(600, 4)
            guard let total else { return }
            file.ahead = start
            file.sum(0, elapsed: total, active: total, sport: 11, strides: 500, metres: 900)
        }
    }

    private static func jumping(
        at turn: Int64, by jump: Int64, session start: Int64 = 0, total: UInt32? = 600
    ) -> (inout FITMaker) -> Void {
        clock(session: start, total: total) { $0 > turn ? jump : 0 }
    }

    /// What a clock is ahead that counts the seconds since the device was switched on.
    private static let neverSet = 1_000 - Int64(FITCodecTests.second)

    private static func whole(_ start: Int64, _ elapsed: Double = 600) -> [Figures] {
        [
            Figures(
                Double(start), elapsed, elapsed, steps: 1_000, millimetres: 900_000, samples: 121)
        ]
    }

    private static let jumps: [FiguresOfFile] = [
        FiguresOfFile("20 days ahead", whole(20 * day), jumping(at: 120, by: 20 * day)),
        FiguresOfFile(
            "20 days ahead, the session by the later clock", whole(20 * day),
            jumping(at: 120, by: 20 * day, session: 20 * day)),
        FiguresOfFile("back by years", whole(-1_000 * day), jumping(at: 120, by: -1_000 * day)),
        FiguresOfFile("after the longer part", whole(0), jumping(at: 480, by: 20 * day)),
        FiguresOfFile("after one record", whole(20 * day), jumping(at: 0, by: 20 * day)),
        FiguresOfFile("25 hours ahead", whole(90_000), jumping(at: 120, by: 90_000)),
        FiguresOfFile("a day back", whole(-day), jumping(at: 120, by: -day)),
        FiguresOfFile(
            "two hours ahead, the session by the later clock", whole(7_200),
            jumping(at: 120, by: 7_200, session: 7_200)),
        FiguresOfFile("an hour back", whole(-3_600), jumping(at: 120, by: -3_600)),
        FiguresOfFile("five minutes back", whole(-300), jumping(at: 240, by: -300)),
        FiguresOfFile(
            "an hour back for a minute", whole(0),
            clock { (120..<180).contains($0) ? -3_600 : 0 }),
        FiguresOfFile("never", whole(0), jumping(at: 600, by: 0)),
        FiguresOfFile(
            "never set before", whole(0), clock(session: neverSet) { $0 > 120 ? 0 : neverSet }),
    ]

    @Test("may jump: with the file's own total it is one walk", arguments: jumps)
    func joined(_ file: FiguresOfFile) { file.expect() }

    @Test("may jump: without a total there are two walks, and what is too short is named")
    func apart() {
        let two = FITMaker(Self.jumping(at: 120, by: 20 * Self.day, total: nil)).bytes
        let (facts, damage) = readWalks(.fit, two)
        #expect(damage == nil && facts.leftOut.isEmpty)
        #expect(
            sessions(facts).map { Figures($0) } == [
                Figures(0, 120, 120, millimetres: 180_000, samples: 25),
                Figures(
                    Double(20 * Self.day + 125), 475, 475, millimetres: 712_500, samples: 96),
            ])
        let short = FITMaker(Self.jumping(at: 15, by: 20 * Self.day, total: nil)).bytes
        let late = readWalks(.fit, short).facts
        #expect(sessions(late).map(\.elapsedMilliseconds) == [580_000])
        #expect(late.leftOut.map(\.what) == ["FIT messages without a date that fits"])
    }

    @Test(
        "has not jumped where its total may only leave a pause out",
        arguments: [700, 1_800, 7_200, 36_000, 57_600, 86_000], [false, true])
    func pause(gap: Int64, hasTimer: Bool) {
        let bytes = FITMaker { file in
            if hasTimer { file.timer(0, 0) }
            file.records(0...300)
            file.records(300 + gap...600 + gap, from: 450)
            if hasTimer { file.timer(600 + gap, 4) }
            file.sum(0, elapsed: 600, active: 600, saved: 605 + gap)
        }.bytes
        let figures = sessions(readWalks(.fit, bytes).facts).map { Figures($0) }
        let elapsed = Double(600 + gap)
        #expect(figures == [Figures(0, elapsed, 600, millimetres: 900_000, samples: 122)])
    }

    @Test("may jump for a moment: that moment is left out")
    func strays() {
        let bytes = FITMaker { file in
            for second in stride(from: Int64(0), through: 600, by: 5) {
                file.ahead = second == 300 ? 400 * Self.day : 0
                file.record(second)
            }
            file.ahead = 0
            file.sum(0, elapsed: 600)
        }.bytes
        let (facts, damage) = readWalks(.fit, bytes)
        #expect(damage == nil)
        #expect(sessions(facts).map { Figures($0) } == [Figures(0, 600, 600, samples: 120)])
        #expect(facts.leftOut.map(\.count) == [1])
    }

    /// A device that was never set, with seconds since it was switched on.
    private static func undated(_ fill: (inout FITMaker) -> Void) -> [UInt8] {
        FITMaker { file in
            file.ahead = neverSet
            fill(&file)
        }.bytes
    }

    @Test("that was never set begins when somebody says, and is refused where nobody does")
    func undated() {
        let begins = [nineOClock, nineOClock + 1_234_567]
        let files: [[UInt8]] = [
            Self.undated { file in
                file.records(0...595)
                file.sum(0, elapsed: 600, sport: 11, strides: 500)
            },
            Self.undated { file in
                file.sum(0, elapsed: 600, sport: 11, strides: 500)
                file.records(0...595)
            },
            Self.undated { file in
                file.timer(0, 0)
                file.records(5...595, from: 7.5)
                file.lap(0, elapsed: 600)
                file.timer(600, 4)
                file.sum(0, elapsed: 600, saved: 9_000, sport: 11, strides: 500)
            },
        ]
        for (index, bytes) in files.enumerated() {
            let (none, damage) = readWalks(.fit, bytes)
            #expect(damage?.contains("--begin") == true && sessions(none).isEmpty)
            for begin in begins {
                let times = StatedTimes(beganAtMilliseconds: begin)
                let (facts, damage) = readWalks(.fit, bytes, times)
                #expect(damage == nil && facts.leftOut.isEmpty)
                let figures = Figures(
                    Double(begin - nineOClock) / 1_000, 600, 600, steps: 1_000,
                    millimetres: 892_500, samples: index == 2 ? 119 : 120)
                #expect(sessions(facts).map { Figures($0) } == [figures])
            }
        }
        // Of a file with dates nobody has to say anything.
        let dated = FITMaker { $0.records(0...600) }.bytes
        let times = StatedTimes(beganAtMilliseconds: nineOClock + 1)
        #expect(
            sessions(readWalks(.fit, dated, times).facts).map(\.startedAtMilliseconds) == [
                nineOClock
            ])
    }

    @Test("that was never set may be told next to the time")
    func correlation() {
        let bytes = Self.undated { file in
            file.records(0...600)
            let system = file.time(0)
            file.ahead = 0
            file.add(162, [(253, .word(file.time(0))), (1, .word(system))])
        }
        let (facts, damage) = readWalks(.fit, bytes)
        #expect(damage == nil)
        #expect(
            sessions(facts).map { Figures($0) } == [
                Figures(0, 600, 600, millimetres: 900_000, samples: 121)
            ])
    }
}
