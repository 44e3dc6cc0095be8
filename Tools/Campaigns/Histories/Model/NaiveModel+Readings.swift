import Events

/// What readings add, found by looking back.
extension NaiveModel {
    func reader(_ index: Int) -> DeviceID? {
        if case .reading(let device, _) = facts[index] { return device }
        return nil
    }

    func chosen(at index: Int) -> DeviceID? {
        for earlier in (0..<index).reversed() {
            if case .chosen(let device, _) = facts[earlier] { return device }
        }
        for earlier in 0...index { if let device = readers[earlier] { return device } }
        return nil
    }

    private func lastReading(of device: DeviceID, before index: Int) -> Int? {
        for earlier in (0..<index).reversed() where readers[earlier] == device { return earlier }
        return nil
    }

    /// Whether an event is a reading of the pedometer that counted then.
    private func isCountedStream(_ index: Int) -> Bool {
        readers[index] != nil && readers[index] == chosen[index]
    }

    /// Whether an event makes another pedometer count, the one given.
    private func isSwitch(_ index: Int, to device: DeviceID) -> Bool {
        guard case .chosen(let next, _) = facts[index] else { return false }
        return next == device && chosen[index] != device
    }

    // MARK: - Differences

    func difference(at index: Int) -> (steps: UInt64, isRestart: Bool, isNone: Bool) {
        guard case .reading(let device, let count) = facts[index],
            let earlier = lastReading(of: device, before: index)
        else { return (0, false, false) }
        guard count.shown != nil else {
            let before = rateSteps(device, through: earlier)
            return (rateSteps(device, through: index) - before, false, false)
        }
        return counterDifferences(of: device, through: index).last ?? (0, false, false)
    }

    /// What each reading of a counter adds, up to one: a walk through all of them.
    private func counterDifferences(
        of device: DeviceID, through index: Int
    ) -> [(steps: UInt64, isRestart: Bool, isNone: Bool)] {
        let readings = (0...index).filter { readers[$0] == device }
        var sums: [(steps: UInt64, isRestart: Bool, isNone: Bool)] = []
        // Where a road was left that may be the right one, and how many sums stood there; whether
        // nobody can have come to the one that was taken, when that was, and whether it led on.
        var left: (index: Int, sums: Int)?
        var (isOff, taken, ledOn) = (false, 0, false)
        var group = 0
        for (place, now) in readings.enumerated() {
            guard place > 0 else {
                sums.append((0, false, false))
                continue
            }
            let last = readings[place - 1]
            if !isTogether(last, now) || times[now] - times[readings[group]] >= 5_000 {
                group = place
            }
            let start = max(group - 1, 0)
            let spent = sums[min(start + 1, place)..<place].reduce(0) { $0 + $1.steps }
            let most = most(from: readings[start], to: now)
            let room = most - min(most, spent)
            let (was, shows) = (shown(last), shown(now))
            let isNew = shows < was && shows <= room
            if fault == .believesFalls, shows < was {
                sums.append((shows, true, false))
            } else if shows >= was, fault == .believesSpikes || shows - was <= room {
                sums.append((shows - was, false, false))
                guard shows > was, left != nil else { continue }
                ledOn = true
                if !isOff || times[now] - times[taken] >= 600_000 { left = nil }
            } else if let there = left, isOff || !isNew, shows >= shown(there.index),
                shows - shown(there.index) <= self.most(from: there.index, to: now)
            {
                let since = sums[there.sums...].reduce(0) { $0 + $1.steps }
                let steps = shows - shown(there.index)
                sums.append((steps - min(steps, since), false, false))
                left = nil
            } else if shows < was, was < 1 << 32, wrapped(was, shows) < 100_000,
                wrapped(was, shows) <= room
            {
                sums.append((wrapped(was, shows), false, false))
            } else {
                if left == nil || ledOn { left = (last, sums.count) }
                (isOff, taken, ledOn) = (!isNew, now, false)
                sums.append((isNew ? shows : 0, isNew, !isNew))
            }
        }
        return sums
    }

