internal import Clocks
internal import Deciding
internal import Events
internal import EventStore
internal import Projections

/// Takes inputs from a queue into the log, and notices what other processes append.
///
/// On a slow disk more inputs wait whenever an append ends. Another process decides before it may
/// write, and decides again when it finds that the log went on. So after a slow append this rests
/// for a part of the time that it took, in which the other one can.
struct LogIntake: Sendable {
    /// An append that takes longer is a slow one.
    private static let slowAppendMilliseconds: UInt64 = 100
    /// The part of a slow append's time that others have after it: a fifth, at most half a second.
    private static let restDivisor: UInt64 = 5
    private static let longestRestMilliseconds: UInt64 = 500

    /// Decides the inputs.
    let appender: Appender
    /// The log that it appends to.
    let log: any EventLog
    /// Where the inputs wait.
    let queue: BoundedQueue<Input>
    /// How to wait for a disk that is full.
    var patience = DiskPatience()
    /// The clock and the pauses.
    var runtime = Runtime.machine

    /// Takes inputs until the queue is finished and empty.
    ///
    /// - Parameter refused: Told of inputs that made no sense.
    /// - Throws: `EventLogError` when the log fails; inputs that were not acknowledged are not in
    ///   it.
    func run(
        refused: @escaping @Sendable (Input, Refusal) -> Void
    ) async throws(EventLogError) {
        let failure = await withTaskGroup(of: EventLogError?.self) { group in
            group.addTask { await watch() }
            let failure = await takeIn(refused)
            group.cancelAll()
            for await watching in group where watching != nil { return failure ?? watching }
            return failure
        }
        if let failure { throw failure }
    }

    /// Takes inputs until the queue ends; what remained is recorded too.
    private func takeIn(_ refused: @Sendable (Input, Refusal) -> Void) async -> EventLogError? {
        do throws(EventLogError) {
            var attempts = patience.isForTheFirst ? patience.attempts : 0
            for await _ in queue.wakes {
                let startedAt = runtime.now().bootMilliseconds
                try await recordWaiting(attempts: attempts, refused)
                attempts = patience.attempts
                await rest(since: startedAt)
            }
            try await recordWaiting(attempts: attempts, refused)
            return nil
        } catch {
            return error
        }
    }

    /// Lets other processes append, if this one's append was slow.
    private func rest(since startedAt: UInt64) async {
        let now = runtime.now().bootMilliseconds
        guard now > startedAt + Self.slowAppendMilliseconds, !queue.isFinished else { return }
        let rest = (now - startedAt) / Self.restDivisor
        // When it is cancelled, what waits is recorded at once.
        await runtime.pass(.milliseconds(min(rest, Self.longestRestMilliseconds)))
    }

    private func recordWaiting(
        attempts: Int, _ refused: @Sendable (Input, Refusal) -> Void
    ) async throws(EventLogError) {
        let (waiting, lost) = queue.take()
        var inputs = waiting
        guard let last = inputs.last else { return }
        if lost > 0 {
            let overflowed = IntakeOverflowed(intake: .queue, lostEvents: lost)
            inputs.append(Input(.record(.intakeOverflowed(overflowed)), at: last.arrival))
        }
        let outcomes: [Outcome]
        do throws(EventLogError) {
            outcomes = try await record(inputs, attempts: attempts)
        } catch {
            for waiting in waiting { waiting.answer?(nil) }
            throw error
        }
        for (input, outcome) in zip(waiting, outcomes) {
            if let answer = input.answer {
                answer(outcome)
            } else if case .refused(let refusal) = outcome {
                refused(input, refusal)
            }
        }
    }

    /// Records inputs; a full disk is waited for while the recording continues.
    ///
    /// Each attempt decides again, from what the log holds by then.
    private func record(_ inputs: [Input], attempts: Int) async throws(EventLogError) -> [Outcome] {
        var failures = 0
        while true {
            do throws(EventLogError) {
                let outcomes = try await appender.record(inputs)
                if failures > 0 { patience.told(false) }
                return outcomes
            } catch {
                // Who ends the recording does not wait.
                guard error.code == .diskFull, failures < attempts, !queue.isFinished
                else { throw error }
                if failures == 0 { patience.told(true) }
                failures += 1
                await patience.pause()
            }
        }
    }

    /// Folds what other processes append; a failure of the log ends the recording.
    ///
    /// After a failed commit the store may not open again until there is room on the disk.
    private func watch() async -> EventLogError? {
        var failures = 0
        while !Task.isCancelled {
            do throws(EventLogError) {
                try await log.waitForEvent(at: await appender.next)
                try await appender.catchUp()
                failures = 0
            } catch {
                guard error.code == .diskFull, failures < patience.attempts else {
                    queue.finish()
                    return error
                }
                failures += 1
                await patience.pause()
            }
        }
        return nil
    }
}
