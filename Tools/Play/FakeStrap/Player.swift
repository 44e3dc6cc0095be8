import Clocks
import DBus

/// Plays one part of a scenario on the bus thread.
///
/// Its clock is that of the connection, times the speed; waiting stops it. Steps are due at times
/// from the last wait, not from each other, so that no delay adds up.
final class Player {
    unowned let connection: Connection
    private let daemon: Daemon
    private let steps: [Scenario.Step]
    private let speed: Double
    private let ended: () -> Void

    /// The next step.
    private var index = 0
    /// When the part's own clock was last set to 0, on the boot clock.
    private var originMilliseconds: UInt64
    /// How far the part's own clock has come since.
    private var elapsedMilliseconds: UInt64 = 0
    /// Where the mark is on the part's own clock; negative if that was set back since.
    private var markMilliseconds: Int64
    /// What is waited for.
    private var condition: Scenario.Condition?
    private var limit: Connection.TimerID?
    /// Those who play the branches of the step that is under way.
    private var branches: [Player] = []
    private var runningBranchCount = 0

    init(
        _ steps: [Scenario.Step], of daemon: Daemon, connection: Connection, speed: Double,
        markMilliseconds: Int64 = 0, ended: @escaping () -> Void
    ) {
        self.steps = steps
        self.daemon = daemon
        self.connection = connection
        self.speed = speed
        self.markMilliseconds = markMilliseconds
        self.ended = ended
        originMilliseconds = connection.now().bootMilliseconds
    }

    /// Goes on as far as the time has come.
    func proceed() {
        while index < steps.count {
            let step = steps[index]
            index += 1
            switch step {
            case .act(let action):
                daemon.act(action)
            case .mark:
                markMilliseconds = Int64(elapsedMilliseconds)
            case .pause(let milliseconds):
                guard isTime(elapsedMilliseconds + milliseconds) else { return }
            case .until(let milliseconds):
                let time = UInt64(max(0, markMilliseconds + Int64(milliseconds)))
                guard isTime(max(elapsedMilliseconds, time)) else { return }
            case .wait(let condition, let limitMilliseconds):
                return wait(for: condition, limitMilliseconds)
            case .parallel(let branches):
                return play(branches)
            }
        }
        ended()
    }

    /// Looks again whether what is waited for is so.
    ///
    /// Going on is left to the next turn of the loop: the change is still under way.
    func look() {
        branches.forEach { $0.look() }
        guard let condition, daemon.holds(condition) else { return }
        self.condition = nil
        if let limit { connection.cancel(limit) }
        connection.after(milliseconds: 0) { [self] arrival in resume(at: arrival) }
    }

    // MARK: - Time

    /// Puts the part's clock to a time; false if that is still to come, and then goes on by itself.
    private func isTime(_ milliseconds: UInt64) -> Bool {
        elapsedMilliseconds = milliseconds
        let due = originMilliseconds + UInt64(Double(elapsedMilliseconds) / speed)
        let now = connection.now().bootMilliseconds
        guard due > now else { return true }
        connection.after(milliseconds: due - now) { [self] _ in proceed() }
        return false
    }

    private func wait(for condition: Scenario.Condition, _ limitMilliseconds: UInt64?) {
        self.condition = condition
        limit = limitMilliseconds.map { milliseconds in
            connection.after(milliseconds: milliseconds) { [self] arrival in
                self.condition = nil
                daemon.report(.problem("Waited \(milliseconds) ms in vain: \(condition)."))
                resume(at: arrival)
            }
        }
        look()
    }

    private func resume(at arrival: Arrival) {
        limit = nil
        originMilliseconds = arrival.bootMilliseconds
        elapsedMilliseconds = 0
        markMilliseconds = 0
        proceed()
    }

    // MARK: - Branches

    private func play(_ parts: [[Scenario.Step]]) {
        runningBranchCount = parts.count
        branches = parts.map { steps in
            Player(
                steps, of: daemon, connection: connection, speed: speed,
                markMilliseconds: markMilliseconds - Int64(elapsedMilliseconds)
            ) { [unowned self] in
                runningBranchCount -= 1
                if runningBranchCount == 0 { join() }
            }
        }
        guard !branches.isEmpty else { return join() }
        branches.forEach { $0.proceed() }
    }

    /// Goes on after the branches, in the next turn of the loop.
    private func join() {
        connection.after(milliseconds: 0) { [self] arrival in
            branches = []
            // The clock is set to 0, but the mark stays where it was.
            let passed = Double(arrival.bootMilliseconds - originMilliseconds) * speed
            markMilliseconds -= Int64(passed)
            originMilliseconds = arrival.bootMilliseconds
            elapsedMilliseconds = 0
            proceed()
        }
    }
}
