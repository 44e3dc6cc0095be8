import Events

/// Runs of events that change nothing but sums: the same steps as for each event by itself, without
/// asking each time what only other events change.
///
/// Heart-rate values touch the link and the time, counts and positions neither, so that each of the
/// two goes through a run by itself. What says otherwise keeps an event out of a run: see
/// ``limits(of:_:)``.
extension SourceState {
    /// Which of the events that were read ahead can be taken as a run now; nil if none.
    mutating func limits(of runs: borrowing BlockRuns, _ rules: Rules) -> RunLimits? {
        guard let boots = clock.steadyBoots(of: runs.bootNumber) else { return nil }
        var end = boots.upperBound
        if !sessions.slot.isEmpty, sessions.slot.value.isLeft { return nil }
        if !sessions.slot.isEmpty, let limit = sessions.slot.value.dueAt {
            end = min(end, clock.bootMilliseconds(at: limit))
        }
        guard boots.lowerBound < end else { return nil }
        return RunLimits(
            bootMilliseconds: boots.lowerBound..<end, takesHearts: takesHearts(of: runs, rules),
            takesCounts: takesCounts(of: runs))
    }

    /// Whether the next heart-rate values come of the strap that is followed, and none is a copy.
    @inline(__always)
    private func takesHearts(of runs: borrowing BlockRuns, _ rules: Rules) -> Bool {
        guard let (device, boot) = runs.nextHeart, let index = devices.strapIndex,
            devices.all[index].key == device.word
        else { return false }
        let now = clock.time(atBoot: boot)
        return devices.all[index].link.isUp
            && devices.all[index].link.delivery.isSingle(at: now, rules) {
                runs.withNextHeart { ValueImprint($0) }
            }
            && (sessions.slot.isEmpty
                || sessions.slot.value.trials.isEmpty
                    && sessions.slot.value.readings.isAll(of: device))
    }

    /// Whether the next counts belong to a day that is open and a pedometer that is known.
    @inline(__always)
    private func takesCounts(of runs: borrowing BlockRuns) -> Bool {
        guard let device = runs.nextPedometer, !steps.slot.isEmpty else { return false }
        return steps.knownIndex(of: device.word) != nil
    }

    /// Takes a run in.
    mutating func evolve(
        _ run: borrowing BlockRuns, _ rules: Rules, _ findings: inout Findings
    ) {
        if run.heartCount > 0, let index = devices.strapIndex {
            if !sessions.slot.isEmpty {
                let (link, contact) = (devices.strapTimes, devices.all[index].contact)
                sessions.slot.value.receiveHearts(
                    run, of: devices.all[index].id, link, contact, clock, rules)
            }
            devices.all[index].receiveHearts(run, clock, rules)
        }
        if run.otherCount > 0 { receiveOthers(run, rules, &findings) }
        clock.advance(to: run.lastEvent.stamp, run.flags)
        if !sessions.slot.isEmpty, sessions.slot.value.goal.kind == .duration {
            sessions.slot.value.settle(to: clock.milliseconds, devices.strapTimes, rules)
        }
    }

    private mutating func receiveOthers(
        _ run: borrowing BlockRuns, _ rules: Rules, _ findings: inout Findings
    ) {
        let pedometer = run.pedometer.flatMap { steps.knownIndex(of: $0.word) } ?? 0
        let isChosen = steps.chosenIndex == pedometer
        let isOpen = !sessions.slot.isEmpty
        let mayReach = isAimingByCounts
        for index in 0..<run.otherCount {
            let entry = run.otherEntry(index)
            let now = clock.time(atBoot: entry.bootMilliseconds)
            if let count = run.count(index) {
                let delta = steps.read(
                    count.isWatch
                        ? .watch(UInt32(truncatingIfNeeded: count.count)) : .counter(count.count),
                    distance: count.hasDistance ? count.distanceMillimetres : nil, of: pedometer,
                    isChosen: isChosen, at: entry.position,
                    now: clock.moment(at: entry, run.flags),
                    wallMilliseconds: entry.wallMilliseconds, rules)
                if let finding = delta.finding { findings.add(finding, at: entry.position) }
                steps.slot.value.touch(entry.position)
                if isOpen, isChosen { sessions.slot.value.receive(delta, at: now, rules) }
            } else {
                receive(run.fix(index), entry, rules, &findings)
            }
            if mayReach { sessions.slot.value.noteProgress(rules, at: entry.position) }
        }
    }
}

// MARK: - Positions

extension SourceState {
    private mutating func receive(
        _ fix: PositionFixed, _ entry: PlainEntry, _ rules: Rules, _ findings: inout Findings
    ) {
        let finding = receive(
            fix, wallMilliseconds: entry.wallMilliseconds,
            at: clock.time(atBoot: entry.bootMilliseconds), rules)
        if let finding { findings.add(finding, at: entry.position) }
    }
}

// MARK: - Counts

extension SourceState {
    /// Whether the open session has a goal in steps or a distance that was not reached yet.
    private var isAimingByCounts: Bool {
        !sessions.slot.isEmpty && sessions.slot.value.isAimingByCounts
    }
}

