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
    /// When the last wait ended, on the boot clock.
    private var markMilliseconds: UInt64
    /// How far the part's own clock has come since.
    private var elapsedMilliseconds: UInt64 = 0
    /// What is waited for.
    private var condition: Scenario.Condition?
    private var limit: Connection.TimerID?

    init(
        _ steps: [Scenario.Step], of daemon: Daemon, connection: Connection, speed: Double,
        ended: @escaping () -> Void
    ) {
        self.steps = steps
        self.daemon = daemon
        self.connection = connection
        self.speed = speed
        self.ended = ended
        markMilliseconds = connection.now().bootMilliseconds
    }

    /// Goes on as far as the time has come.
    func proceed() {
        while index < steps.count {
            let step = steps[index]
            index += 1
            switch step {
            case .act(let action):
                daemon.act(action)
            case .pause(let milliseconds):
                elapsedMilliseconds += milliseconds
                let due = markMilliseconds + UInt64(Double(elapsedMilliseconds) / speed)
                let now = connection.now().bootMilliseconds
                guard due <= now else {
                    connection.after(milliseconds: due - now) { [self] _ in proceed() }
                    return
                }
            case .wait(let condition, let limitMilliseconds):
                return wait(for: condition, limitMilliseconds)
            }
        }
        ended()
    }

    /// Looks again whether what is waited for is so.
    ///
    /// Going on is left to the next turn of the loop: the change is still under way.
    func look() {
        guard let condition, daemon.holds(condition) else { return }
        self.condition = nil
        if let limit { connection.cancel(limit) }
        connection.after(milliseconds: 0) { [self] arrival in resume(at: arrival) }
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
        markMilliseconds = arrival.bootMilliseconds
        elapsedMilliseconds = 0
        proceed()
    }
}
