import Events
import Projections

extension History {
    /// Plays it and holds the fold against the promises.
    ///
    /// - Parameter tamper: Changes what the fold says before it is judged, to see that this is
    ///   found.
    /// - Returns: At most one violation of each promise.
    package func violations(tamper: (inout Trial) -> Void = { _ in }) -> [Violation] {
        do {
            return try judge(Player(playing: self), tamper)
        } catch {
            return [Violation(promise: .plays, text: "\(error)")]
        }
    }

    private func judge(
        _ player: Player, _ tamper: (inout Trial) -> Void
    ) throws -> [Violation] {
        var trial = Trial(log: player.log, answers: player.answers, looks: player.looks)
        tamper(&trial)
        let found: [(Promise, String?)] = [
            (.isCertified, try trial.uncertified()),
            (.neverFalls, trial.fall()),
            (.seesEveryTotal, trial.overlooked()),
            (.countsEachOnce, trial.miscount(self)),
            (.knowsToday, trial.wrongToday(self)),
            (.staysBelowTruth, trial.excess(self)),
            (.carriesOverlap, rules.carryOverlap ? trial.shortfall() : nil),
            (.carriesCounted, trial.miscarried(rules)),
            (.correctionsAreApart, trial.miscorrected()),
            (.sessionsAreApart, trial.misjudged(self)),
            (.heartsAddUp, trial.misheard()),
            (.refolds, try refolding(player)),
            (.findsNothing, finding(player)),
        ]
        return found.compactMap { promise, text in
            text.map { Violation(promise: promise, text: $0) }
        }
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

    /// Folds the log again from the beginning, and from a snapshot at a place that the seed names.
    private func refolding(_ player: Player) throws -> String? {
        let bytes = player.state.canonicalBytes()
        let again = try Player.fold(player.log, rules)
        guard again.canonicalBytes() == bytes else { return "from position 0" }
        guard !player.log.isEmpty else { return nil }
        let cut = Int(seed % UInt64(player.log.count))
        let part = try Player.fold(player.log.prefix(cut), rules).canonicalBytes()
        var rest = try LogState(canonicalBytes: part.span)
        for recorded in player.log.dropFirst(cut) { try rest.evolve(recorded) }
        return rest.canonicalBytes() == bytes ? nil : "from a snapshot before position \(cut)"
    }
}
