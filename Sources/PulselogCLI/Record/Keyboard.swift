internal import Dispatch
internal import Glibc
internal import Projections
internal import Recording
internal import Synchronization

/// Keys from the terminal, one at a time, without Enter, read on a thread of its own.
final class Keyboard: Sendable {
    private let before: termios
    private let isStopped = Atomic(false)

    /// Takes the keyboard, or nil if standard input is no terminal or another job has it.
    ///
    /// - Parameter recorder: Is asked for what the keys stand for.
    init?(_ recorder: Recorder) {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, !Self.isForeign, tcgetattr(STDIN_FILENO, &settings) == 0
        else { return nil }
        before = settings
        // Signals stay: Ctrl-C ends the session.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        DispatchQueue(label: "keyboard").async { [self] in read(for: recorder) }
    }

    /// Gives the keyboard back, unless another job has it.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        guard !Self.isForeign else { return }
        var settings = before
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    private func read(for recorder: Recorder) {
        while !isStopped.load(ordering: .relaxed) {
            var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 1_000) > 0 else { continue }
            // In the background the keys are another job's; they may come back.
            guard !Self.isForeign else {
                sleep(1)
                continue
            }
            var byte: UInt8 = 0
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            guard count == 1 || (count < 0 && errno == EINTR) else { return }
            if count == 1, let request = Self.request(Character(UnicodeScalar(byte))) {
                recorder.note(.asked(request))
            }
        }
    }

    /// What a key stands for, or nil.
    private static func request(_ key: Character) -> Request? {
        switch key {
        case "p": .command(.pause)
        case "r": .command(.resume)
        case "m": .command(.mark())
        case "f": .command(.refresh())
        case "s", "q": .command(.end())
        case "g": .nextGoal
        case "\n", "\r", " ": .begin
        default: nil
        }
    }

    /// Whether standard input is a terminal that another job has.
    private static var isForeign: Bool { tcgetpgrp(STDIN_FILENO) != getpgrp() }
}
