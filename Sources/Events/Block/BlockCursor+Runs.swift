// Reading ahead: the entries of the heart, steps and place sections whose form is the usual one.
// Whatever differs is left for the walk in the order of the log, faults included.

extension BlockCursor {
    @inlinable static var heartLane: Int { 2 }
    @inlinable static var stepsLane: Int { 3 }
    @inlinable static var placeLane: Int { 5 }

    /// Reads ahead in each lane of which nothing is left that was read before.
    ///
    /// - Parameters:
    ///   - runs: Where the entries go.
    ///   - spacing: For how many milliseconds after a heart-rate value one that begins with the
    ///     same bytes is not plain.
    @usableFromInline
    mutating func readAhead(_ runs: inout BlockRuns, spacing: UInt64) {
        if runs.isEmpty(BlockCursor.heartLane) { readHearts(&runs, spacing) }
        if runs.isEmpty(BlockCursor.stepsLane) { readCounts(&runs) }
        if runs.isEmpty(BlockCursor.placeLane) { readFixes(&runs) }
        let first =
            !runs.isEmpty(BlockCursor.heartLane)
            ? BlockCursor.heartLane
            : !runs.isEmpty(BlockCursor.stepsLane) ? BlockCursor.stepsLane : BlockCursor.placeLane
        runs.source = states[first].source
        runs.bootNumber = states[first].bootNumber
        runs.flags = EventFlags(rawValue: states[first].flags)
        runs.isUniform =
            !runs.isEmpty(first) && agrees(BlockCursor.stepsLane, runs)
            && agrees(BlockCursor.placeLane, runs)
    }

    /// Whether what was read ahead of a lane, if anything, has the envelope of the runs.
    @inline(__always)
    private func agrees(_ lane: Int, _ runs: borrowing BlockRuns) -> Bool {
        runs.isEmpty(lane)
            || states[lane].source == runs.source && states[lane].bootNumber == runs.bootNumber
                && states[lane].flags == runs.flags.rawValue
    }

    private mutating func readHearts(_ runs: inout BlockRuns, _ spacing: UInt64) {
        let lane = BlockCursor.heartLane
        var ahead = LaneAhead(self, lane, .characteristicNotified)
        guard ahead.isPlain, ahead.state.device != .max else { return }
        runs.heartDevice = ahead.state.device
        var place = HeartPlace(spacing: spacing)
        runs.oddCount = 0
        while true {
            ahead.takeShortHearts(&runs, &place)
            guard
                case (let entry, let heart)? = ahead.takeHeart(
                    from: place.earliest, { runs.intervals[place.interval &+ $0] = $1 })
            else { break }
            let mark = heart.mark(runs.intervals[place.interval])
            // What comes soon and begins with the same bytes may be a copy.
            if mark == place.mark, entry.bootMilliseconds <= place.lastCopy { break }
            runs.keep(heart, entry, at: ahead.count, place.interval)
            ahead.keep(entry)
            place.take(
                mark, at: entry.bootMilliseconds, place.interval &+ Int(heart.intervalCount))
        }
        keep(ahead, lane, &runs)
    }

    private mutating func readCounts(_ runs: inout BlockRuns) {
        let lane = BlockCursor.stepsLane
        var ahead = LaneAhead(self, lane, .pedometerRead)
        guard ahead.isPlain, ahead.state.device != .max else { return }
        runs.stepsDevice = ahead.state.device
        while true {
            ahead.takeShortCounts(&runs)
            guard let (entry, control) = ahead.next(), control & 0xF7 < 2 else { break }
            let count = BlockCursor.takeCount(control, &ahead.source, &ahead.state)
            guard !ahead.source.isFailed else { break }
            runs.counts[ahead.count] = count
            runs.entries[runs.start(lane) &+ ahead.count] = entry
            ahead.keep(entry)
        }
        keep(ahead, lane, &runs)
    }

    private mutating func readFixes(_ runs: inout BlockRuns) {
        let lane = BlockCursor.placeLane
        var ahead = LaneAhead(self, lane, .positionFixed)
        guard ahead.isPlain else { return }
        while let (entry, control) = ahead.next(), control < 32 {
            let fix = BlockCursor.takePosition(
                control, &ahead.source, &ahead.state, wall: entry.wallMilliseconds)
            guard !ahead.source.isFailed, fix.isWithinLimits else { break }
            runs.fixes[ahead.count] = fix
            runs.entries[runs.start(lane) &+ ahead.count] = entry
            ahead.keep(entry)
        }
        keep(ahead, lane, &runs)
    }

