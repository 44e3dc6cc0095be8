import Events
import Projections
import TestSupport
import Testing

@Suite("Positions by whatever clock, and whenever they come")
struct FixClockTests {
    /// A fix that was taken at a second, by a clock that is so many seconds behind.
    private struct Fix {
        let taken: Int64
        let late: Int64

        init(_ taken: Int64, late: Int64 = 0) { (self.taken, self.late) = (taken, late) }
    }

    /// The fixes that come at a second.
    private typealias Coming = @Sendable (Int64) -> [Fix]

    private static func backlog(
        _ from: Int64, _ to: Int64
    ) -> [Fix] {
        (from...to).map { Fix($0) }
    }

    private static let comings: [(String, Coming)] = [
        ("as they are taken", { [Fix($0)] }),
        ("late from 300 s to 800 s", { [Fix($0, late: (300..<800).contains($0) ? 200 : 0)] }),
        ("late, but for one", { [Fix($0, late: $0 < 800 && $0 != 300 ? 200 : 0)] }),
        ("of two clocks", { [Fix($0), Fix($0, late: 200)] }),
        ("in batches", { $0 % 300 == 0 ? backlog($0 - 299, $0) : [] }),
        (
            "after the first one in a backlog",
            { $0 == 600 ? backlog(2, 600) : 2 <= $0 && $0 < 600 ? [] : [Fix($0)] }
        ),
        (
            "in a backlog after live ones",
            {
                $0 == 603 ? [Fix($0)] + backlog(101, 600) : 100 < $0 && $0 <= 600 ? [] : [Fix($0)]
            }
        ),
        (
            "in a backlog at double speed",
            {
                $0 == 1 ? [Fix($0)] : $0 <= 600 ? [] : backlog(2 * $0 - 1_200, 2 * $0 - 1_199)
            }
        ),
        (
            "in groups, the last one first",
            { $0 % 20 == 0 ? backlog($0 - 19, $0).reversed() : [] }
        ),
    ]

    /// A walk of 20 minutes at 1.4 m/s.
    private func walk(
        _ coming: Coming, clockSet step: Int64 = 0, pause: ClosedRange<Int64>? = nil,
        hasSteps: Bool = true
    ) throws -> UInt64 {
        var tape = Tape()
        try tape.command(.setProfile(Profile(heightMillimetres: 1_687)))  // 700 mm a step
        try tape.command(.start())
        for second: Int64 in 1...1_200 {
            if second == pause?.lowerBound { try tape.command(.pause) }
            if second == pause?.upperBound { try tape.command(.resume) }
            if second == 300 { tape.wallMilliseconds += step * 1_000 }
            tape.wait(1_000)
            if hasSteps { tape.count(2 * UInt64(second)) }
            for fix in coming(second) {
                tape.fix(
                    at: (fix.taken * 126, 7),
                    fixedAt: Tape.start + 1_000 * (fix.taken - fix.late))
            }
        }
        try tape.command(.end(.requested))
        return (tape.session.distanceMillimetres ?? 0) / 1_000
    }

    @Test("no way counts twice, and none is lost", arguments: comings.indices)
    func clocks(_ index: Int) throws {
        let (name, coming) = Self.comings[index]
        let metres = try walk(coming)
        #expect((1_640...1_690).contains(metres), "\(name): \(metres)")
    }

    @Test("nor where the machine's clock is set", arguments: [100, 600, 3_600, -100, -3_600])
    func clockSet(step: Int64) throws {
        let metres = try walk(Self.comings[0].1, clockSet: step)
        #expect((1_640...1_690).contains(metres), "\(metres)")
    }

    @Test("a pause is none of the way, also of fixes that come after it", arguments: [true, false])
    func pause(hasSteps: Bool) throws {
        let metres = try walk(
            { $0 == 700 ? Self.backlog(101, 700) : 100 < $0 && $0 < 700 ? [] : [Fix($0)] },
            pause: 300...600, hasSteps: hasSteps)
        #expect((1_220...1_270).contains(metres), "\(metres)")
    }
}
