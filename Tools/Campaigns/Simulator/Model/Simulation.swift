/// Plays histories, and makes those that break a promise small.
package struct Simulation: Sendable {
    /// What came of a history.
    package struct Result: Sendable {
        /// The promise that was broken; nil for none.
        package let violation: Violation?
        /// How many events the log holds.
        package let events: UInt64
        /// How many readings of straps are among them.
        package let readings: UInt64
    }

    private let history: History

    /// Makes the history of a seed.
    ///
    /// - Parameters:
    ///   - seed: What it is made from.
    ///   - hours: How long it is.
    package init(seed: UInt64, hours: UInt64) { history = History(seed: seed, hours: hours) }

    /// Makes the history of a seed in which walks are recorded by themselves.
    ///
    /// - Parameters:
    ///   - seed: What it is made from.
    ///   - hours: How long it is.
    package init(wornSeed seed: UInt64, hours: UInt64) {
        history = History(wornSeed: seed, hours: hours)
    }

    private init(_ history: History) { self.history = history }

    /// Plays it.
    ///
    /// - Parameter trace: Is told everything that happens, a line for each; nil for nobody.
    /// - Returns: What came of it.
    package func play(trace: ((String) -> Void)? = nil) -> Result {
        let world = World(seed: history.seed, trace: trace)
        let violation = world.play(history)
        return Result(
            violation: violation, events: world.witness.next, readings: world.witness.readings)
    }

    /// The shortest history that was found which breaks the same promise.
    package func shrunk(breaking violation: Violation) -> Simulation {
        let promise = violation.promise
        var best = history
        best.acts.removeAll { $0.at > violation.at }
        best.hours = violation.at / 3_600_000 + 1
        var length = max(1, best.acts.count / 2)
        while true {
            var isShorter = false
            var start = 0
            while start < best.acts.count {
                let end = min(start + length, best.acts.count)
                var trial = best
                trial.acts.removeSubrange(start..<end)
                if Simulation(trial).play().violation?.promise == promise {
                    best = trial
                    isShorter = true
                } else {
                    start = end
                }
            }
            if length > 1 {
                length /= 2
            } else if !isShorter {
                return Simulation(best)
            }
        }
    }
}

extension Simulation: CustomStringConvertible {
    /// The history, a line for each happening.
    package var description: String { history.description }
}
