internal import Glibc
internal import Synchronization

/// What has to be given back of the terminal before a fault of this program ends it.
///
/// A handler may only try a lock: the thread that fails, or one that was stopped with it, may hold
/// it. Then the terminal keeps its settings.
enum TerminalRescue {
    /// Whether the alternate screen may be shown.
    static let mayBeShown = Atomic(false)
    /// The keyboard's settings; nil while they are not changed.
    static let settings = Mutex<termios?>(nil)

    private static let end = Array(ScreenDrawing.end.utf8)
    /// Who handled the faults before, as Swift's backtraces do.
    private static let former = Mutex<[(number: Int32, action: sigaction)]>([])

    /// Gives the terminal back when a fault happens, and then does what would have been done.
    static func prepare() {
        // Made now: in a handler nothing may be allocated.
        _ = end.count
        settings.withLock { $0 = nil }
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            var action = sigaction()
            action.sa_flags = SA_SIGINFO | SA_ONSTACK
            action.__sigaction_handler.sa_sigaction = { number, details, context in
                TerminalRescue.giveBack()
                _ = TerminalRescue.former.withLockIfAvailable { former in
                    for (known, action) in former where known == number {
                        guard action.sa_flags & SA_SIGINFO != 0 else { continue }
                        action.__sigaction_handler.sa_sigaction?(number, details, context)
                    }
                }
                signal(number, SIG_DFL)
                raise(number)
            }
            var before = sigaction()
            guard sigaction(number, &action, &before) == 0 else { continue }
            former.withLock { [before] in $0.append((number, before)) }
        }
    }

    private static func giveBack() {
        if mayBeShown.load(ordering: .relaxed) {
            _ = write(STDOUT_FILENO, end, end.count)
        }
        _ = settings.withLockIfAvailable { settings in
            if var before = settings { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
        }
    }
}
