import Events
import Projections
import TestSupport
import Testing

/// T10: made-up input is a source of its own.
@Suite("What a recorder makes up")
struct SimulatedSourceTests {
    private static let pod = DeviceID(address: 9, space: .kernel)

    /// A walker who counted 60 steps, and a recorder that made up 500 and a total.
    private func tape(rules: Rules = Rules()) throws -> Tape {
        var tape = Tape(rules: rules)
        try tape.command(.refresh(.start))
        tape.count(100)
        tape.count(160, after: 60_000)
        tape.flags.insert(.simulated)
        tape.state.isSimulated = true
        try tape.command(
            .startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: "UTC"))
        try tape.command(.pair(Self.pod, name: "Nobody's", roles: .footPod))
        try tape.command(.start())
        tape.count(0, device: Self.pod)
        tape.count(500, device: Self.pod, after: 60_000)
        try tape.command(.healthTotal(9_000, origin: Reporter(.push)))
        try tape.command(.end())
        return tape
    }

    @Test("enters no day, device or choice of the walker's, and is there beside them")
    func apart() throws {
        var tape = try tape()
        tape.state.isSimulated = false
        let walked = tape.state.own
        #expect(walked.steps.current?.displayed == 60 && walked.steps.current?.pedometerSteps == 60)
        #expect(walked.steps.current?.observedTotal == nil)
        #expect(walked.devices.all.isEmpty && walked.sessions.all.isEmpty)
        #expect(walked.steps.chosen?.device == pedometer)
        #expect(tape.state.dayReports().map(\.displayed) == [60])
        let simulated = try #require(tape.state[.simulated])
        #expect(simulated.devices.primary(.pedometer) == Self.pod)
        #expect(simulated.steps.current?.displayed == 9_000)
        let report = try #require(tape.state.sessionReports(at: tape.moment).first)
        #expect(report.provenance == .simulated && report.steps == 500)
        // The walker's own pedometer goes on to count.
        tape.flags.remove(.simulated)
        tape.count(170, after: 60_000)
        #expect(tape.state.own.steps.current?.displayed == 70)
    }

    @Test("is the walker's by the rule of earlier versions")
    func former() throws {
        let rules = Rules(\.countSimulated, true)
        let tape = try tape(rules: rules)
        #expect(tape.state[.simulated] == nil)
        #expect(tape.state.walked.steps.current?.displayed == 9_000)
        var pair = RulePair(and: rules)
        var first: Position?
        for event in tape.recorded where first == nil {
            let isSame = try event.withView { pair.evolve($0) }
            if !isSame { first = event.header.position }
        }
        let differs = try #require(first)
        #expect(tape.recorded[Int(differs)].header.flags.contains(.simulated))
    }

    @Test("knows the machine and the walker: boot, zone and profile are no recorder's invention")
    func shared() throws {
        var tape = Tape()
        let profile = Profile(heightMillimetres: 1_800)
        try tape.command(.setProfile(profile))
        tape.flags.insert(.simulated)
        tape.append(.bootBegan(BootBegan(bootID: [UInt8](repeating: 7, count: 16))))
        tape.append(.zoneOffsetChanged(ZoneOffsetChanged(toMinutes: 120)))
        #expect(tape.state.walked.recorder.zoneOffsetMinutes == 120)
        #expect(tape.state.walked.recorder.bootID == [UInt8](repeating: 7, count: 16))
        tape.append(.profileChanged(Profile(heightMillimetres: 900)))
        #expect(tape.state.walked.recorder.profile == profile, "A capture's walker is another.")
        tape.flags.remove(.simulated)
        try tape.command(.setProfile(Profile(heightMillimetres: 1_700)))
        tape.append(.zoneOffsetChanged(ZoneOffsetChanged(toMinutes: 60)))
        let simulated = try #require(tape.state[.simulated]).recorder
        #expect(simulated.profile.heightMillimetres == 1_700 && simulated.zoneOffsetMinutes == 60)
    }

    @Test("is looked at while its recorder runs")
    func sides() throws {
        var tape = Tape()
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: ""))
        #expect(!tape.state.seenByOthers(isRecording: true).isSimulated)
        tape.flags.insert(.simulated)
        tape.state.isSimulated = true
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: ""))
        #expect(tape.state.seenByOthers(isRecording: true).isSimulated)
        #expect(!tape.state.seenByOthers(isRecording: false).isSimulated)
        try tape.command(.start())
        #expect(!tape.state.seenByOthers(isRecording: false).isSimulated)
        tape.flags.remove(.simulated)
        tape.state.isSimulated = false
        try tape.command(.start())
        #expect(!tape.state.seenByOthers(isRecording: false).isSimulated)
    }

    @Test("a snapshot keeps it, and a block of it folds as its events do")
    func kept() throws {
        let tape = try tape()
        let bytes = tape.state.canonicalBytes()
        #expect(try LogState(canonicalBytes: bytes.span).canonicalBytes() == bytes)
        #expect(try LogState(snapshotBytes: tape.state.snapshotBytes()).canonicalBytes() == bytes)
        var builder = BlockBuilder()
        for event in tape.recorded {
            #expect(try event.withView { builder.append($0) })
        }
        var folded = LogState()
        let block = builder.withBytes { [UInt8](copying: $0) }
        try folded.evolve(block: block.span)
        #expect(folded.canonicalBytes() == bytes)
    }
}
