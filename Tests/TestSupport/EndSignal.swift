import Foundation

/// The wish that the program ends: SIGTERM, SIGINT or the end of standard input.
///
/// The signals are blocked in all threads and taken by the one that waits, so that no code runs
/// inside of a signal handler.
package struct EndSignal: Sendable {
    /// Blocks the signals in this thread and in those that it starts from now on.
    package init() {
        var signals = EndSignal.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A reader of our output that goes away is an error of the write, not our end.
        signal(SIGPIPE, SIG_IGN)
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        return signals
    }

    /// Waits for the end.
    package func wait() {
        var signals = EndSignal.signals
        var received: Int32 = 0
        sigwait(&signals, &received)
    }

    /// Wishes it.
    package func raise() { kill(getpid(), SIGTERM) }

    /// Wishes it when standard input is closed, if that is a pipe or a socket.
    ///
    /// A terminal or a file is left alone: a program in the background has `/dev/null` there.
    package func raiseWhenInputCloses() {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { return }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFIFO || kind == S_IFSOCK else { return }
        FileHandle.standardInput.readabilityHandler = { handle in
            guard handle.availableData.isEmpty else { return }
            handle.readabilityHandler = nil
            raise()
        }
    }
}
