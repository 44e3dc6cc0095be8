internal import Dispatch
internal import Glibc

/// The signals that end a command, for one that has to leave something first.
///
/// Only the first signal is taken; the second one ends the process at once.
struct Interruption {
    private let sources: [any DispatchSourceSignal]
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// Takes the signals over.
    ///
    /// - Parameter body: Called on a queue of its own, once.
    init(_ body: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "interruption")
        sources = Self.numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                for number in Self.numbers { signal(number, SIG_DFL) }
                body()
            }
            source.activate()
            return source
        }
    }

    /// Gives them back.
    func stop() {
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
    }
}