    private func shown(_ index: Int) -> UInt64 {
        guard case .reading(_, let count) = facts[index] else { return 0 }
        return count.shown ?? 0
    }

    private func wrapped(_ before: UInt64, _ now: UInt64) -> UInt64 {
        UInt64(UInt32(truncatingIfNeeded: now) &- UInt32(truncatingIfNeeded: before))
    }

    /// Less than half a second apart, as far as anybody knows.
    private func isTogether(_ earlier: Int, _ later: Int) -> Bool {
        longest(from: earlier, to: later) < 500
    }

    /// What legs can make between two events.
    private func most(from earlier: Int, to later: Int) -> UInt64 {
        let time = longest(from: earlier, to: later)
        let days = max(1, (time + 86_399_999) / 86_400_000)
        return min(time * 5 / 1_000 + 10, days * 200_000)
    }

    /// The time between two events; a day at least if a boot of which nobody knows when it began
    /// lies between.
    private func longest(from earlier: Int, to later: Int) -> UInt64 {
        let known = times[later] - times[earlier]
        var isKnown = true
        var last = earlier
        for index in earlier + 1..<later + 1 where headers[index].source == 0 {
            if !isSameBoot(headers[last].stamp, headers[index].stamp) {
                isKnown = isKnown && times[index] > times[last]
            }
            last = index
        }
        return isKnown ? known : max(known, 86_400_000)
    }

    /// All steps of a foot pod up to a reading: each rate for as long as it held.
    private func rateSteps(_ device: DeviceID, through index: Int) -> UInt64 {
        let readings = (0...index).filter { readers[$0] == device }
        var sum: UInt64 = 0
        for (earlier, later) in zip(readings, readings.dropFirst()) {
            guard case .reading(_, .rate(let rate)) = facts[earlier] else { continue }
            let held = min(times[later] - times[earlier], cadenceMilliseconds)
            let perMinute = rate * stepsPerCount(at: later)
            if perMinute <= 300 { sum += perMinute * held }
        }
        return sum / 60_000
    }

    private func stepsPerCount(at index: Int) -> UInt64 {
        for earlier in (0..<index).reversed() {
            if case .chosen(_, let steps) = facts[earlier] { return steps }
        }
        return 1
    }

    // MARK: - The day

    /// What a reading adds to its day: its difference, unless what came before it forbids that.
    func countedSteps(at index: Int) -> UInt64 {
        // Before any date is known there is no day to count for.
        guard let device = readers[index], opened[...index].contains(where: { $0 != nil }) else {
            return 0
        }
        let (steps, isRestart, _) = differences[index]
        if fault == .ignoresRestarts, isRestart { return 0 }
        if fault == .countsEveryPedometer { return steps }
        guard device == chosen[index] else { return 0 }
        var covered: UInt64 = 0
        for earlier in (0..<index).reversed() {
            // The stream goes on.
            if isCountedStream(earlier), !differences[earlier].isNone { break }
            if isSwitch(earlier, to: device) { return 0 }
            covered += covers[earlier]
            if let date = opened[earlier], fault != .keepsStreamOverMidnight {
                guard isRestart else { return 0 }
                // Totals that came while the day did not count.
                covered +=
                    (displayed(date, after: earlier) ?? 0)
                    - displayedWhenLeft(date, before: earlier)
                break
            }
        }
        return steps - min(steps, covered)
    }

    /// What a date displayed when another date took its place last; 0 if it never counted.
    private func displayedWhenLeft(_ date: CivilDate, before count: Int) -> UInt64 {
        let left = (0..<count).last { index in
            opened[index] != nil && opened[index] != date && self.date(after: index) == date
        }
        return left.flatMap { displayed(date, after: $0) } ?? 0
    }

