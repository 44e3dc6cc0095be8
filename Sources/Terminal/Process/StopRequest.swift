internal import Glibc
internal import Synchronization

/// A signal that asks a command to stop, which it looks for between two steps and while it waits
/// for input, so that it can leave things in order first.
package final class StopRequest {
    private static let longestWait = Duration.seconds(1)

    private let interruption: Interruption
    private let state: State

    /// Takes SIGINT, SIGTERM and SIGHUP over; the second one ends the process at once.
    package init() {
        let state = State()
        self.state = state
        interruption = Interruption { number in
            state.number.store(number, ordering: .relaxed)
            state.wake()
        }
    }

    /// Whether a signal has come, or somebody asked for a stop otherwise.
    package var hasCome: Bool {
        state.number.load(ordering: .relaxed) != 0 || state.isAsked.load(ordering: .relaxed)
    }

    /// Asks for a stop, from any thread; the process ends as if it had come to its end.
    package var request: @Sendable () -> Void {
        { [state] in
            state.isAsked.store(true, ordering: .relaxed)
            state.wake()
        }
    }

    /// Waits until there is something to read, or a reason to stop.
    ///
    /// - Returns: Whether to stop.
    package func comes(before descriptor: Int32) -> Bool {
        var requests = [descriptor, state.wakeDescriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while poll(&requests, 2, -1) < 0, errno == EINTR {}
        return hasCome
    }

    /// Waits until a moment, or until there is a reason to stop.
    ///
    /// - Parameter due: The moment.
    package func sleep(until due: ContinuousClock.Instant) {
        let clock = ContinuousClock()
        while !hasCome {
            let left = clock.now.duration(to: due)
            guard left > .zero else { return }
            // In steps, as the request is only looked at between two if there is no pipe.
            let milliseconds = Int32(min(left, Self.longestWait) / .milliseconds(1)) + 1
            var request = pollfd(fd: state.wakeDescriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&request, 1, milliseconds)
        }
    }

    /// Ends the process by the signal that came, if one came, so that a shell sees what happened.
    ///
    /// - Parameter message: What people are told before.
    package func endIfRequested(saying message: String) {
        let number = state.number.load(ordering: .relaxed)
        guard number != 0 else { return }
        Output.standardError.say(message)
        signal(number, SIG_DFL)
        // A program may be started with the signal blocked, and threads of the pool block it.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }

    /// Lives as long as the handler.
    private final class State: Sendable {
        let number = Atomic<Int32>(0)
        let isAsked = Atomic(false)
        /// A pipe that can be read once a signal has come; -1 twice, which poll(2) passes over, if
        /// there is no descriptor left.
        private let ends: [Int32]

        init() {
            var ends: [Int32] = [-1, -1]
            self.ends = pipe(&ends) == 0 ? ends : [-1, -1]
        }

        deinit {
            for end in ends where end >= 0 { close(end) }
        }

        var wakeDescriptor: Int32 { ends[0] }

        func wake() {
            _ = write(ends[1], [1], 1)
        }
    }
}
