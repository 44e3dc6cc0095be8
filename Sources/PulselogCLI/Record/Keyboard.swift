internal import Dispatch
internal import Glibc
internal import Synchronization

/// Keys from the terminal, as they are pressed and without an echo, read on a thread of its own.
final class Keyboard: Sendable {
    /// The settings to give back; nil while another job has the keyboard.
    private let before = Mutex<termios?>(nil)
    private let isStopped = Atomic(false)
    private let pressed: @Sendable ([UInt8]) -> Void

    /// Listens once ``take()`` is called; nil if standard input is no terminal.
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
        before.withLock { before in
            var settings = termios()
            guard before == nil, !Self.isForeign, tcgetattr(STDIN_FILENO, &settings) == 0
            else { return }
            before = settings
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
    }

    /// Gives the keyboard back, unless another job has it.
    func giveBack() {
        before.withLock { before in
            guard var settings = before.take(), !Self.isForeign else { return }
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
    }

    /// Gives the keyboard back for good.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        giveBack()
    }

    private func read() {
        while !isStopped.load(ordering: .relaxed) {
            var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 1_000) > 0 else { continue }
            // In the background the keys are another job's; they may come back.
            guard !Self.isForeign else {
                sleep(1)
                continue
            }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 || (count < 0 && errno == EINTR) else { return }
            if count > 0 { pressed(Array(bytes.prefix(count))) }
        }
    }

    /// Whether standard input is a terminal that another job has.
    private static var isForeign: Bool { tcgetpgrp(STDIN_FILENO) != getpgrp() }
}
