import Events
import Projections
import TestSupport
import Testing

@Suite("A pedometer that falls silent")
struct SilentPedometerTests {
    /// A walk of 90 s at 1.4 m/s with a fix each second, in which the pedometer tells the seconds
    /// that it has counted, or nothing where it is silent; and its distance after each second.
    private func walk(
        _ rules: Rules = Rules(), pause: Range<Int> = 0..<0, givesDistance: Bool = true,
        _ reading: (Int) -> Int?
    ) throws -> (session: SessionReport, distances: [UInt64]) {
        var tape = Tape(rules: rules)
        try tape.command(.setProfile(Profile(heightMillimetres: 1_687)))  // 700 mm a step
        try tape.command(.start())
        var distances: [UInt64] = []
        for second in 0...90 {
            if !pause.isEmpty, second == pause.lowerBound { try tape.command(.pause) }
            if !pause.isEmpty, second == pause.upperBound { try tape.command(.resume) }
            if let counted = reading(second).map(UInt64.init), counted > 10_000 {
                tape.append(
                    .counted(
                        pedometer, 2 * counted, distance: givesDistance ? 1_400 * counted : nil))
            } else if let counted = reading(second).map(UInt64.init) {
                tape.count(2 * counted, distance: givesDistance ? 1_400 * counted : nil)
            }
            tape.fix(at: (480_000_000 + Int64(second) * 126, 110_000_000))
            distances.append(tape.session.distanceMillimetres ?? 0)
            tape.wait(1_000)
        }
        for (before, after) in zip(distances, distances.dropFirst()) { #expect(before <= after) }
        return (tape.session, distances)
    }

    /// What 90 s are by the pedometer.
    private let whole: UInt64 = 90 * 1_400

    @Test("S9: is not missed for 10 s, and nothing by position counts", arguments: [1, 9])
    func short(seconds: Int) throws {
        let (session, distances) = try walk { (30..<30 + seconds).contains($0) ? nil : $0 }
        #expect(session.distanceMillimetres == whole && session.distanceSource == .pedometer)
        #expect(session.way.counted[.position] == 0)
        #expect(distances[30 + seconds - 1] == 29 * 1_400)
    }

    @Test("S9: tells what it counted meanwhile, and nothing counts twice", arguments: [11, 40])
    func comesBack(seconds: Int) throws {
        for givesDistance in [true, false] {
            let (session, distances) = try walk(givesDistance: givesDistance) {
                (30..<30 + seconds).contains($0) ? nil : $0
            }
            // Meanwhile the fixes tell it, from the last reading on.
            let meanwhile = Int(distances[29 + seconds]) - (29 + seconds) * 1_400
            #expect(meanwhile.magnitude < 17_000, "\(meanwhile)")
            let rest = (session.distanceMillimetres ?? 0).subtractingReportingOverflow(whole)
            // The stride is a little less than 700 mm.
            #expect(!rest.overflow && rest.partialValue < 500 || !givesDistance)
            #expect(session.route.distanceMillimetres <= session.distanceMillimetres ?? 0)
            #expect(whole * 95 / 100 <= session.distanceMillimetres ?? 0)
        }
    }

    @Test("S9: a reading that is set aside ends no silence, and brings nothing twice")
    func comesBackWithSpike() throws {
        for givesDistance in [true, false] {
            for spike in [60, 75] {
                let (session, _) = try walk(givesDistance: givesDistance) {
                    $0 == spike ? 1_000_000 : (30..<60).contains($0) ? nil : $0
                }
                let off = Int(session.distanceMillimetres ?? 0) - Int(whole)
                #expect(off.magnitude < 8_000, "\(spike): \(off)")
                #expect(session.excludedDistances == (givesDistance ? 1 : 0))
            }
        }
    }

    @Test("S9: that has counted nothing meanwhile takes nothing back")
    func comesBackWithoutMore() throws {
        let (session, _) = try walk { $0 < 30 ? $0 : $0 < 60 ? nil : $0 - 30 }
        let off = Int(session.distanceMillimetres ?? 0) - Int(whole)
        #expect(off.magnitude < 8_000, "\(off)")
        #expect(session.distanceSource == .mixed)
        #expect((35_000...45_000).contains(session.way.counted[.position]))
    }

    @Test("S9: for good, twice, and from the beginning on")
    func longer() throws {
        let vectors: [(Int) -> Int?] = [
            { $0 < 30 ? $0 : nil }, { $0 == 0 ? 0 : nil }, { _ in nil },
            { (20..<40).contains($0) || (60..<80).contains($0) ? nil : $0 },
            // Dead for some time, and counting from nothing.
            { $0 < 20 ? $0 : $0 < 40 ? nil : $0 - 40 },
        ]
        for (index, reading) in vectors.enumerated() {
            let session = try walk(Rules(), reading).session
            let off = Int(session.distanceMillimetres ?? 0) - Int(whole)
            // The route holds back some 10 s.
            #expect(off.magnitude < 17_000, "\(index): \(off)")
        }
    }

    @Test("S9: goes on by position after a pause, and knows no way through it")
    func pause() throws {
        let vectors: [(Int) -> Int?] = [
            { $0 < 20 ? $0 : nil }, { (20..<75).contains($0) ? nil : $0 },
            { (55..<75).contains($0) ? nil : $0 }, { $0 },
        ]
        for (index, reading) in vectors.enumerated() {
            let session = try walk(pause: 40..<60, reading).session
            let off = Int(session.distanceMillimetres ?? 0) - 70 * 1_400
            // The route holds back some 10 s, and begins anew after the pause.
            #expect(off.magnitude < 25_000, "\(index): \(off)")
        }
    }
}
