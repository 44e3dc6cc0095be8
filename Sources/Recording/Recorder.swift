package import Clocks
package import Deciding
package import EventStore
internal import Events
package import Projections
internal import Synchronization

/// Turns a part of the world into happenings.
package protocol Sensor: Sendable {
    /// Says what is wanted from now on, from any thread; must not wait.
    func want(_ wish: SensorWish)
    /// Senses until the task is cancelled, then leaves its devices.
    ///
    /// - Parameter inbox: Takes what happens.
    func run(into inbox: Inbox) async
    /// What the walker is to be told of it when the recording has ended; must not wait.
    func lastWord() -> String?
}

extension Sensor {
    /// Senses the same, whatever is wanted.
    package func want(_ wish: SensorWish) {}

    /// Most have reported everything.
    package func lastWord() -> String? { nil }
}

/// Where what happens to a recording waits, with the time of its arrival.
package typealias Inbox = BoundedQueue<Arrived>

/// Something that happened, and when.
package struct Arrived: Sendable {
    /// What happened.
    package let happening: Happening
    /// When.
    package let arrival: Arrival

    /// Joins the two.
    ///
    /// - Parameters:
    ///   - happening: What happened.
    ///   - arrival: When.
    package init(_ happening: Happening, at arrival: Arrival) {
        (self.happening, self.arrival) = (happening, arrival)
    }
}

