import Events
import Projections
import TestSupport
import Testing

@Suite("The decider")
struct DeciderTests {
    private func randomCommand(_ random: inout SeededGenerator) -> Command {
        let device = [strap, otherStrap, watch][Int(random.below(3))]
        let date = CivilDate(daysSinceEpoch: Int64(20_510 + random.below(10))) ?? .epoch
        switch random.below(16) {
        case 0: return .start()
        case 1: return .start(goal: Goal(kind: .duration, target: random.below(60_000)))
        case 2: return .start(goal: Goal(kind: .daily), outAndBack: true)
        case 3: return .pause
        case 4: return .resume
        case 5: return .end()
        case 6: return .mark(String(repeating: "x", count: Int(random.below(1_000))))
        case 7: return .refresh()
        case 8: return .healthTotal(random.next() >> (20 + random.below(44)), date: date)
        case 9:
            return .legacyTotal(
                random.next() >> (20 + random.below(44)), date: date, reason: "r", author: "a")
        case 10:
            return .correct(
                date: date, by: Int64(random.below(3)) - 1, reason: "r", author: "a")
        case 11: return .setProfile(Profile(dailyGoalSteps: random.below(9_000)))
        case 12: return .pair(device, name: nil, roles: Roles(rawValue: UInt8(random.below(8))))
        case 13: return .forget(device)
        case 14: return .makePrimary(device)
        default: return .setZone(offsetMinutes: Int64(random.below(4_000)) - 2_000, name: "")
        }
    }

    @Test("what is decided is never out of place", arguments: 0..<60)
    func neverOutOfPlace(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tape = Tape()
        for index in 0..<300 {
            tape.wait(random.below(random.below(20) == 0 ? 50_000_000 : 10_000))
            let before = tape.state
            do throws(Refusal) {
                let events = try tape.command(randomCommand(&random))
                #expect(tape.state.findings.total == 0, "seed \(seed), command \(index)")
                #expect(tape.state.events == before.events + UInt64(events.count))
            } catch {
                #expect(tape.state == before)
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test("every refusal says what to do", arguments: Refusal.Code.allCases)
    func refusalTexts(code: Refusal.Code) {
        #expect(Refusal(code, field: "text").description.hasSuffix("."))
    }

    @Test("a field outside of its limits is refused by name")
    func limits() throws {
        var tape = try Tape.walking()
        let long = String(repeating: "é", count: 257)
        let session = tape.state.own.sessions.open?.position ?? 0
        let name = Command.describe(SessionDescribed(session: session, sessionName: long))
        for (command, words, limit) in [
            (Command.mark(long), "text", 512), (name, "name", 128),
        ] {
            let refusal = #expect(throws: Refusal.self) { try tape.command(command) }
            #expect(refusal?.description.hasPrefix("The \(words) is too long") == true)
            #expect(refusal?.description.contains(" \(limit) bytes") == true)
        }
        #expect(
            tape.refusal(of: .healthTotal(1 << 31, date: nil, meantBy: "Ann")) == .fieldOutOfRange)
    }

    @Test(
        "a total that nobody walks in a day is taken only if it is meant",
        arguments: [(200_000, true), (200_001, false), (536_876_864, false)] as [(UInt64, Bool)])
    func totals(_ total: UInt64, isCredible: Bool) throws {
        var tape = Tape()
        for isMeant in [false, true] {
            let code = tape.refusal(of: .healthTotal(total, meantBy: isMeant ? "Ann" : nil))
            #expect(code == (isCredible || isMeant ? nil : .totalNotCredible))
        }
        #expect(
            tape.refusal(of: .legacyTotal(total, date: .epoch, reason: "old", author: "Ann"))
                == (isCredible ? nil : .legacyNotCredible))
    }

    @Test("a boot begins once, and has the next number")
    func boots() throws {
        var tape = Tape()
        let first = [UInt8](repeating: 1, count: 16)
        let second = [UInt8](repeating: 2, count: 16)
        func begin(_ id: [UInt8]) -> Command {
            .beginBoot(bootID: id, zoneOffsetMinutes: 60, zoneName: "here")
        }
        #expect(tape.own.recorder.bootNumber(for: first) == 0)
        #expect(try tape.command(begin(first)).map(\.kind) == [.bootBegan])
        #expect(try tape.command(begin(first)).isEmpty)
        #expect(tape.own.recorder.bootNumber(for: first) == 0)
        #expect(tape.own.recorder.bootNumber(for: second) == 1)
        tape.bootNumber = 1
        try tape.command(begin(second))
        #expect(tape.own.recorder.bootNumber(for: second) == 1)
        #expect(tape.own.recorder.zoneOffsetMinutes == 60)
    }

    @Test("the first pedometer is chosen by an event, with the profile's factor")
    func firstPedometer() throws {
        var tape = Tape()
        try tape.command(.setProfile(Profile(stepsPerCadenceCount: 2)))
        let events = try tape.command(.record(.counted(watch, 1)))
        #expect(events.map(\.kind) == [.reconciliationTriggered, .pedometerChosen, .pedometerRead])
        #expect(tape.own.steps.choice == .device(watch))
        #expect(tape.own.steps.stepsPerCadenceCount == 2)
        let changed = try tape.command(.setProfile(Profile(stepsPerCadenceCount: 1)))
        #expect(changed.map(\.kind) == [.profileChanged, .pedometerChosen])
    }

    @Test("without a clock there is no today, but inputs are recorded")
    func clockNotSet() throws {
        var tape = Tape()
        tape.flags = []
        tape.wallMilliseconds = 5_000
        #expect(tape.refusal(of: .refresh()) == .clockNotSet)
        tape.count(each: 5, 9)
        #expect(tape.own.steps.chosen?.lastCount == 9)
        // There is no day to count them for: 1970 is none.
        #expect(tape.own.steps.current == nil)
        #expect(tape.refusal(of: .healthTotal(1, date: CivilDate("2026-03-01"))) == .clockNotSet)
    }
}