    /// Goes on behind what was read ahead of a lane.
    @inline(__always)
    private mutating func keep(_ ahead: LaneAhead, _ lane: Int, _ runs: inout BlockRuns) {
        sources[lane].offset = ahead.kept.offset
        states[lane].bootMilliseconds = ahead.kept.bootMilliseconds
        states[lane].wallMinusBoot = ahead.kept.wallMinusBoot
        states[lane].first = ahead.kept.first
        states[lane].second = ahead.kept.second
        states[lane].third = ahead.kept.third
        laneRemaining[lane] &-= UInt64(ahead.count)
        laneIndex[lane] &+= UInt64(ahead.count)
        runs.next[lane] = runs.start(lane)
        runs.end[lane] = runs.start(lane) &+ ahead.count
    }
}

extension PositionFixed {
    /// Whether a payload can hold these numbers.
    fileprivate var isWithinLimits: Bool {
        let limit = UInt64(BlockCursor.numberLimit)
        return accuracyMillimetres ?? 0 < limit && speedMillimetresPerSecond ?? 0 < limit
            && satellites ?? 0 < limit
    }
}

// MARK: - In the order of the log

extension BlockCursor {
    /// Gathers a run of what was read ahead: up to the first event that was not, or that is out of
    /// the limits, or whose boot clock is below that of the event before it.
    ///
    /// - Returns: Whether the run has an event.
    @usableFromInline
    mutating func gather(_ runs: inout BlockRuns, _ limits: RunLimits) -> Bool {
        var latest = limits.bootMilliseconds.lowerBound
        let hearts = runs.next[BlockCursor.heartLane]
        let counts = runs.next[BlockCursor.stepsLane]
        let fixes = runs.next[BlockCursor.placeLane]
        var end = runs.end
        if !limits.takesHearts { end[BlockCursor.heartLane] = 0 }
        if !limits.takesCounts { end[BlockCursor.stepsLane] = 0 }
        // Copies, so that they stay in registers.
        var next = runs.next
        var order = order
        var taken = 0
        var others = 0
        var last = 0
        while taken < remaining {
            let lane = Int(order.next)
            guard lane < BlockLayout.laneCount else { break }
            let place = next[lane]
            guard place < end[lane] else { break }
            let boot = runs.entries[place].bootMilliseconds
            guard boot >= latest, boot < limits.bootMilliseconds.upperBound else { break }
            latest = boot
            runs.entries[place].position = position &+ UInt64(taken)
            next[lane] = place &+ 1
            runs.others[others] = UInt16(truncatingIfNeeded: place)
            others &+= lane == BlockCursor.heartLane ? 0 : 1
            last = place
            order.offset &+= 1
            taken &+= 1
        }
        self.order.offset = order.offset
        position &+= UInt64(taken)
        remaining &-= taken
        runs.next = next
        runs.last = last
        runs.otherCount = others
        runs.heartRange = hearts..<next[BlockCursor.heartLane]
        runs.countRange = counts..<next[BlockCursor.stepsLane]
        runs.fixRange = fixes..<next[BlockCursor.placeLane]
        return taken > 0
    }

    /// Hands the next event to `body`, whether it was read ahead or not; nil if the block is
    /// damaged here.
    @inlinable
    @inline(__always)
    mutating func next(
        _ runs: inout BlockRuns, _ body: (borrowing EventView) -> Bool
    ) -> Bool? {
        let lane = Int(order.next)
        guard lane < BlockLayout.laneCount, !runs.isEmpty(lane) else { return next(body) }
        let header = rewrite(&runs, lane)
        order.offset &+= 1
        position &+= 1
        remaining &-= 1
        return body(EventView(header, scratch.written))
    }

    /// Writes the payload of the next event that was read ahead in a lane.
    @usableFromInline
    mutating func rewrite(_ runs: inout BlockRuns, _ lane: Int) -> EventHeader {
        let place = runs.next[lane]
        let index = place &- runs.start(lane)
        let entry = runs.entries[place]
        runs.next[lane] = place &+ 1
        scratch.offset = 0
        switch lane {
        case BlockCursor.heartLane:
            let heart = runs.hearts[index]
            scratch.write(heart, of: runs.device(runs.heartDevice)) {
                runs.intervals[Int(heart.firstInterval) &+ $0]
            }
        case BlockCursor.stepsLane:
            scratch.write(runs.counts[index], of: runs.device(runs.stepsDevice))
        default: _ = scratch.write(runs.fixes[index])
        }
        return EventHeader(
            position: position, source: states[lane].source,
            stamp: entry.stamp(inBoot: states[lane].bootNumber),
            flags: EventFlags(rawValue: states[lane].flags),
            kind: EventKind(rawValue: states[lane].kind), version: states[lane].version)
    }
}
