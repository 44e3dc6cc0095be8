import Events
import Projections
import TestSupport
import Testing

@Suite("Positions of a phone")
struct PhoneFixTests {
    private static let phone = PositionSourceTold(.ownTracks, name: "PH", batteryPercent: 80)

    /// Seconds of the walk whose fixes come in this one.
    private typealias Coming = @Sendable (Int64) -> [Int64]

    /// A walk of 20 minutes at 1.4 m/s, by a phone or, with the same fixes, by a receiver.
    private func walk(
        hasSteps: Bool = false, pause: ClosedRange<Int64>? = nil, isByPhone: Bool = true,
        _ coming: (Int64) -> [Int64]
    ) throws -> Tape {
        var tape = Tape()
        try tape.command(.setProfile(Profile(heightMillimetres: 1_687)))  // 700 mm a step
        try tape.command(.start())
        var distance: UInt64 = 0
        for second: Int64 in 1...1_200 {
            if second == pause?.lowerBound { try tape.command(.pause) }
            if second == pause?.upperBound { try tape.command(.resume) }
            tape.wait(1_000)
            if hasSteps { tape.count(2 * UInt64(second)) }
            for taken in coming(second) {
                let fix = Self.fix(taken)
                try tape.command(
                    isByPhone
                        ? .phoneFix(PhoneFix(fix, of: Self.phone)) : .record(.positionFixed(fix)))
            }
            let now = tape.session.distanceMillimetres ?? 0
            #expect(now >= distance, "what was told stays told")
            distance = now
        }
        try tape.command(.end(.requested))
        return tape
    }

    /// The fix of a second.
    private static func fix(_ taken: Int64) -> PositionFixed {
        PositionFixed(
            latitudeE7: 481_000_000 + taken * 126, longitudeE7: 115_000_000,
            accuracyMillimetres: 5_000, fixedAtMilliseconds: Tape.start + 1_000 * taken)
    }

    private static let comings: [(String, Coming)] = [
        ("each second", { [$0] }),
        ("each ten seconds", { $0 % 10 == 0 ? [$0] : [] }),
        (
            "1,000 at once",
            { $0 < 100 || $0 > 1_100 ? [$0] : $0 == 1_100 ? Array(100...1_100) : [] }
        ),
        ("each twice", { [$0, $0] }),
        ("again after the next ones", { $0 > 30 ? [$0, $0 - 20] : [$0] }),
        ("all at the end", { $0 == 1_200 ? Array(1...1_200) : [] }),
        (
            "in batches, two minutes late",
            { $0 % 60 == 0 && $0 > 120 ? ($0 - 179...$0 - 120).map(\.self) : [] }
        ),
    ]

    @Test("give the way once, whenever they come", arguments: comings.indices, [false, true])
    func arrivals(_ index: Int, hasSteps: Bool) throws {
        let (name, coming) = Self.comings[index]
        let tape = try walk(hasSteps: hasSteps, coming)
        let metres = (tape.session.distanceMillimetres ?? 0) / 1_000
        let most: UInt64 = index == 6 && !hasSteps ? 1_500 : 1_630
        #expect((most...1_700).contains(metres), "\(name), \(hasSteps): \(metres)")
        let late = tape.session.leftOutFixes[.outOfOrder]
        #expect(late == (index == 4 ? 1_170 : 0), "\(name): \(late)")
        var folded = LogState()
        for event in tape.recorded { folded.take(event) }
        #expect(folded.canonicalBytes() == tape.state.canonicalBytes())
    }

    @Test("give the same way as a receiver's")
    func receiver() throws {
        for coming in Self.comings.prefix(3) {
            let phone = try walk(coming.1).session.distanceMillimetres
            let receiver = try walk(isByPhone: false, coming.1).session.distanceMillimetres
            #expect(phone == receiver, "\(coming.0)")
        }
    }

