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

    func difference(at index: Int) -> (steps: UInt64, isRestart: Bool) {
        guard case .reading(let device, let count) = facts[index],
            let earlier = lastReading(of: device, before: index),
            case .reading(_, let last) = facts[earlier]
        else { return (0, false) }
        switch (last, count) {
        case (.total(let before), .total(let now)):
            return now >= before ? (now - before, false) : (now, true)
        case (.wrapping(let before), .wrapping(let now)):
            if now >= before { return (UInt64(now - before), false) }
            let wrapped = UInt64(now) + 0x1_0000_0000 - UInt64(before)
            return wrapped < 100_000 ? (wrapped, false) : (UInt64(now), true)
        default:
            return (rateSteps(device, through: index) - rateSteps(device, through: earlier), false)
        }
    }

    /// All steps of a foot pod up to a reading: each rate for as long as it held.
    private func rateSteps(_ device: DeviceID, through index: Int) -> UInt64 {
        let readings = (0...index).filter { readers[$0] == device }
        var sum: UInt64 = 0
        for (earlier, later) in zip(readings, readings.dropFirst()) {
            guard case .reading(_, .rate(let rate)) = facts[earlier] else { continue }
            let held = min(times[later] - times[earlier], cadenceMilliseconds)
            sum += rate * stepsPerCount(at: later) * held
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
        let (steps, isRestart) = differences[index]
        if fault == .ignoresRestarts, isRestart { return 0 }
        if fault == .countsEveryPedometer { return steps }
        guard device == chosen[index] else { return 0 }
        var covered: UInt64 = 0
        for earlier in (0..<index).reversed() {
            // The stream goes on.
            if isCountedStream(earlier) { break }
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
            if isCountedStream(earlier) { return steps }
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
