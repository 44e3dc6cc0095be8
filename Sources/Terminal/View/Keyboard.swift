internal import Dispatch
internal import Glibc
internal import Synchronization

/// Keys from the terminal, as they are pressed and without an echo.
///
/// A queue of its own waits for them. While another job has the keyboard nothing is read.
final class Keyboard: Sendable {
    private struct State {
        /// The settings to give back.
        var before: termios?
        /// Whether the keys are ours.
        var isTaken = false
        /// Whether they are no longer wanted.
        var isStopped = false
    }

    /// How long a wait may be for what has no other sign.
    private static let patienceMilliseconds: Int32 = 1_000

    private let state = Mutex(State())
    private let taken = DispatchSemaphore(value: 0)
    private let pressed: @Sendable ([UInt8]) -> Void

    /// Listens once ``take()`` is called; nil if standard input is not a terminal.
    ///
    /// - Parameter pressed: Gets what each read(2) gives.
    init?(_ pressed: @escaping @Sendable ([UInt8]) -> Void) {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        self.pressed = pressed
        DispatchQueue(label: "keyboard").async { [self] in read() }
    }

    /// Takes the keyboard, unless another job has it.
    ///
    /// Signals stay, so that Ctrl-C ends the session.
    func take() {
        let isTaken = state.withLock { state in
            var settings = termios()
            guard !state.isTaken, !state.isStopped, !Self.isForeign,
                tcgetattr(STDIN_FILENO, &settings) == 0
            else { return false }
            // After a stop that was not seen coming the settings may still be those made here.
            let ours = tcflag_t(ICANON | ECHO)
            if state.before == nil || settings.c_lflag & ours != 0 { state.before = settings }
            TerminalRescue.settings.withLock { [before = state.before] in $0 = before }
            settings.c_lflag &= ~ours
            state.isTaken = tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
            return state.isTaken
        }
        if isTaken { taken.signal() }
    }

    /// Another job has taken the keyboard, with settings of its own.
    func lose() {
        state.withLock { state in
            state.isTaken = false
            TerminalRescue.settings.withLock { $0 = nil }
        }
    }

    /// Gives the keyboard back, unless another job has it.
    func giveBack() {
        state.withLock { state in
            guard state.isTaken else { return }
            state.isTaken = false
            if var settings = state.before, !Self.isForeign {
                tcsetattr(STDIN_FILENO, TCSANOW, &settings)
            }
            TerminalRescue.settings.withLock { $0 = nil }
        }
    }

    /// Gives the keyboard back for good.
    package func stop() {
        giveBack()
        state.withLock { $0.isStopped = true }
        taken.signal()
    }

    private func read() {
        while true {
            let (isTaken, isStopped) = state.withLock { ($0.isTaken, $0.isStopped) }
            if isStopped { return }
            guard isTaken, !Self.isForeign else {
                _ = taken.wait(timeout: .now() + .milliseconds(Int(Self.patienceMilliseconds)))
                continue
            }
            var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, Self.patienceMilliseconds) > 0, !Self.isForeign,
                state.withLock({ $0.isTaken })
            else { continue }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 || (count < 0 && errno == EINTR) else { return }
            if count > 0 { pressed(Array(bytes.prefix(count))) }
        }
    }

    /// Whether standard input is a terminal that another job has.
    ///
    /// Of a terminal that is not this session's nobody tells; nobody else is known to have it.
    private static var isForeign: Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        return group >= 0 && group != getpgrp()
    }
}
