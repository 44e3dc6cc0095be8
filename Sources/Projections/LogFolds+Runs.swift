public import Events

/// The way through whole blocks: runs where nothing but sums changes, events one by one elsewhere.
extension LogFolds: RunFold {
    @usableFromInline
    mutating func limits(of runs: borrowing BlockRuns) -> RunLimits? {
        guard rules.foldsInRuns else { return nil }
        if runs.provenance == .walked { return live.limits(of: runs, rules) }
        guard runs.source > 0, runs.source == imports.current.key else { return nil }
        return imports.current.limits(of: runs, rules)
    }

    @usableFromInline
    mutating func evolve(_ run: borrowing BlockRuns) {
        if run.source == 0 {
            live.evolve(run, rules, &findings)
        } else {
            imports.current.evolve(run, rules, &findings)
        }
        note(run)
    }

    @usableFromInline
    @inline(never)
    mutating func evolve(single event: borrowing EventView) {
        evolve(event)
    }
}