/// Records: moves a ``RecordingLife`` between sensors, log and fronts.
///
/// One loop takes what happens and does what the life wants; it never waits for the log, a sensor
/// or a front. Beside it inputs go into the log, and what is durable comes back as a happening.
package final class Recorder: Sendable {
    /// Seals what the log holds, and signs it; gives the sentence that says why it could not.
    package typealias Seal = @Sendable () async -> String?

    /// How a recording ended.
    package enum End: Hashable, Sendable {
        /// As somebody wanted.
        case done
        /// The session could not begin.
        case refused(Refusal)
        /// The log failed; what was not acknowledged is not in it.
        case logFailed(EventLogError)
    }

    /// Seals follow one another.
    private struct Seals {
        /// Works as long as a seal is wanted.
        var task: Task<Void, Never>?
        var isWanted = false
        /// What was in the way of the last one.
        var trouble: String?
    }

    /// How long the end waits for the sensors to leave; the central gives up after 8 s.
    private static let leavingLimit = Duration.seconds(10)
    /// How long the end waits for the last seal, which another process may hold up.
    private static let sealLimit = Duration.seconds(5)

    private let appender: Appender
    private let log: any EventLog
    private let plan: SessionPlan
    private let machine: Machine
    private let sensors: [any Sensor]
    private let runtime: Runtime
    private let seal: Seal?
    private let seals = Mutex(Seals())
    private let inputs = BoundedQueue<Input>()
    private let hub: SceneHub
    /// How far it has come, and whether it rests; nil before it runs.
    private let reached = Mutex<(phase: RecordingLife.Phase, isResting: Bool)?>(nil)

    /// Where sensors and fronts put what happens.
    package let inbox = Inbox()

    /// Makes a recorder; it does nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - appender: Decides and appends; everything that the log holds is folded.
    ///   - log: The log that it appends to.
    ///   - plan: What the walker wants.
    ///   - machine: Whose boot and zone the events name.
    ///   - sensors: Where the happenings come from.
    ///   - runtime: What it runs on.
    ///   - hub: Hands its scenes to the fronts; it is not finished with the recorder.
    ///   - seal: Vouches for the log after a session, a day, every 15 minutes and at the end; nil
    ///     if nobody does.
    package init(
        _ appender: Appender, log: any EventLog, plan: SessionPlan, machine: Machine,
        sensors: [any Sensor], runtime: Runtime = .machine, hub: SceneHub = SceneHub(),
        seal: Seal? = nil
    ) {
        (self.appender, self.log, self.plan, self.machine) = (appender, log, plan, machine)
        (self.sensors, self.runtime, self.hub, self.seal) = (sensors, runtime, hub, seal)
    }

    /// How many happenings wait for the recorder, and how many inputs for the log.
    package var waiting: (happenings: Int, inputs: Int) { (inbox.count, inputs.count) }

    /// Whether it ends, or has ended.
    package var isEnding: Bool {
        switch reached.withLock({ $0?.phase }) {
        case .ending, .failed, .ended: true
        case .settingUp, .starting, .recording, nil: false
        }
    }

    /// Whether it waits for a known strap to be worn, and nobody watches it in a terminal.
    package var isResting: Bool { reached.withLock { $0?.isResting ?? false } }

    /// Notes that something happens now.
    ///
    /// - Parameter happening: What happens.
    package func note(_ happening: Happening) {
        inbox.insist(Arrived(happening, at: runtime.now()))
    }

    /// Asks for something, and waits for what becomes of it.
    ///
    /// - Parameter request: What is asked for.
    /// - Returns: What became of it, when it is durable, with no events where it makes none; nil if
    ///   that cannot be told, because the recording ends or the log failed.
    package func ask(_ request: Request) async -> Outcome? {
        await withCheckedContinuation { continuation in
            let once = Once(continuation)
            note(.asked(request) { once.resume($0) })
            // At its end nothing more is taken out of the inbox.
            if case .ended = reached.withLock({ $0?.phase }) { once.resume(nil) }
        }
    }

    /// Records until the session has ended, the system asks for the end, or the log fails.
    ///
    /// However it ends, the devices are left: a strap that stays linked is lost to everybody else.
    ///
    /// - Returns: How it ended.
    package func run() async -> End {
        await appender.observe { [self] state, events in note(.recorded(state, events)) }
        let intake = startIntake()
        let (end, tasks) = await live(intake, after: await appender.state)
        for item in inbox.take().elements {
            if case .asked(_, let answer?) = item.happening { answer(nil) }
        }
        for task in tasks { task.cancel() }
        await intake.value
        await appender.observe(nil)
        _ = await value(within: Self.leavingLimit, on: runtime) {
            for task in tasks { await task.value }
        }
        await sealTheEnd(end)
        return end
    }

    /// Seals what the recorder leaves behind, unless the log has failed or nobody comes to write.
    private func sealTheEnd(_ end: End) async {
        if case .logFailed = end {
            seals.withLock { $0.task }?.cancel()
        } else if let last = startSeal() {
            _ = await value(within: Self.sealLimit, on: runtime) { await last.value }
            last.cancel()
        }
    }

    /// Seals the log, when the seal is done that is under way.
    @discardableResult
    private func startSeal() -> Task<Void, Never>? {
        guard let seal else { return nil }
        return seals.withLock { seals in
            seals.isWanted = true
            if let task = seals.task { return task }
            let task = Task(executorPreference: runtime.executor) { @concurrent [self] in
                while takeWishForSeal() { hear(ofSealing: await seal()) }
            }
            seals.task = task
            return task
        }
    }

    private func takeWishForSeal() -> Bool {
        seals.withLock { seals in
            guard seals.isWanted else {
                seals.task = nil
                return false
            }
            seals.isWanted = false
            return true
        }
    }

    /// Tells the walker what is in the way of sealing, once.
    private func hear(ofSealing trouble: String?) {
        let isNews = seals.withLock { seals in
            defer { seals.trouble = trouble }
            return trouble != seals.trouble
        }
        if isNews, let trouble { note(.said(trouble)) }
    }

    /// Takes inputs into the log until the recording ends.
    private func startIntake() -> Task<Void, Never> {
        Task(executorPreference: runtime.executor) { @concurrent [self] in
            let patience = DiskPatience.minute(on: runtime) { [self] isWaiting in
                note(.diskFull(isWaiting))
            }
            let intake = LogIntake(
                appender: appender, log: log, queue: inputs, patience: patience, runtime: runtime)
            do throws(EventLogError) {
                try await intake.run { [self] input, refusal in
                    note(.refused(input.command, refusal))
                }
                note(.logEnded(nil))
            } catch {
                // What still waits will never be durable.
                inputs.finish()
                for waiting in inputs.take().elements { waiting.answer?(nil) }
                note(.logEnded(error))
            }
        }
    }

    /// Does what the life wants until nothing more can be appended.
    ///
    /// - Returns: How it ended, and what is to be cancelled: sensors, and who wakes it.
    private func live(
        _ intake: Task<Void, Never>, after state: LogState
    ) async -> (End, [Task<Void, Never>]) {
        var life = RecordingLife(plan, machine: machine)
        var tasks: [Task<Void, Never>] = []
        // Events may have been told of already.
        inbox.insist(first: Arrived(.began(state), at: runtime.now()))
        for await _ in inbox.wakes {
            var events: [RecordedEvent] = []
            var news: [Scene.News] = []
            let (arrived, lost) = inbox.take()
            var waiting = arrived
            if lost > 0 { waiting.append(Arrived(.overflowed(lost), at: runtime.now())) }
            for item in waiting {
                if case .recorded(_, let recorded) = item.happening { events += recorded }
                let actions = life.handle(item.happening, at: item.arrival)
                item.happening.answer(ifNotAmong: actions, life)
                for action in actions {
                    switch action {
                    case .append(let input): append(input)
                    case .sense: tasks += sense()
                    case .wake(let milliseconds): tasks.append(wake(after: milliseconds))
                    case .want(let wish): for sensor in sensors { sensor.want(wish) }
                    case .say(let sentence): news.append(.said(sentence))
                    case .alert(let sentence): news.append(.alerted(sentence))
                    case .withdraw(let sentence): news.append(.withdrawn(sentence))
                    case .seal: startSeal()
                    case .finish: inputs.finish()
                    case .abandon: intake.cancel()
                    }
                }
            }
            if life.isOver {
                news += sensors.compactMap { $0.lastWord() }.map { .said($0) }
            }
            publish(life, events, news)
            if case .ended(let end) = life.phase { return (end, tasks) }
        }
        // Nobody ends the inbox.
        return (.done, tasks)
    }

    private func append(_ input: Input) {
        switch input.priority {
        case .always: inputs.insist(input)
        case .counted: inputs.put(input)
        case .repeated: inputs.offer(input)
        }
    }

    private func sense() -> [Task<Void, Never>] {
        sensors.map { sensor in
            Task(executorPreference: runtime.executor) { @concurrent [inbox] in
                await sensor.run(into: inbox)
            }
        }
    }

    private func wake(after milliseconds: UInt64) -> Task<Void, Never> {
        Task(executorPreference: runtime.executor) { @concurrent [self] in
            if await runtime.pass(.milliseconds(milliseconds)) { note(.woke) }
        }
    }

    private func publish(
        _ life: RecordingLife, _ events: [RecordedEvent], _ news: [Scene.News]
    ) {
        var scene = Scene(life)
        scene.events = events
        scene.news = news
        reached.withLock { $0 = (life.phase, life.isResting) }
        hub.publish(scene)
    }
}

extension Happening {
    /// Answers whoever asked for what makes no event.
    fileprivate func answer(ifNotAmong actions: [RecordingAction], _ life: RecordingLife) {
        guard case .asked(_, let answer?) = self else { return }
        for case .append(let input) in actions where input.answer != nil { return }
        switch life.phase {
        case .settingUp, .starting, .recording: answer(.recorded(0..<0))
        case .ending, .failed, .ended: answer(nil)
        }
    }
}

/// A continuation that is resumed once, by whoever comes first.
private final class Once: Sendable {
    private let continuation: Mutex<CheckedContinuation<Outcome?, Never>?>

    init(_ continuation: CheckedContinuation<Outcome?, Never>) {
        self.continuation = Mutex(continuation)
    }

    func resume(_ outcome: Outcome?) {
        continuation.withLock { continuation in
            continuation?.resume(returning: outcome)
            continuation = nil
        }
    }
}
