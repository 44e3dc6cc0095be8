import Certification
import Events
import HistoryModel
import Projections
import Testing

@Suite("Random histories of steps")
struct StepHistoriesTests {
    @Test("keep every promise", arguments: 0..<10)
    func keepsPromises(group: UInt64) {
        var campaign = Campaign()
        for seed in group * 100..<(group + 1) * 100 {
            for violation in campaign.violations(of: History(seed: seed)) {
                Issue.record("seed \(seed): \(violation)")
            }
        }
        #expect(campaign.tally.honest > 20)
    }

    /// Faults that a fold could have, and promises that do not need the right model to see them.
    static let faults: [(fault: NaiveModel.Fault, promises: Set<Promise>)] = [
        (.keepsDelta, [.isProven, .staysBelowTruth]),
        (.carriesYesterday, [.isProven, .staysBelowTruth]),
        (.keepsStreamOverMidnight, [.staysBelowTruth, .countsEachOnce]),
        (.countsEveryPedometer, [.staysBelowTruth, .countsEachOnce]),
        (.believesLowTotals, [.neverFalls]),
        (.countsCoveredSteps, [.staysBelowTruth, .countsEachOnce]),
        (.ignoresRestarts, [.countsEachOnce]),
        (.countsPauses, []),
        (.dropsOverlap, [.carriesOverlap]),
        (.believesAnyClock, [.knowsToday]), (.believesSpikes, [.countsEachOnce]),
        (.believesFalls, [.countsEachOnce]), (.believesTotals, []),
        (.countsEveryHeartRate, []), (.countsStandstills, []),
    ]

    @Test("find each fault that was put in", arguments: faults)
    func findsFaults(row: (fault: NaiveModel.Fault, promises: Set<Promise>)) {
        var campaign = Campaign(fault: row.fault)
        var missing = row.promises.union([.equalsModel])
        for seed in 0..<400 where !missing.isEmpty {
            for violation in campaign.violations(of: History(seed: UInt64(seed))) {
                missing.remove(violation.promise)
            }
        }
        #expect(missing.isEmpty, "\(row.fault) was not seen by \(missing)")
    }

    @Test("covers every fault")
    func coversFaults() {
        #expect(Self.faults.map(\.fault) == NaiveModel.Fault.allCases)
    }

    @Test("T9: what T2 as written drops, the rule carryOverlap carries")
    func carriesWhatIsDropped() throws {
        var asWritten = Campaign()
        let history = try #require(
            (0..<2_000).lazy.map { History(seed: $0) }.first { history in
                let before = asWritten.tally.droppedSteps
                if history.rules.carryOverlap || !history.isHonest { return false }
                #expect(asWritten.violations(of: history).isEmpty)
                return asWritten.tally.droppedSteps > before
            })
        var carried = history
        carried.rules.carryOverlap = true
        var campaign = Campaign()
        #expect(campaign.violations(of: carried).isEmpty, "seed \(history.seed)")
        #expect(campaign.tally.droppedSteps == 0)
    }

    @Test("are certified and explained as they are displayed", arguments: 0..<8)
    func agreesWithAudit(group: UInt64) throws {
        for seed in group * 20..<(group + 1) * 20 {
            var history = History(seed: seed)
            history.rules = Rules()
            let player = try Player(playing: history)
            var state = LogState()
            var certifier = StepsCertifier()
            let date = player.state.live.steps.current?.date ?? .epoch
            var explanation = StepsExplanation(of: date)
            for recorded in player.log {
                let payload = try recorded.event.encodedPayload()
                state.evolve(recorded.header, payload.span)
                explanation.evolve(recorded.header, payload.span)
                let days = state.live.steps
                try certifier.take(recorded.header, payload.span) { days[$0]?.displayed }
                #expect(
                    explanation.displayed == days[date]?.displayed ?? 0,
                    "seed \(seed), position \(recorded.header.position)")
            }
            _ = try certifier.finish { state.live.steps[$0]?.displayed }
        }
    }

    @Test("shrink to the happenings that matter")
    func shrinks() throws {
        var campaign = Campaign(fault: .believesLowTotals)
        let broken = try #require(
            (0..<400).lazy.map { History(seed: $0) }.first { history in
                let violations = campaign.violations(of: history)
                return !history.isHonest && violations.contains { $0.promise == .neverFalls }
            })
        let shrunk = campaign.shrink(broken, breaking: .neverFalls)
        #expect(shrunk.happenings.count < 6, "\(shrunk)")
        #expect(campaign.violations(of: shrunk).contains { $0.promise == .neverFalls })
    }
}
