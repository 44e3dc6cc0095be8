import Events
import HistoryModel
import TestSelection
import Testing

@Suite("Random histories of steps")
struct StepHistoriesTests {
    @Test("keep every promise", arguments: everythingIsTested ? 0..<20 : 0..<2)
    func keepsPromises(group: UInt64) {
        for seed in group * 50..<(group + 1) * 50 {
            for violation in History(seed: seed).violations() {
                Issue.record("seed \(seed): \(violation)")
            }
        }
    }

    @Test("that once broke one keep every promise", arguments: [1_311])
    func keepsPromisesNow(seed: UInt64) {
        #expect(History(seed: seed).violations().map(\.description) == [])
    }

    /// Something wrong that a fold could say, and the promise by which it is found.
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let promise: Promise
        let tell: @Sendable (inout Trial) -> Void

        init(
            _ promise: Promise, _ what: String, _ tell: @escaping @Sendable (inout Trial) -> Void
        ) {
            (self.promise, testDescription, self.tell) = (promise, what, tell)
        }
    }

    static let lies = [
        Lie(.isCertified, "a step too many is displayed") { $0.days { $0.displayed += 1 } },
        Lie(.isCertified, "a step too many is displayed once") { trial in
            let middle = trial.answers.count / 2
            for day in trial.answers[middle].days.indices {
                trial.answers[middle].days[day].displayed += 1
            }
        },
        Lie(.isCertified, "a step counts twice") { $0.days { $0.pedometerSteps += 1 } },
        Lie(.neverFalls, "a count falls as steps come") {
            $0.days { $0.displayed = 1_000_000 - min($0.displayed, 1_000_000) }
        },
        Lie(.seesEveryTotal, "no total is displayed") { $0.days { $0.displayed = 0 } },
        Lie(.countsEachOnce, "nothing counts") { $0.days { $0.pedometerSteps = 0 } },
        Lie(.countsEachOnce, "more counts than was walked") {
            $0.days { $0.pedometerSteps += 1_000_000 }
        },
        Lie(.knowsToday, "today is another day") {
            $0.looks { $0.date = CivilDate(daysSinceEpoch: ($0.date ?? .epoch).daysSinceEpoch + 2) }
        },
        Lie(.knowsToday, "a look shows another count") { $0.looks { $0.shown += 1 } },
        Lie(.staysBelowTruth, "nobody walked so much") { $0.days { $0.displayed += 100_000 } },
        Lie(.staysBelowTruth, "nobody walked what is seen") { $0.looks { $0.shown += 100_000 } },
        Lie(.carriesOverlap, "what was proven is not seen") { $0.looks { $0.shown = 0 } },
        Lie(.carriesCounted, "a step more is carried") { $0.days { $0.carriedSteps += 1 } },
        Lie(.correctionsAreApart, "a correction is lost") {
            $0.days { $0.corrected = $0.displayed }
        },
        Lie(.sessionsAreApart, "a session counts a step more") { $0.sessions { $0.steps += 1 } },
        Lie(.sessionsAreApart, "a session begins at 0") { $0.sessions { $0.baseline = 0 } },
        Lie(.heartsAddUp, "a pause counts") { $0.sessions { $0.hearts.paused = 0 } },
    ]

    @Test("find what a fold could say", arguments: lies)
    func findsLies(lie: Lie) {
        let isFound = (0..<200).contains { seed in
            History(seed: seed).violations(tamper: lie.tell).contains { $0.promise == lie.promise }
        }
        #expect(isFound)
    }
}

extension Trial {
    fileprivate mutating func days(_ change: (inout DayAnswer) -> Void) {
        for index in answers.indices {
            for day in answers[index].days.indices { change(&answers[index].days[day]) }
        }
    }

    fileprivate mutating func sessions(_ change: (inout SessionAnswer) -> Void) {
        for index in answers.indices {
            for session in answers[index].sessions.indices {
                change(&answers[index].sessions[session])
            }
        }
    }

    fileprivate mutating func looks(_ change: (inout Look) -> Void) {
        for index in looks.indices { change(&looks[index]) }
    }
}