    /// T9: what was counted today, by the wall clock after the end of the total.
    func carriedSteps(at index: Int) -> UInt64 {
        guard carriesOverlap, fault != .dropsOverlap, opened[index] == nil,
            case .reconciled(let date, .some, .some(let until), _) = facts[index],
            date == self.date(after: index)
        else { return 0 }
        var sum: UInt64 = 0
        for earlier in (0..<index).reversed() {
            if headers[earlier].stamp.wallMilliseconds > until { sum += counted[earlier] }
            if opened[earlier] != nil { break }
        }
        return sum
    }

    /// The steps that a total brings and the next reading may show once more.
    ///
    /// A total that wins holds what was walked until its end, or until now if it names none. Where
    /// the pedometer was read after that end, or a moment ago, its next reading shows later steps.
    /// Else, and after a start of the recorder, they may be the same.
    func coveredSteps(at index: Int) -> UInt64 {
        guard fault != .countsCoveredSteps,
            case .reconciled(let date, .some(let total), let until, _) = facts[index],
            date == opened[index] ?? self.date(after: index), let device = chosen[index]
        else { return 0 }
        let before = displayed(date, after: index) ?? 0
        let now = total + carried[index]
        guard now > before, now >= legacy(date, before: index) else { return 0 }
        if let last = lastReading(of: device, before: index), isHeard(since: last, until: index) {
            let wall = headers[index].stamp.wallMilliseconds
            let age = until.map { max(0, wall - $0) } ?? 0
            if times[index] - times[last] <= max(UInt64(age), cadenceMilliseconds) { return 0 }
        }
        return now - before
    }

    private func legacy(_ date: CivilDate, before index: Int) -> UInt64 {
        var greatest: UInt64 = 0
        for earlier in 0..<index {
            if case .legacy(let day, let total) = facts[earlier], day == date {
                greatest = max(greatest, total)
            }
        }
        return greatest
    }

    /// Whether no recorder started or stopped between two events.
    private func isHeard(since earlier: Int, until index: Int) -> Bool {
        for between in earlier..<index {
            switch facts[between] {
            case .zone(_, isStart: true), .stopped: return false
            default: continue
            }
        }
        return true
    }

    // MARK: - Sessions

    /// S8: what the session's own streams counted; the day's reconciles are not looked at.
    func sessionSteps(from start: Int, after count: Int) -> UInt64 {
        var sum: UInt64 = 0
        for index in start..<count {
            if case .sessionEnded = facts[index] { break }
            if isCountedStream(index) { sum += sessionDifference(at: index, from: start) }
        }
        return sum
    }

    private func sessionDifference(at index: Int, from start: Int) -> UInt64 {
        let steps = differences[index].steps
        guard let device = readers[index], let began = streamStart(before: index, from: start)
        else { return 0 }
        for earlier in (began.index..<index).reversed() {
            if isCountedStream(earlier), !differences[earlier].isNone { return steps }
            if isSwitch(earlier, to: device) { return 0 }
        }
        if fault == .countsPauses { return steps }
        // The stream's first reading: it counts if the pedometer was read just before the start.
        guard let chosen = chosen[began.index],
            let last = lastReading(of: chosen, before: began.index),
            isHeard(since: last, until: began.index)
        else { return 0 }
        if let pausedAt = began.pausedAt, times[last] <= pausedAt { return 0 }
        return times[began.index] - times[last] <= cadenceMilliseconds ? steps : 0
    }

    /// Where the running stream of a session began, or nil while it is paused.
    private func streamStart(
        before index: Int, from start: Int
    ) -> (index: Int, pausedAt: UInt64?)? {
        var resumed: Int?
        for earlier in (start..<index).reversed() {
            switch facts[earlier] {
            case .sessionResumed: resumed = resumed ?? earlier
            case .sessionPaused: return resumed.map { ($0, times[earlier]) }
            default: continue
            }
        }
        return (start, nil)
    }
}