// MARK: - Heart rate

extension Session {
    /// The fold time at which a goal in time, or half of it, is due; nil if none is.
    @inline(__always)
    fileprivate var dueAt: UInt64? {
        guard goal.kind == .duration, goal.target > 0, goalReachedPosition == nil,
            state == .running
        else { return nil }
        return settledTo.plus(nextTarget.minus(accounting.activeMilliseconds))
    }

    /// Takes the heart-rate values of a run, none of which is a copy or changes the link.
    fileprivate mutating func receiveHearts(
        _ run: borrowing BlockRuns, of strap: DeviceID, _ link: LinkTimes,
        _ contact: ContactHistory, _ clock: FoldClock, _ rules: Rules
    ) {
        var link = link
        hear(strap)
        let isPaused = state == .paused
        // Where the values begin that all count and have intervals, so that these are adjacent.
        var start = 0
        var index = 0
        while index < run.heartCount {
            if !isPaused {
                let usual = index..<run.firstOddHeart(from: index)
                if usual.count > 3, receiveUsual(run, usual, &link, clock, rules) {
                    index = usual.upperBound
                    continue
                }
            }
            defer { index += 1 }
            let (value, entry) = run.heart(index)
            let now = clock.time(atBoot: entry.bootMilliseconds)
            settle(to: now, link, rules)
            let reading = HeartReading(value, isContactIgnored: contact.isIgnored, rules)
            let counts = readings.heartRate.take(
                reading, isPaused: isPaused, at: now, position: entry.position)
            link.receive(reading, at: now)
            if reading.isWithoutContact { strapWithoutContact = strap }
            if counts, value.intervalCount > 0 { continue }
            readings.rr.add(run, start..<index, clock)
            start = index + 1
            if counts { readings.rr.breakAdjacency() } else { readings.rr.endSpan() }
        }
        readings.rr.add(run, start..<run.heartCount, clock)
    }
}

extension Session {
    /// Takes usual heart-rate values of a run, but for their intervals.
    ///
    /// - Returns: False if they have to be taken one by one.
    private mutating func receiveUsual(
        _ run: borrowing BlockRuns, _ range: Range<Int>, _ link: inout LinkTimes,
        _ clock: FoldClock, _ rules: Rules
    ) -> Bool {
        let first = clock.time(atBoot: run.heart(range.lowerBound).entry.bootMilliseconds)
        let (value, entry) = run.heart(range.upperBound - 1)
        let last = clock.time(atBoot: entry.bootMilliseconds)
        guard last.minus(first) < UsualHearts.limitMilliseconds else { return false }
        settle(to: first, link, rules)
        guard isSettled(at: first) else { return false }
        let silence = Int32(min(rules.silenceMilliseconds, UsualHearts.limitMilliseconds))
        run.withRates(of: range) { times, rates in
            let hearts = UsualHearts(
                times, rates, silence: silence, bounds: ZoneBounds(zones))
            settle(to: last, hearts)
            readings.heartRate.take(hearts, rates) { index in
                let (value, entry) = run.heart(range.lowerBound + index)
                return SupportedMaximum.Sample(
                    bpm: value.heartRateBPM, at: clock.time(atBoot: entry.bootMilliseconds),
                    position: entry.position)
            }
        }
        link.receive(HeartReading(value, isContactIgnored: false, rules), at: last)
        return true
    }
}

extension RRTotals {
    /// Takes the intervals of values that all count and have some.
    fileprivate mutating func add(
        _ run: borrowing BlockRuns, _ range: Range<Int>, _ clock: FoldClock
    ) {
        guard let first = range.first, let last = range.last else { return }
        var ticks: UInt64 = 0
        var lastTicks: UInt64 = 0
        var skipped: UInt64 = 0
        run.withIntervals(of: range) { ticks = add($0) }
        run.withIntervals(of: last..<last + 1) { lastTicks = $0.sum }
        run.withIntervals(of: first..<first + 1) { skipped = $0.sum }
        follow(
            ticks, first: skipped, last: lastTicks,
            from: clock.time(atBoot: run.heart(first).entry.bootMilliseconds),
            to: clock.time(atBoot: run.heart(last).entry.bootMilliseconds))
    }
}

extension Device {
    /// Takes the heart-rate values of a run: each but the last is forgotten.
    fileprivate mutating func receiveHearts(
        _ run: borrowing BlockRuns, _ clock: FoldClock, _ rules: Rules
    ) {
        contact.note(run)
        let last = run.heartCount - 1
        let (value, entry) = run.heart(last)
        let now = clock.time(atBoot: entry.bootMilliseconds)
        let reading = HeartReading(value, isContactIgnored: contact.isIgnored, rules)
        link.lastValueAt = now
        link.lastBPM = reading.heartRateBPM
        link.lastWithoutContact = reading.isWithoutContact
        link.values.add(UInt64(run.heartCount))
        run.withLastHeart { link.delivery.takeSingle(ValueImprint($0), at: now) }
    }
}
