internal import Dispatch
internal import Glibc

/// What the recording's director reacts to.
enum Wake: Sendable {
    /// Events became durable.
    case changed
    /// A second has passed.
    case tick
    /// The walker pressed a key.
    case key(Character)
    /// The system asks the process to end.
    case signal(Int32)
    /// Something to tell the walker.
    case message(String)
    /// The log failed or the recording ended.
    case finished
}

/// Where wake-ups come from, besides the log and the central.
struct WakeSources {
    private let continuation: AsyncStream<Wake>.Continuation
    private let timer: any DispatchSourceTimer
    private let signals: [any DispatchSourceSignal]

    /// Starts a tick each second and takes SIGINT, SIGTERM and SIGHUP over.
    init(_ continuation: AsyncStream<Wake>.Continuation) {
        self.continuation = continuation
        let queue = DispatchQueue(label: "wake")
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler { continuation.yield(.tick) }
        timer.activate()
        signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { continuation.yield(.signal(number)) }
            source.activate()
            return source
        }
    }

    /// Ends them.
    func stop() {
        timer.cancel()
        for source in signals { source.cancel() }
    }
}
