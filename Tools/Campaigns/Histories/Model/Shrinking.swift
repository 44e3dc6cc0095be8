import Projections

extension Campaign {
    /// Removes happenings for as long as the history still breaks a promise.
    ///
    /// First long stretches, then shorter ones, then single happenings, until none can go. Truth
    /// that was told of the whole history is kept; what nature did in an honest one stays.
    ///
    /// - Parameters:
    ///   - history: A history that breaks the promise.
    ///   - promise: The promise.
    /// - Returns: A history that breaks it too, and from which no happening can be taken away.
    public func shrink(_ history: History, breaking promise: Promise) -> History {
        // What is proven depends on what was heard: nothing can be taken away.
        guard promise != .carriesOverlap else { return history }
        var best = history
        var length = max(1, history.happenings.count / 2)
        while true {
            var isShorter = false
            var start = 0
            while start < best.happenings.count {
                let end = min(start + length, best.happenings.count)
                var trial = best
                let kept = best.happenings[start..<end].filter { $0.isFixed && best.isHonest }
                trial.happenings.replaceSubrange(start..<end, with: kept)
                var campaign = Campaign(fault: fault)
                if kept.count < end - start,
                    campaign.violations(of: trial).contains(where: { $0.promise == promise })
                {
                    best = trial
                    isShorter = true
                } else {
                    start = end
                }
            }
            if length > 1 {
                length /= 2
            } else if !isShorter {
                return best
            }
        }
    }
}

extension Happening {
    /// Whether truth would be another one without it.
    fileprivate var isFixed: Bool {
        switch what {
        case .reboot, .clock, .zone: true
        case .command(.pair(_, _, _)), .command(.makePrimary): true
        case .command, .imported, .look: false
        }
    }
}