    @Test("that were kept count on both sides of a pause, and none of it", arguments: [450, 700])
    func pause(at second: Int64) throws {
        for hasSteps in [false, true] {
            let tape = try walk(hasSteps: hasSteps, pause: 300...600) {
                $0 == second ? Array(101...second) : 100 < $0 && $0 < second ? [] : [$0]
            }
            let metres = (tape.session.distanceMillimetres ?? 0) / 1_000
            #expect((1_215...1_275).contains(metres), "\(hasSteps): \(metres)")
        }
    }

    @Test("that a network sends as it likes give the way", arguments: 0..<40 as Range<UInt64>)
    func property(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (isOnline, next, waiting) = (true, Int64(0), [Int64]())
        let tape = try walk(hasSteps: seed % 2 == 0) { second in
            if second >= next {
                isOnline.toggle()
                next = second + Int64.random(in: 1...(isOnline ? 40 : 300), using: &random)
            }
            waiting.append(second)
            guard isOnline || second == 1_200 else { return [] }
            defer { waiting = [] }
            let copies = Int.random(in: 0...3, using: &random)
            return waiting + (0..<copies).map { _ in waiting.randomElement(using: &random)! }
        }
        let metres = (tape.session.distanceMillimetres ?? 0) / 1_000
        #expect((1_600...1_720).contains(metres), "seed \(seed): \(metres)")
    }

    @Test("outside of the walk, or unfit by their own word, are left out and counted")
    func leftOut() throws {
        var tape = Tape()
        #expect(try tape.command(.phoneFix(PhoneFix(Self.fix(0), of: Self.phone))).isEmpty)
        tape.wait(60_000)
        try tape.command(.start())
        for taken in [0, 59, 60 + 301, 86_400] {
            try tape.command(.phoneFix(PhoneFix(Self.fix(Int64(taken)), of: Self.phone)))
        }
        let network = PositionSourceTold(.ownTracks, name: "PH", leftOut: .network)
        try tape.command(.phoneFix(PhoneFix(Self.fix(60), of: network)))
        let left = tape.session.leftOutFixes
        #expect(left[.ahead] == 2 && left[.network] == 1 && left.sum == 3, "of before is none")
        #expect(tape.session.route.isEmpty && tape.own.recorder.fixes == 0)
    }

    @Test("count while a receiver is silent, or half as exact; one of the two at a time")
    func leading() throws {
        var tape = try Tape.walking()
        func fix(
            _ error: UInt64, isByPhone: Bool, after seconds: UInt64 = 1, ago: Int64 = 0
        ) throws -> Int {
            tape.wait(seconds * 1_000)
            var fix = Self.fix((tape.wallMilliseconds - Tape.start) / 1_000 - ago)
            fix.accuracyMillimetres = error
            return try tape.command(
                isByPhone
                    ? .phoneFix(PhoneFix(fix, of: Self.phone)) : .record(.positionFixed(fix))
            ).count
        }
        let events = [
            try fix(5_000, isByPhone: false, after: 60), try fix(4_000, isByPhone: true),
            // What it has kept is exact enough, but of before.
            try fix(1_000, isByPhone: true, ago: 30),
            try fix(2_000, isByPhone: true), try fix(5_000, isByPhone: false),
            try fix(9_000, isByPhone: false, after: 30), try fix(9_000, isByPhone: true),
            try fix(9_000, isByPhone: true, after: 70), try fix(9_000, isByPhone: true),
        ]
        #expect(events == [1, 0, 0, 2, 0, 2, 0, 2, 1])
        #expect(tape.own.recorder.positions.shown.map(\.isPhone) == [true, false])
    }

    @Test("are recorded while the walker stands still: they tell when that is over")
    func standstill() throws {
        var tape = try Tape.walking()
        func send() throws -> Int {
            tape.wait(10_000)
            let fix = Self.fix((tape.wallMilliseconds - Tape.start) / 1_000)
            return try tape.command(.phoneFix(PhoneFix(fix, of: Self.phone))).count
        }
        #expect(try send() == 2)
        try tape.command(.standStill)
        #expect(try send() == 1)
        for command in [Command.moveOn, .pause] { try tape.command(command) }
        #expect(try send() == 0, "of a pause nothing is kept")
    }
}
