public import Events

/// Clocks and zones, found by looking back.
extension NaiveModel {
    /// What a view shows for today at a moment after some events.
    public func today(
        after count: Int, at stamp: Stamp, isTrusted: Bool
    ) -> (date: CivilDate?, shown: UInt64) {
        var wall: Int64? = stamp.wallMilliseconds
        if !isTrusted {
            if let last = lastLive(before: count), isSameBoot(headers[last].stamp, stamp),
                let offset = trustedOffset(of: last)
            {
                wall = Int64(stamp.bootMilliseconds) + offset
            } else if stamp.wallMilliseconds < 1_704_067_200_000 {
                // Before 2024: it was never set.
                wall = nil
            }
        }
        let named = wall.map {
            CivilDate(wallMilliseconds: $0, zoneOffsetMinutes: zone(after: count))
        }
        let current = date(after: count)
        guard let date = [named, current].compactMap({ $0 }).max() else { return (nil, 0) }
        return (date, displayed(date, after: count) ?? 0)
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

    private func isSameBoot(_ stamp: Stamp, _ other: Stamp) -> Bool {
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
