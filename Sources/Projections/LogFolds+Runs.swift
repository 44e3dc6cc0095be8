public import Events

/// The way through whole blocks: runs where nothing but sums changes, events one by one elsewhere.
extension LogFolds: RunFold {
    @usableFromInline
    mutating func limits(of runs: borrowing BlockRuns) -> RunLimits? {
        runs.provenance == .walked && rules.foldsInRuns ? live.limits(of: runs, rules) : nil
    }

    @usableFromInline
    mutating func evolve(_ run: borrowing BlockRuns) {
        live.evolve(run, rules, &findings)
        note(run)
    }

    @usableFromInline
    @inline(never)
    mutating func evolve(single event: borrowing EventView) {
        evolve(event)
    }
}
