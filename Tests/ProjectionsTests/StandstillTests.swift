import Events
import Testing

@testable import Projections

@Suite("A session that pauses by itself")
struct StandstillTests {
    /// Ten seconds of walking, a minute of standing still, ten seconds of walking.
    private func tape(_ rules: Rules = Rules()) throws -> Tape {
        var tape = try Tape.walking(rules: rules)
        tape.wait(10_000)
        try tape.command(.standStill)
        tape.wait(60_000)
        try tape.command(.moveOn)
        tape.wait(10_000)
        try tape.command(.end())
        return tape
    }

    @Test("counts the time in it as paused, and a what-if replay takes that back")
    func undone() throws {
        let tape = try tape()
        func accounting(_ rules: Rules) throws -> Accounting? {
            var state = LogState(rules: rules)
            for event in tape.recorded { _ = try event.withView { state.evolve($0) } }
            #expect(state.findings.total == 0)
            return state.own.sessions.ended.first?.accounting
        }
        #expect(try accounting(Rules())?.pausedMilliseconds == 60_000)
        let rules = try Rules(setting: "countStandstill=true")
        #expect(try accounting(rules)?.pausedMilliseconds == 0)
        #expect(try accounting(rules)?.activeMilliseconds == 80_000)
    }

    @Test("no event comes where none belongs, and one that does not belong is found")
    func outOfPlace() throws {
        var tape = Tape()
        for command in [Command.standStill, .moveOn, .lap(.byDistance)] {
            #expect(try tape.command(command).isEmpty, "nobody asked")
        }
        try tape.command(.start())
        #expect(try tape.command(.moveOn).isEmpty)
        try tape.command(.pause)
        #expect(try tape.command(.standStill).isEmpty)
        #expect(try tape.command(.moveOn).isEmpty, "a pause by hand lasts")
        tape.append(.standstillBegan(StandstillBegan()))
        tape.append(.standstillEnded(StandstillEnded()))
        #expect(tape.state.findings.total == 2)
        #expect(tape.state.own.sessions.isPaused)
    }
}
