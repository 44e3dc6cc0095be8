import Events
import Projections
import TestSupport
import Testing

@Suite("The link in a session")
struct SessionLinkTests {
    /// A session that began with the link up since half a second.
    private func tape() throws -> Tape {
        var tape = Tape()
        tape.append(.linkUp(LinkUp(device: strap, connectMilliseconds: 540)))
        tape.wait(500)
        try tape.command(.start())
        return tape
    }

    @Test("S13: a span lasts from link up, or the start, to its end, and a pause is in it")
    func spans() throws {
        var tape = try tape()
        tape.wait(4_000)
        tape.linkLost()
        tape.wait(7_000)
        tape.append(.connectFailed(ConnectFailed(device: strap)))
        tape.append(.linkUp(LinkUp(device: strap, connectMilliseconds: 901)))
        tape.wait(1_000)
        try tape.pause(for: 2_000)
        let open = tape.session.link
        #expect(open.spans.map(\.startMilliseconds) == [0, 11_000])
        #expect(open.spans.map(\.durationMilliseconds) == [4_000, 3_000])
        #expect(open.spans.map(\.end) == [.unknown, nil])
        #expect(open.upMilliseconds == 7_000)
        tape.wait(500)
        try tape.command(.end())
        tape.wait(9_000)
        tape.linkLost()
        let link = tape.session.link
        #expect(link.spans.map(\.durationMilliseconds) == [4_000, 3_500])
        #expect(link.spans.map(\.end) == [.unknown, .sessionEnded])
        #expect(link.connects == 2)
        #expect(link.longestGapMilliseconds == 7_000)
        #expect(link.failedAttempts == 1)
        #expect(link.connecting.firstMilliseconds == 540)
        #expect(link.connecting.meanMilliseconds == 721)
        #expect(link.connecting.longestMilliseconds == 901)
        #expect(link.drops == [1, 0, 0, 0, 0, 0, 0])
    }

    @Test("S13: a gap lasts until the link is up, or to the end, and none is before the first")
    func gaps() throws {
        var tape = try Tape.walking()
        tape.wait(60_000)
        #expect(tape.session.link.longestGapMilliseconds == 0)
        #expect(tape.session.link.connects == 0)
        // A value proves that the link stands.
        tape.heart(80)
        tape.linkLost()
        tape.heart(80, after: 5_000)
        tape.linkLost()
        tape.wait(4_000)
        #expect(tape.session.link.longestGapMilliseconds == 5_000)
        tape.wait(4_000)
        #expect(tape.session.link.longestGapMilliseconds == 8_000)
        try tape.command(.end())
        #expect(tape.session.link.longestGapMilliseconds == 8_000)
        #expect(tape.session.link.connecting.meanMilliseconds == nil)
    }

    static let ends: [(cause: LinkLossCause, end: LinkEnd)] = [
        (.unknown, .unknown), (.timeout, .timeout), (.remote, .remote),
        (.authentication, .authentication), (.suspended, .suspended),
        (.adapterLost, .adapterLost), (.daemonLost, .daemonLost), (.requested, .requested),
    ]

    @Test("S13: drops are told by cause; a loss that was asked for is none", arguments: ends)
    func causes(_ vector: (cause: LinkLossCause, end: LinkEnd)) throws {
        #expect(vector.end.name == vector.cause.name)
        var tape = try tape()
        tape.append(.linkLost(LinkLost(device: strap, cause: vector.cause)))
        let link = tape.session.link
        #expect(link.spans.map(\.end) == [vector.end])
        for (cause, count) in zip(LinkEnd.drops, link.drops) {
            #expect(count == (cause == vector.end ? 1 : 0))
        }
    }

    @Test("S13: a recorder that was cut off heard of the link last when its last value came")
    func recorderGone() throws {
        var tape = try tape()
        tape.heart(80, after: 3_000)
        tape.wait(2_000)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: ""))
        let link = tape.session.link
        #expect(link.spans.map(\.durationMilliseconds) == [3_000])
        #expect(link.spans.map(\.end) == [.recorderGone])
        #expect(link.longestGapMilliseconds == 2_000)
        #expect(link.drops.allSatisfy { $0 == 0 })
    }

    @Test("S13: another strap begins a span of its own")
    func otherStraps() throws {
        var tape = try tape()
        tape.wait(3_000)
        tape.linkLost(otherStrap)
        tape.heart(80, device: otherStrap)
        tape.linkLost()
        tape.wait(1_000)
        let link = tape.session.link
        #expect(link.spans.map(\.end) == [.otherStrap, nil])
        #expect(link.spans.map(\.values) == [0, 1])
        #expect(link.longestGapMilliseconds == 0)
    }

    @Test("S13: the last 32 spans that ended are kept, and all are counted")
    func limit() throws {
        var tape = try tape()
        for _ in 0..<50 {
            tape.wait(1_000)
            tape.linkLost()
            tape.wait(100)
            tape.linkUp()
        }
        #expect(tape.session.link.connects == 51)
        #expect(tape.session.link.spans.count == 32)
        #expect(tape.session.link.spans.last?.startMilliseconds == 55_000)
        #expect(tape.session.link.upMilliseconds == 50_000)
        #expect(tape.session.link.drops[0] == 50)
        #expect(try LogState(canonicalBytes: tape.state.canonicalBytes().span) == tape.state)
    }

    @Test("S13: RR intervals against the clock tell how often values came", arguments: 1...4)
    func conservation(factor: Int) throws {
        var tape = try tape()
        for second in 0..<60 {
            for _ in 0..<factor { tape.heart(80, rr: [512, 512]) }
            tape.wait(1_000)
            if second == 30 { try tape.pause(for: 500) }
        }
        let span = try #require(tape.session.link.spans.last)
        #expect(span.rrConservation?.description == "\(factor).00")
        #expect(span.values == UInt64(60 * factor))
        #expect(span.deliveryFactor == UInt64(factor))
        #expect(tape.session.rrConservation.ratio?.description == "1.00")
        #expect(!tape.session.rrConservation.isOff)
    }

    @Test("S13: what is delivered twice unnoticed, or lost, shows in the RR intervals")
    func secondWitness() throws {
        for (rr, isOff) in [([512, 512, 1_024], true), ([900], true), ([1_000], false)] {
            var tape = try tape()
            for second in 0..<60 {
                #expect(!tape.session.rrConservation.isOff || second >= 30)
                tape.heart(80, rr: rr.map { UInt16($0) }, lasting: 1_000)
            }
            #expect(tape.session.rrConservation.isOff == isOff)
        }
    }

    @Test("S6, S13: spans last as long as the link stood by the session's time", arguments: 0..<30)
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var tape = try Tape.walking()
        for _ in 0..<200 {
            tape.wait(random.below(9_000))
            switch random.below(5) {
            case 0: tape.linkLost()
            case 1: tape.linkUp()
            case 2: tape.heart(60 + UInt16(random.below(50)), device: otherStrap)
            default: tape.heart(60 + UInt16(random.below(50)))
            }
            let report = tape.session
            let time = report.accounting
            let up = time.freshMilliseconds + time.silentMilliseconds + time.noContactMilliseconds
            #expect(report.link.upMilliseconds == up, "seed \(seed)")
        }
    }
}
