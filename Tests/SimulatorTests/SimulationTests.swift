import Events
import Projections
import TestSupport
import Testing

@testable import SimulatorModel

@Suite("The recorder in virtual time")
struct SimulationTests {
    @Test("keeps every promise", arguments: 0..<10 as Range<UInt64>)
    func promises(seed: UInt64) {
        let simulation = Simulation(seed: seed, hours: 48)
        let result = simulation.play()
        #expect(result.violation == nil, "Simulator --seed \(seed) --hours 48 shows it")
        #expect(result.events > 0)
    }

    @Test("makes a walk of each time that the strap is worn", arguments: [1] as [UInt64])
    func worn(seed: UInt64) {
        let result = Simulation(wornSeed: seed, hours: 4).play()
        #expect(result.violation == nil, "Simulator --worn --seed \(seed) --hours 4 shows it")
        // Somebody wore it.
        #expect(result.readings > 600)
    }

    /// A recorder whose session begins at once.
    private static let start = SessionStart(
        goal: Goal(), waitsForStrap: false, endsOpenSession: false, isWatched: false,
        durationMilliseconds: nil, strap: nil, frontPauseMilliseconds: 0)

    /// The world after these acts, each at its second, in which no promise was broken.
    private func world(after acts: [(UInt64, Act)]) -> World {
        let world = World(seed: 1)
        let timed = acts.map { TimedAct(at: $0.0 * 1_000, act: $0.1) }
        #expect(world.play(History(seed: 1, hours: 1, timed))?.description == nil)
        return world
    }

    @Test("counts what a flood leaves no room for")
    func flood() {
        let world = world(after: [
            (1, .record(Self.start)), (60, .flood(strap: 0, count: 61_000)), (70, .endAll),
        ])
        #expect(world.witness.state.own.recorder.lostInputs >= 1_000)
        #expect(world.witness.readings >= 60_000)
    }

    @Test("lets a command end the session of a recorder that began while it waited")
    func endedElsewhere() {
        let world = world(after: [
            (1, .record(Self.start)), (30, .kill), (40, .slowDisk(syncMilliseconds: 4_000)),
            (50, .command(.end())), (51, .record(Self.start)),
        ])
        #expect(world.witness.state.own.sessions.ended.count == 1)
        #expect(world.witness.state.own.sessions.open == nil)
    }

    @Test("is the same each time, to the last call", arguments: [3] as [UInt64])
    func sameAgain(seed: UInt64) {
        var first: [String] = []
        var second: [String] = []
        _ = Simulation(seed: seed, hours: 24).play { first.append($0) }
        _ = Simulation(seed: seed, hours: 24).play { second.append($0) }
        #expect(first == second)
        #expect(first.count > 100)
    }

    @Test("prints the same bytes in every process")
    func sameInEveryProcess() async throws {
        // Hashes differ from process to process.
        var outputs: [[UInt8]] = []
        for _ in 0..<3 {
            let program = try RunningProgram(
                RunningProgram.builtPrograms + "/Simulator",
                ["--seed", "3", "--count", "1", "--hours", "24", "--show", "--jobs", "1"],
                environment: [:])
            let end = await program.end
            #expect(end.status == 0, "\(end.messages)")
            // The last line tells the memory that the process has taken.
            let trace = end.output.split(separator: UInt8(ascii: "\n"))
            outputs.append(Array(trace.dropLast().joined(separator: [UInt8(ascii: "\n")])))
        }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[0] == outputs[2])
        #expect(outputs[0].count > 10_000)
    }

    @Test("goes through all that may happen")
    func coverage() {
        var seen: Set<String> = []
        for seed in 0..<400 as Range<UInt64> {
            for timed in History(seed: seed, hours: 100).acts {
                seen.insert(String("\(timed.act)".prefix { $0 != "(" }))
            }
        }
        #expect(
            seen == [
                "record", "press", "interrupt", "terminate", "kill", "endAll", "command", "forget",
                "pair", "health", "losePower", "sleep", "setClock", "travel", "disk", "slowDisk",
                "holdWriter", "daemon", "loseBus", "power", "plug", "range", "dropLink", "contact",
                "illFormed", "flood", "mood", "heal", "weaken", "restartDaemon", "remove",
                "stopScan", "cyclePower", "leave", "copies", "prepare",
            ])
    }
}
