import Events
import Interchange
import Projections
import Testing

@Suite("The steps and the distance of a walk in a file")
struct WalkAmountTests {
    private static let twoRuns = [
        Figures(0, 600, 600, steps: 800, millimetres: 900_000, samples: 121),
        Figures(900, 600, 600, steps: 1_000, millimetres: 900_000, samples: 121),
    ]

    /// Two runs, of which the second one's distance and cycles begin somewhere.
    private static func runs(
        metres: Double, cycles: UInt32?, sums: Bool = true
    ) -> (inout FITMaker) -> Void {
        { file in
            let hasCycles = cycles != nil
            file.records(0...600, cycles: hasCycles ? { UInt32($0 * 400 / 600) } : nil)
            file.sum(
                0, elapsed: 600, strides: sums ? 400 : nil, metres: sums ? 900 : nil)
            let before = cycles ?? 0
            file.records(
                900...1_500, from: metres,
                cycles: hasCycles ? { before + UInt32(($0 - 900) * 500 / 600) } : nil)
            file.sum(
                900, elapsed: 600, strides: sums ? 500 : nil, metres: sums ? 900 : nil)
        }
    }

    private static let continued: [FiguresOfFile] = [
        FiguresOfFile(
            "distance goes on, strides of sessions", twoRuns, runs(metres: 900, cycles: nil)),
        FiguresOfFile("both go on", twoRuns, runs(metres: 900, cycles: 400)),
        FiguresOfFile("both go on, no sums", twoRuns, runs(metres: 900, cycles: 400, sums: false)),
        FiguresOfFile("both anew", twoRuns, runs(metres: 0, cycles: 0)),
        FiguresOfFile("both anew, no sums", twoRuns, runs(metres: 0, cycles: 0, sums: false)),
        FiguresOfFile("one anew", twoRuns, runs(metres: 0, cycles: 400)),
        FiguresOfFile(
            "goes on from what was not recorded", twoRuns, runs(metres: 1_000, cycles: 450)),
        FiguresOfFile(
            "of a triathlon the last",
            [Figures(600, 600, 600, steps: 800, millimetres: 1_800_000, samples: 121)],
            leftOut: ["transitions"]
        ) { file in
            file.records(0...595, from: 0, speed: 1)
            file.sum(0, elapsed: 600, sport: 3, metres: 600)
            file.records(600...1_200, from: 600, speed: 3)
            file.sum(600, elapsed: 600, strides: 400, metres: 1_800)
        },
    ]

    private static func minute(steps: UInt64) -> [Figures] {
        [Figures(0, 60, 60, steps: steps, samples: 13)]
    }

    private static let made: [FiguresOfFile] = [
        FiguresOfFile(
            "of a cadence", minute(steps: 160),
            walk({ _ in [(4, .byte(80))] }, until: 60) { $0.sum(0, elapsed: 60) }),
        FiguresOfFile(
            "of cycles, not of a cadence", minute(steps: 100),
            walk({ [(4, .byte(80)), (19, .word(UInt32($0 * 50 / 60)))] }, until: 60) {
                $0.sum(0, elapsed: 60)
            }),
        FiguresOfFile(
            "of strides, not of a cadence", minute(steps: 120),
            walk({ _ in [(4, .byte(80))] }, until: 60) { $0.sum(0, elapsed: 60, strides: 60) }),
        FiguresOfFile(
            "of a ride none", minute(steps: 0),
            walk({ _ in [(4, .byte(80))] }, until: 60) { $0.sum(0, elapsed: 60, sport: 2) }),
        FiguresOfFile("of what stays 0", [Figures(0, 60, 60, millimetres: 0, samples: 13)]) {
            file in
            file.records(0...60, speed: 0)
            file.sum(0, elapsed: 60, metres: 0)
        },
    ]

