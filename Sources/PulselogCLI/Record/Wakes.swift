internal import BluetoothCentral
internal import Dispatch
internal import Events
internal import Glibc
internal import Projections
internal import Synchronization

/// What the director of a recording has to react to.
struct Pending: Sendable {
    /// Whether a second has passed.
    var hasTicked = false
    /// Whether the system asks the process to end; SIGINT ends the session as well.
    var signal: Int32?
    /// Whether the recorder has finished, or failed.
    var isFinished = false
    /// Keys that the walker pressed, at most 64.
    var keys: [Character] = []
    /// Why the session cannot begin.
    var startRefusal: Refusal?
    /// Whether the inputs have ended, with no session that could end with them.
    var hasInputEnded = false
    /// Why a second brings no new day: asked each second, and refused without a clock.
    var dayRefusal: Refusal?
    /// Whether the recorder waits for a full disk, if that has changed.
    var isDiskFull: Bool?
    /// What the health store's file said last, if it has changed.
    var healthReading: HealthReading?
    /// Sentences for the walker, at most 64.
    var sentences: [String] = []
    /// What the central reported, but for values and sightings; at most 64.
    var reports: [HeardReport] = []

    /// Drops the oldest report that is no device's last word about its link.
    mutating func dropReport() {
        let index = reports.indices.first { index in
            guard let address = reports[index].linkedAddress else { return true }
            return reports[(index + 1)...].contains { $0.linkedAddress == address }
        }
        // An adapter holds fewer links than there is room for: one can always go.
        if let index { reports.remove(at: index) }
    }

    /// Takes note of a command that was refused while recording.
    mutating func refuse(_ command: Command, _ refusal: Refusal) {
        switch command {
        case .start: startRefusal = refusal
        case .end(.inputEnded): hasInputEnded = true
        case .rollOver: dayRefusal = refusal
        case .end: break  // A second wish to end the session needs no answer.
        default: sentences.append(refusal.description)
        }
    }
}

/// A report of the central, and when it came, on the boot clock.
struct HeardReport: Sendable {
    let report: CentralReport
    let bootMilliseconds: UInt64

    /// Nil for what comes every second and is told by the log: values and sightings.
    init?(_ report: CentralReport, at bootMilliseconds: UInt64) {
        switch report {
        case .valueNotified, .valueRead, .deviceSeen: return nil
        default: break
        }
        self.report = report
        self.bootMilliseconds = bootMilliseconds
    }

    /// The device whose link this is about; nil for other reports.
    fileprivate var linkedAddress: BluetoothAddress? {
        switch report {
        case .linkUp(let device): device.address
        case .linkDown(let address), .linkLost(let address, _): address
        default: nil
        }
    }
}

/// Collects what the director has to react to, from any thread.
///
/// Of what it has no time for, the oldest is dropped; of each device the last word about its link
/// stays, or a link that came back would be told as lost.
final class Wakes: Sendable {
    /// The most keys, sentences and reports that wait.
    private static let limit = 64

    private let pending = Mutex(Pending())
    fileprivate let isOver = Atomic(false)
    private let wake: AsyncStream<Void>.Continuation

    /// Yields when there is something to react to; for one consumer.
    let stream: AsyncStream<Void>

    init() {
        // One waiting wake-up stands for all that came since.
        (stream, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Changes what is pending, and wakes the director.
    func note(_ change: (inout Pending) -> Void) {
        pending.withLock {
            change(&$0)
            $0.keys = $0.keys.suffix(Self.limit)
            $0.sentences = $0.sentences.suffix(Self.limit)
            if $0.reports.count > Self.limit { $0.dropReport() }
        }
        wake.yield()
    }

    /// Nobody takes any more what is pending: the recording is over.
    func end() {
        isOver.store(true, ordering: .releasing)
    }

    /// Takes what is pending.
    func take() -> Pending {
        pending.withLock { pending in
            defer { pending = Pending() }
            return pending
        }
    }
}

/// The clock and the signals of a recording.
struct WakeSources {
    private let timer: any DispatchSourceTimer
    private let interruption: Interruption

    /// Starts a tick each second and takes over the signals that end a process, except those that
    /// the parent process wanted ignored.
    init(_ wakes: Wakes) {
        let queue = DispatchQueue(label: "wakes")
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler { wakes.note { $0.hasTicked = true } }
        timer.activate()
        // In the background of a terminal a recording goes on; using it would stop the process.
        signal(SIGTTIN, SIG_IGN)
        signal(SIGTTOU, SIG_IGN)
        interruption = Interruption([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) { number in
            if wakes.isOver.load(ordering: .acquiring) {
                // What it asks for is being done; only the next one ends the process.
                signal(number, SIG_DFL)
            } else {
                wakes.note { $0.signal = number }
            }
        }
    }

    /// Ends them; signals act as they do by default again.
    func stop() {
        timer.cancel()
        interruption.stop()
    }
}
