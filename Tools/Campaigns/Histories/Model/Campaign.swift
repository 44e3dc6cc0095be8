import Events
import Projections

/// What a history must not do.
public enum Promise: String, CaseIterable, Sendable {
    /// The fold says what the naive model says, after every event and at every look (T1 to T9, S8).
    case equalsModel
    /// No date displays less than it did, by the fold or by f(state, now) (T4).
    case neverFalls
    /// No date displays more than its greatest total and its pedometer steps together (T2).
    case isProven
    /// A reconcile takes in the greatest total that was ever told of its date (T2, T3).
    case seesEveryTotal
    /// A day's pedometer steps are the differences of the chosen pedometer that count (T1, T7).
    case countsEachOnce
    /// Where trusted clocks are right, today is today whatever another clock said before (T5).
    case knowsToday
    /// In an honest world no date displays more than was walked.
    case staysBelowTruth
    /// In an honest world the rule `carryOverlap` drops no step that was heard (T9).
    ///
    /// Unless a greater total stands that does not say until when it counts.
    case carriesOverlap
    /// A correction changes nothing that is displayed (T8).
    case correctionsAreApart
    /// What a session counts does not depend on the day's totals and reconciles (S8).
    case sessionsAreApart
    /// Folding again, from the beginning or from a snapshot, gives the same bytes (A2).
    case refolds
    /// Nothing that the decider makes is a finding.
    case findsNothing
    /// The history can be played.
    case plays
}

/// A promise that a history broke.
public struct Violation: Sendable, CustomStringConvertible {
    /// The promise.
    public var promise: Promise
    /// What was expected and what came.
    public var text: String

    /// Both in one line.
    public var description: String { "\(promise.rawValue): \(text)" }
}

/// What was seen over many histories.
public struct Tally: Sendable {
    /// Histories.
    public var histories = 0
    /// Events.
    public var events = 0
    /// Honest histories.
    public var honest = 0
    /// Looks at which less was displayed than totals and heard readings prove, as T2 is written.
    public var looksBelowProof = 0
    /// Steps that were missing at the worst look of each history, summed.
    public var droppedSteps: UInt64 = 0

    /// Nothing yet.
    public init() {}

    /// Adds what was seen elsewhere.
    public mutating func add(_ other: Tally) {
        histories += other.histories
        events += other.events
        honest += other.honest
        looksBelowProof += other.looksBelowProof
        droppedSteps += other.droppedSteps
    }
}

/// Plays histories and holds the fold against the promises.
public struct Campaign {
    /// What is judged in place of the fold, to see that a fault is found; nil for the fold itself.
    public var fault: NaiveModel.Fault?
    /// What was seen so far.
    public private(set) var tally = Tally()

    /// Makes a campaign.
    ///
    /// - Parameter fault: A wrong model to judge in place of the fold, or nil for the fold.
    public init(fault: NaiveModel.Fault? = nil) {
        self.fault = fault
    }

    /// Plays a history.
    ///
    /// - Parameter history: What happens.
    /// - Returns: At most one violation of each promise.
    public mutating func violations(of history: History) -> [Violation] {
        let player: Player
        do {
            player = try Player(playing: history)
        } catch {
            return [Violation(promise: .plays, text: "\(error)")]
        }
        tally.histories += 1
        tally.events += player.log.count
        if history.isHonest { tally.honest += 1 }
        let right = model(of: player, history, nil)
        var trial = Trial(log: player.log, answers: player.answers, looks: player.looks)
        if let fault {
            let wrong = model(of: player, history, fault)
            trial.answers = (0..<player.log.count).map { wrong.answer(after: $0 + 1) }
            for index in trial.looks.indices {
                let look = trial.looks[index]
                (trial.looks[index].date, trial.looks[index].shown) = wrong.today(
                    after: look.events, at: look.moment.stamp,
                    isTrusted: look.moment.flags.contains(.wallTrusted))
            }
        }
        let dropped = trial.dropped(history)
        tally.looksBelowProof += dropped.looks
        tally.droppedSteps += dropped.steps
        let found: [(Promise, String?)] = [
            (.equalsModel, trial.difference(from: right)),
            (.neverFalls, trial.fall()),
            (.isProven, trial.unproven()),
            (.seesEveryTotal, trial.overlooked()),
            (.countsEachOnce, trial.miscount(right)),
            (.knowsToday, trial.wrongToday(history)),
            (.staysBelowTruth, trial.excess(history)),
            (.carriesOverlap, history.rules.carryOverlap ? dropped.text : nil),
            (.correctionsAreApart, trial.mixedCorrection()),
            (.sessionsAreApart, dependence(player, history)),
            (.refolds, refolding(player, history)),
            (.findsNothing, finding(player)),
        ]
        return found.compactMap { promise, text in
            text.map { Violation(promise: promise, text: $0) }
        }
    }

    private func model(
        of player: Player, _ history: History, _ fault: NaiveModel.Fault?
    ) -> NaiveModel {
        NaiveModel(
            of: player.log, carriesOverlap: history.rules.carryOverlap,
            cadenceMilliseconds: history.rules.cadenceMilliseconds,
            countsStandstill: history.rules.countStandstill, fault: fault)
    }

    /// The first finding about an event of the decider; imports may be as wrong as they like, and
    /// so may what devices and stores tell.
    private func finding(_ player: Player) -> String? {
        let findings = player.state.findings
        let own = findings.kept.first {
            ![.stepsSetAside, .totalSetAside].contains($0.code)
                && player.log[Int($0.position)].header.source == 0
        }
        return own.map { "position \($0.position): \($0.message)" }
    }

    /// Plays an honest history once more without what concerns the day alone.
    private func dependence(_ player: Player, _ history: History) -> String? {
        guard history.isHonest, let sessions = player.answers.last?.sessions, !sessions.isEmpty
        else {
            return nil
        }
        var quiet = history
        quiet.happenings.removeAll(where: \.concernsDayAlone)
        do {
            let other = try Player(playing: quiet).answers.last?.sessions ?? []
            let (steps, expected) = (sessions.map(\.steps), other.map(\.steps))
            return steps == expected ? nil : "\(steps), without reconciles \(expected)"
        } catch {
            return "\(error)"
        }
    }

    /// Folds the log again from the beginning, and from a snapshot at a place that the seed names.
    private func refolding(_ player: Player, _ history: History) -> String? {
        do {
            let bytes = player.state.canonicalBytes()
            let again = try Player.fold(player.log, history.rules)
            guard again.canonicalBytes() == bytes else { return "from position 0" }
            guard !player.log.isEmpty else { return nil }
            let cut = Int(history.seed % UInt64(player.log.count))
            let part = try Player.fold(player.log.prefix(cut), history.rules).canonicalBytes()
            var rest = try LogState(canonicalBytes: part.span)
            for recorded in player.log.dropFirst(cut) { try rest.evolve(recorded) }
            return rest.canonicalBytes() == bytes ? nil : "from a snapshot before position \(cut)"
        } catch {
            return "\(error)"
        }
    }
}

extension Happening {
    /// Whether it says nothing to a session.
    fileprivate var concernsDayAlone: Bool {
        switch what {
        case .command(.healthTotal), .command(.refresh(_)), .command(.rollOver): true
        case .imported: true
        case .command, .reboot, .clock, .zone, .look: false
        }
    }
}
