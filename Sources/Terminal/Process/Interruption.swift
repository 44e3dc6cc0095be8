internal import Dispatch
internal import Glibc
internal import Files

/// The signals that end a command, for one that has to leave something first.
package struct Interruption {
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]

    /// Takes the first signal over; the second one ends the process at once.
    ///
    /// Those that the parent process wanted ignored stay so.
    ///
    /// - Parameter body: Called on a queue of its own, once, with the signal.
    package init(_ body: @escaping @Sendable (Int32) -> Void) {
        let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
        self.init(numbers) { number in
            for number in numbers { signal(number, SIG_DFL) }
            body(number)
        }
    }

    /// The longest wait for the system to pass signals on.
    private static let readyLimit = DispatchTimeInterval.seconds(5)

    /// Takes signals over, except those that the parent process wanted ignored.
    ///
    /// When this returns they are passed on, so that none is lost that answers what is said
    /// afterwards; if the system takes longer than 5 s for it, until then they end the process, as
    /// they do by default.
    ///
    /// - Parameters:
    ///   - numbers: The signals.
    ///   - body: Called on a queue of its own with each that comes.
    package init(_ numbers: [Int32], _ body: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "interruption")
        let numbers = numbers.filter { !Self.isIgnored($0) }
        self.numbers = numbers
        let ready = DispatchGroup()
        sources = numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { body(number) }
            ready.enter()
            source.setRegistrationHandler { ready.leave() }
            source.activate()
            return source
        }
        // Libdispatch has installed its handlers then; until then signals act as by default.
        _ = ready.wait(timeout: .now() + Self.readyLimit)
    }

    /// Gives them back.
    package func stop() {
        for source in sources { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
    }

    /// Whether a signal was ignored before, as `nohup` does: proc(5), `SigIgn`.
    static func isIgnored(_ number: Int32) -> Bool {
        do throws(SystemCallError) {
            let status = try readFile("/proc/self/status", limit: 16_384)?.bytes ?? []
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
                .first { $0.hasPrefix("SigIgn:") }
            let digits = line?.dropFirst(7).drop { $0 == "\t" || $0 == " " } ?? ""
            let mask = UInt64(digits, radix: 16) ?? 0
            return mask >> UInt64(number - 1) & 1 == 1
        } catch {
            return false  // Without proc nothing tells; then the signal is taken.
        }
    }
}
