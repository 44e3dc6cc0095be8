public import Events

/// Clocks and zones, found by looking back.
extension NaiveModel {
    /// What a view shows for today at a moment after some events.
    public func today(
        after count: Int, at stamp: Stamp, isTrusted: Bool
    ) -> (date: CivilDate?, shown: UInt64) {
        let named = wall(at: stamp, isTrusted: isTrusted, after: count).map {
            CivilDate(wallMilliseconds: $0, zoneOffsetMinutes: zone(after: count))
        }
        var date = named
        if let current = self.date(after: count) {
            let isSure = isTrusted || putRight(stamp, after: count) != nil
            date = named.map { named in
                let goesOn = named > current
                let goesBack = goesBack(from: current, to: named, before: count, isSure: isSure)
                return goesOn || goesBack ? named : current
            }
            date = date ?? current
        }
        return (date, date.flatMap { displayed($0, after: count) } ?? 0)
    }

    /// What the clock says at a moment after some events, or nil if it was never set.
    func wall(at stamp: Stamp, isTrusted: Bool, after count: Int) -> Int64? {
        if isTrusted { return stamp.wallMilliseconds }
        if let right = putRight(stamp, after: count) { return right }
        // Before 2024: it was never set.
        return stamp.wallMilliseconds < 1_704_067_200_000 ? nil : stamp.wallMilliseconds
    }

    /// The wall time by a trusted clock of the same boot, or nil if there was none.
    private func putRight(_ stamp: Stamp, after count: Int) -> Int64? {
        guard let last = lastLive(before: count), isSameBoot(headers[last].stamp, stamp) else {
            return nil
        }
        return trustedOffset(of: last).map { Int64(stamp.bootMilliseconds) + $0 }
    }

    /// Whether an event came under a trusted clock, or one that was put right.
    func isSure(_ index: Int) -> Bool {
        headers[index].flags.contains(.wallTrusted)
            || putRight(headers[index].stamp, after: index) != nil
    }

    /// Whether a date that counts was a mistake of a clock, and an earlier one takes its place.
    func goesBack(
        from current: CivilDate, to date: CivilDate, before count: Int, isSure: Bool
    ) -> Bool {
        guard fault != .believesAnyClock, date < current else { return false }
        for index in 0..<count where self.isSure(index) {
            if opened[index] == current { return false }
            if case .reconciled(current, _, _, _) = facts[index],
                self.date(after: index + 1) == current
            {
                return false
            }
        }
        return isSure || date.daysSinceEpoch <= current.daysSinceEpoch - 2
    }

    func zone(after count: Int) -> Int64 {
        for index in (0..<count).reversed() {
            if case .zone(let offset, _) = facts[index] { return offset }
        }
        return 0
    }

    func time(of index: Int) -> UInt64 {
        let stamp = headers[index].stamp
        guard let last = lastLive(before: index) else { return stamp.bootMilliseconds }
        guard headers[index].source == 0 else { return times[last] }
        let boot = eventsOfBoot(endingAt: last)
        if isSameBoot(headers[last].stamp, stamp) {
            // The line of this boot: the boot clock, moved so that it begins where the line was.
            guard let first = boot.last else { return times[last] }
            let moved = Int64(times[first]) - Int64(headers[first].stamp.bootMilliseconds)
            return max(times[last], UInt64(max(0, Int64(stamp.bootMilliseconds) + moved)))
        }
        guard let offset = trustedOffset(of: last), headers[index].flags.contains(.wallTrusted)
        else { return times[last] }
        let greatest = boot.map { headers[$0].stamp.bootMilliseconds }.max() ?? 0
        return times[last] + UInt64(max(0, stamp.wallMilliseconds - Int64(greatest) - offset))
    }

    func isSameBoot(_ stamp: Stamp, _ other: Stamp) -> Bool {
        stamp.bootNumber == other.bootNumber
    }

    private func lastLive(before index: Int) -> Int? {
        for earlier in (0..<index).reversed() where headers[earlier].source == 0 { return earlier }
        return nil
    }

    /// The live events of the boot of one, the latest first.
    private func eventsOfBoot(endingAt last: Int) -> [Int] {
        var events: [Int] = []
        for index in (0...last).reversed() where headers[index].source == 0 {
            guard isSameBoot(headers[index].stamp, headers[last].stamp) else { break }
            events.append(index)
        }
        return events
    }

    /// Wall minus boot clock at the last trusted stamp of an event's boot, or nil.
    private func trustedOffset(of last: Int) -> Int64? {
        for index in eventsOfBoot(endingAt: last)
        where headers[index].flags.contains(.wallTrusted) {
            let stamp = headers[index].stamp
            return stamp.wallMilliseconds - Int64(stamp.bootMilliseconds)
        }
        return nil
    }
}