    @Test("are of places where a distance stays 0")
    func places() throws {
        let bytes = FITMaker { file in
            for second in 0...120 as ClosedRange<Int64> {
                // 1.5 m north each second.
                let north = UInt32(572_662_306 + second * 161)
                file.record(second, [(0, .word(north)), (1, .word(1)), (5, .word(0))])
            }
            file.sum(0, elapsed: 120, metres: 0)
        }.bytes
        let walk = try #require(sessions(readWalks(.fit, bytes).facts).first)
        #expect(abs(Int64(walk.distanceMillimetres ?? 0) - 180_000) < 9_000)
    }

    @Test("are made of what there is", arguments: made)
    func estimates(_ file: FiguresOfFile) { file.expect() }

    @Test("are of each session what is counted in it", arguments: continued)
    func counts(_ file: FiguresOfFile) { file.expect() }

    /// A record's place, as many metres east as a second is late.
    private static func east(_ second: Int64, speed: Double = 1.5) -> [(UInt8, FITMaker.Value)] {
        let degree = 4_294_967_296.0 / 360
        let east = Double(second) * speed / 111_195
        return [(0, .signed(0)), (1, .signed(Int32(east * degree)))]
    }

    private static func rolling(_ second: Int64, speed: Double = 1.5) -> [(UInt8, FITMaker.Value)] {
        let (low, cm) = (Int(Double(second) * speed * 16) & 0xFFF, Int(speed * 100))
        return [(8, .bytes([UInt8(cm & 255), UInt8(cm >> 8 | (low & 15) << 4), UInt8(low >> 4)]))]
    }

    private static let heart: [(UInt8, FITMaker.Value)] = [(3, .byte(100))]
    private static func walk(
        _ fields: @escaping (Int64) -> [(UInt8, FITMaker.Value)], each step: Int64 = 5,
        until end: Int64 = 600, _ sums: @escaping (inout FITMaker) -> Void
    ) -> (inout FITMaker) -> Void {
        { file in
            for second in stride(from: Int64(0), through: end, by: Int(step)) {
                file.record(second, heart + fields(second))
            }
            sums(&file)
        }
    }

    private static func figures(
        _ metres: UInt64, steps: UInt64 = 0, samples: UInt64 = 121
    ) -> [Figures] {
        [Figures(0, 600, 600, steps: steps, millimetres: metres * 1_000, samples: samples)]
    }

    private static let sources: [FiguresOfFile] = [
        FiguresOfFile(
            "of the session alone", figures(900, steps: 1_000),
            walk({ _ in [] }) { $0.sum(0, elapsed: 600, strides: 500, metres: 900) }),
        FiguresOfFile(
            "of laps alone", figures(900, steps: 800),
            walk({ _ in [] }) {
                $0.lap(0, elapsed: 300, strides: 100, metres: 300)
                $0.lap(300, elapsed: 300, strides: 300, metres: 600)
                $0.sum(0, elapsed: 600)
            }),
        FiguresOfFile(
            "of the session, where readings stand at 0", figures(900),
            walk({ _ in [(5, .word(0))] }) { $0.sum(0, elapsed: 600, metres: 900) }),
        FiguresOfFile(
            "of the session, not of the places", figures(900),
            walk({ east($0) }) { $0.sum(0, elapsed: 600, metres: 900) }),
        FiguresOfFile(
            "in twelve bits, with pauses that the timer tells, and that it does not",
            [Figures(0, 1_200, 1_100, millimetres: 900_000, samples: 121)]
        ) { file in
            for second in stride(from: Int64(0), through: 600, by: 5) {
                if second == 300 { file.timer(395, 0) }
                let late: Int64 = second < 300 ? 0 : second < 450 ? 95 : 600
                file.record(second + late, heart + rolling(second))
                if second == 295 { file.timer(295, 4) }
            }
            file.timer(1_200, 4)
            file.sum(0, elapsed: 1_200)
        },
        FiguresOfFile(
            "in twelve bits, each minute and more than a turn", figures(3_000, samples: 11),
            walk({ rolling($0, speed: 5) }, each: 60) { $0.sum(0, elapsed: 600) }),
    ]

