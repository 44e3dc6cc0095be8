import Events
import Projections
import Testing

/// What the walker says of a walk afterwards.
@Suite("What is said of a session")
struct KeepingTests {
    /// A walk that has ended, and one that goes on.
    private func walks() throws -> Tape {
        var tape = Tape()
        for isLast in [false, true] {
            try tape.command(.start())
            for second: UInt16 in 0..<20 {
                tape.heart(100 + second, lasting: 1_000)
            }
            if !isLast { try tape.command(.end()) }
        }
        return tape
    }

    @Test("is the last word on each of it, of a session that has ended as of one that goes on")
    func lastWord() throws {
        var tape = try walks()
        let positions = tape.state.sessionReports(at: tape.moment).map(\.position)
        #expect(positions.count == 2)
        for position in positions {
            func keeping() throws -> Keeping {
                try #require(tape.state.sessionReport(position, at: tape.moment)).keeping
            }
            let first = SessionDescribed(
                session: position, sessionName: "Loop", note: "wet", tags: " dog,park , dog,,")
            #expect(try tape.command(.describe(first)) == [.sessionDescribed(first)])
            #expect(try tape.command(.describe(first)).isEmpty, "Nothing of it is new.")
            try tape.command(.describe(SessionDescribed(session: position, sport: .run)))
            try tape.command(.describe(SessionDescribed(session: position, note: "")))
            #expect(try keeping().name == "Loop" && keeping().tags == ["dog", "park"])
            #expect(try keeping().note.isEmpty && keeping().sport.known == .run)
            #expect(try keeping().place.isEmpty && !keeping().isHidden)
        }
        let bytes = tape.state.canonicalBytes()
        #expect(try LogState(canonicalBytes: bytes.span) == tape.state)
    }

    @Test("changes no figure, and what is hidden and listed again is as it was")
    func figures() throws {
        var tape = try walks()
        let before = tape.state.sessionReports(at: tape.moment)
        for report in before {
            try tape.command(
                .describe(SessionDescribed(session: report.position, listing: .hidden)))
        }
        let hidden = tape.state.sessionReports(at: tape.moment)
        #expect(hidden.allSatisfy { $0.keeping.isHidden && !$0.isSummed })
        #expect(WalkFilter().find(in: hidden).walks.isEmpty)
        #expect(WalkFilter().find(in: hidden).hidden == 2)
        #expect(hidden.map(\.heartRate) == before.map(\.heartRate))
        for report in before {
            try tape.command(
                .describe(SessionDescribed(session: report.position, listing: .listed)))
        }
        #expect(tape.state.sessionReports(at: tape.moment) == before)
    }

    @Test("is said of a walk of an import as well, and of one that was made up")
    func otherSources() throws {
        var tape = Tape()
        tape.append(.importBegan(ImportBegan()), source: 1)
        let imported = tape.append(.sessionStarted(SessionStarted()), source: 1)
        tape.append(.sessionEnded(SessionEnded()), source: 1)
        tape.append(.importBegan(ImportBegan()), source: 2)
        tape.flags.insert(.simulated)
        let simulated = tape.append(.sessionStarted(SessionStarted()))
        tape.flags.remove(.simulated)
        for position in [imported, simulated] {
            try tape.command(
                .describe(SessionDescribed(session: position, sessionName: "Old")))
            #expect(tape.state.sessionReport(position, at: tape.moment)?.keeping.name == "Old")
        }
        #expect(tape.state.findings.total == 0)
        // An import says nothing of the walker's sessions, nor of another import's.
        tape.append(
            .sessionDescribed(SessionDescribed(session: imported, sessionName: "New")), source: 2)
        #expect(tape.state.sessionReport(imported, at: tape.moment)?.keeping.name == "Old")
        #expect(tape.state.findings.kept.map(\.code) == [.sessionOutOfPlace])
    }

    @Test("is refused of no session")
    func refused() throws {
        var tape = try walks()
        let other = SessionDescribed(session: 1, sessionName: "Loop")
        #expect(throws: Refusal(.noSuchSession)) { try tape.command(.describe(other)) }
        let before = tape.state.sessionReports(at: tape.moment)
        tape.append(.sessionDescribed(other))
        #expect(tape.state.sessionReports(at: tape.moment) == before)
        #expect(tape.state.findings.kept.map(\.code) == [.sessionOutOfPlace])
        let long = SessionDescribed(
            session: before[0].position, sessionName: String(repeating: "x", count: 129))
        #expect(throws: FieldError.self) {
            try Event.sessionDescribed(long).encodedPayload()
        }
    }

    @Test("does not let a walk go on that nobody records")
    func left() throws {
        var tape = Tape()
        tape.append(.recorderStarted(RecorderStarted()))
        let session = tape.append(.sessionStarted(SessionStarted()))
        tape.wait(10_000)
        tape.append(.recorderStopped(RecorderStopped()))
        let before = tape.session
        tape.wait(3_600_000)
        try tape.command(.describe(SessionDescribed(session: session, sessionName: "Loop")))
        #expect(tape.session.elapsedMilliseconds == before.elapsedMilliseconds)
        #expect(tape.session.leftAtMilliseconds == before.leftAtMilliseconds)
    }

    @Test("a session keeps the zone in which it began")
    func zone() throws {
        var tape = Tape()
        let zones: [Int64] = [60, -480]
        for minutes in zones {
            tape.append(.zoneOffsetChanged(ZoneOffsetChanged(fromMinutes: 0, toMinutes: minutes)))
            tape.append(.sessionStarted(SessionStarted()))
            tape.append(.zoneOffsetChanged(ZoneOffsetChanged(fromMinutes: minutes, toMinutes: 0)))
            tape.append(.sessionEnded(SessionEnded()))
        }
        #expect(tape.state.sessionReports(at: tape.moment).map(\.offsetMinutes) == zones)
    }
}
