/// A scenario that is being played: bluetoothd, and the parts that let things happen.
///
/// Each part has a clock of its own, which is the daemon's times the speed; waiting stops it. Steps
/// are due at times from the last wait, not from each other, so that no delay adds up.
package struct Play: Sendable {
    package private(set) var daemon: Daemon
    private let speed: Double
    private var parts: [Part] = []
    private var agenda = Agenda<Event>()
    private var now: UInt64

    /// What parts will do; they are numbers.
    private enum Event: Hashable {
        case proceed(Int)
        /// Time runs anew: something that was waited for is so, or all branches are over.
        case resume(Int, keepsMark: Bool)
        case limit(Int, milliseconds: UInt64)
    }

    private struct Part {
        let steps: [Scenario.Step]
        /// The part of which it is a branch.
        var parent: Int?
        /// The next step.
        var index = 0
        /// When its clock was last set to 0.
        var origin: UInt64
        /// How far its clock has come since.
        var elapsed: UInt64 = 0
        /// Where the mark is on its clock; negative if that was set back since.
        var mark: Int64 = 0
        /// What is waited for.
        var condition: Scenario.Condition?
        /// How many of its branches go on.
        var branchCount = 0
    }

    /// Begins to play.
    ///
    /// - Parameters:
    ///   - scenario: What is played.
    ///   - timing: How long things take.
    ///   - speed: How much faster than the clock the parts run, above 0.
    ///   - now: The present moment, in milliseconds of the boot clock.
    package init(
        _ scenario: Scenario, timing: Timing = .short, speed: Double = 1, now: UInt64 = 0
    ) {
        precondition(speed > 0, "A play that stands still is never over.")
        daemon = Daemon(scenario, timing: timing, now: now)
        (self.speed, self.now) = (speed, now)
        begin(scenario.parts, of: nil, mark: 0)
        if parts.isEmpty { daemon.add(.report(.ended)) }
    }

    /// When something comes by itself; nil for never.
    package var nextDue: UInt64? { [agenda.nextDue, daemon.nextDue].compactMap { $0 }.min() }

    /// Lets time pass, and everything happen that is due.
    package mutating func pass(to time: UInt64) {
        now = max(now, time)
        change { $0.pass(to: time) }
        while let event = agenda.takeDue(at: now) {
            switch event {
            case .proceed(let part): proceed(part)
            case .resume(let part, let keepsMark): resume(part, keepsMark: keepsMark)
            case .limit(let part, let milliseconds):
                guard let condition = parts[part].condition else { continue }
                parts[part].condition = nil
                daemon.problem("Waited \(milliseconds) ms in vain: \(condition).")
                resume(part, keepsMark: false)
            }
        }
    }

    /// Lets something happen to the daemon.
    package mutating func change(_ body: (inout Daemon) -> Void) {
        body(&daemon)
        look()
    }

    /// Hands over what has come of everything until now.
    package mutating func takeEffects() -> [Daemon.Effect] { daemon.takeEffects() }

    /// Looks whether what is waited for is so; parts go on in the next turn.
    private mutating func look() {
        for (number, part) in parts.enumerated() {
            guard let condition = part.condition, daemon.holds(condition) else { continue }
            parts[number].condition = nil
            agenda.cancel { if case .limit(number, _) = $0 { true } else { false } }
            agenda.add(.resume(number, keepsMark: false), at: now)
        }
    }

    // MARK: - Parts

    private mutating func begin(_ steps: [[Scenario.Step]], of parent: Int?, mark: Int64) {
        let first = parts.count
        parts += steps.map { Part(steps: $0, parent: parent, origin: now, mark: mark) }
        for part in first..<parts.count { agenda.add(.proceed(part), at: now) }
    }

    /// Goes on as far as the time has come.
    private mutating func proceed(_ number: Int) {
        while parts[number].index < parts[number].steps.count {
            let part = parts[number]
            parts[number].index += 1
            switch part.steps[part.index] {
            case .act(let action): change { $0.act(action) }
            case .mark: parts[number].mark = Int64(part.elapsed)
            case .pause(let milliseconds):
                guard isTime(part.elapsed + milliseconds, number) else { return }
            case .until(let milliseconds):
                let time = UInt64(max(0, part.mark + Int64(milliseconds)))
                guard isTime(max(part.elapsed, time), number) else { return }
            case .wait(let condition, let limit):
                parts[number].condition = condition
                if let limit { agenda.add(.limit(number, milliseconds: limit), at: now + limit) }
                return look()
            case .parallel(let branches):
                parts[number].branchCount = branches.count
                begin(branches, of: number, mark: part.mark - Int64(part.elapsed))
                if branches.isEmpty { agenda.add(.resume(number, keepsMark: true), at: now) }
                return
            }
        }
        end(number)
    }

    private mutating func end(_ number: Int) {
        parts[number].index = .max
        if let parent = parts[number].parent {
            parts[parent].branchCount -= 1
            if parts[parent].branchCount == 0 {
                agenda.add(.resume(parent, keepsMark: true), at: now)
            }
        } else if parts.allSatisfy({ $0.parent != nil || $0.index == .max }) {
            daemon.add(.report(.ended))
        }
    }

    /// Puts a part's clock to a time; false if that is still to come, and then goes on by itself.
    private mutating func isTime(_ milliseconds: UInt64, _ number: Int) -> Bool {
        parts[number].elapsed = milliseconds
        let due = parts[number].origin + UInt64(Double(milliseconds) / speed)
        guard due > now else { return true }
        agenda.add(.proceed(number), at: due)
        return false
    }

    /// Sets a part's clock to 0; the mark as well, unless it stays where it was.
    private mutating func resume(_ number: Int, keepsMark: Bool) {
        let passed = Double(now - parts[number].origin) * speed
        parts[number].mark = keepsMark ? parts[number].mark - Int64(passed) : 0
        parts[number].origin = now
        parts[number].elapsed = 0
        proceed(number)
    }
}