    private static let partlyPlaced = [300...600, 0...300, 0...60, 590...600, 200...400].map {
        (placed: ClosedRange<Int64>) in
        FiguresOfFile(
            "of the records, with places at \(placed)", figures(900),
            walk({ [(5, .word(UInt32($0 * 150)))] + (placed.contains($0) ? east($0) : []) }) {
                $0.sum(0, elapsed: 600, metres: 900)
            })
    }

    private static let wandering = [1, 5, 10, 20, 30, 60].map { (step: Int64) in
        FiguresOfFile(
            "of the records, each \(step) s, while places wander",
            figures(450, samples: UInt64(600 / step + 1)),
            walk(
                { [(5, .word(UInt32(max(0, $0 - 300) * 150)))] + east($0 / step % 2 * 8) },
                each: step
            ) { $0.sum(0, elapsed: 600, metres: 450) })
    }

    private static let rollingOn = [0.5, 1, 1.5, 2.5, 4].map { speed in
        FiguresOfFile(
            "in twelve bits, at \(speed) m/s", figures(UInt64(speed * 600)),
            walk({ rolling($0, speed: speed) }) { $0.sum(0, elapsed: 600) })
    }

    @Test(
        "are the device's own, where it has any",
        arguments: sources + partlyPlaced + wandering + rollingOn)
    func distance(_ file: FiguresOfFile) { file.expect() }

    @Test("of a session lie where its places are")
    func spread() throws {
        // It stands for the first half.
        let file = Self.walk({ Self.east(max(0, $0 - 300)) }) {
            $0.sum(0, elapsed: 600, metres: 600)
        }
        let facts = readWalks(.fit, FITMaker { file(&$0) }.bytes).facts
        let readings = facts.timed.compactMap { timed -> (Double, UInt64)? in
            guard case .pedometerRead(let read) = timed.fact else { return nil }
            return (timed.seconds, read.distanceMillimetres ?? 0)
        }
        #expect(readings.last { $0.0 <= 300 }?.1 == 0)
        #expect(readings.last?.1 == 600_000)
    }

    @Test("of laps alone are TCX's, too, in all of their pauses")
    func tcx() {
        func point(_ second: Int) -> String {
            "<Trackpoint><Time>2026-03-01T09:0\(second / 60):\(second % 60 / 10)\(second % 10)Z"
                + "</Time><HeartRateBpm><Value>100</Value></HeartRateBpm></Trackpoint>"
        }
        let points = stride(from: 0, through: 60, by: 5).map(point).joined()
        let text =
            "<TrainingCenterDatabase><Activities><Activity><Lap StartTime=\"2026-03-01T09:00:00Z\">"
            + "<TotalTimeSeconds>60</TotalTimeSeconds><DistanceMeters>123.4</DistanceMeters><Track>"
            + points + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
        FiguresOfFile(
            "", .tcx, text, [Figures(0, 60, 60, millimetres: 123_400, samples: 13)]
        ).expect()
    }

    @Test(
        "are the records', and a summary that says more than 2 % else is kept next to them",
        arguments: [(918, 400, 0), (919, 400, 1), (881, 410, 2), (900, 0, 0), (0, 390, 1)])
    func difference(metres: UInt32, strides: UInt32, count: Int) {
        let bytes = FITMaker { file in
            file.records(0...600, cycles: { UInt32($0 * 400 / 600) })
            file.sum(0, elapsed: 600, strides: strides, metres: metres)
        }.bytes
        let facts = readWalks(.fit, bytes).facts
        #expect(sessions(facts).map(\.distanceMillimetres) == [900_000])
        #expect(facts.differences.count == count)
        for part in facts.differences {
            #expect(part.walk == nineOClock)
            #expect(part.summary == UInt64(part.isOfDistance ? metres * 1_000 : strides * 2))
            #expect(part.recorded == (part.isOfDistance ? 900_000 : 800))
        }
    }
}
