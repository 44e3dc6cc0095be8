internal import Dispatch
internal import Glibc

/// Keys from the terminal, one at a time, without Enter.
struct Keyboard {
    private let source: any DispatchSourceRead
    private let before: termios

    /// Takes the keyboard, or nil if standard input is no terminal or another job has it.
    init?(_ wakes: Wakes) {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp(),
            tcgetattr(STDIN_FILENO, &settings) == 0
        else { return nil }
        before = settings
        // Signals stay: Ctrl-C ends the session.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        source = DispatchSource.makeReadSource(
            fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "keyboard"))
        let handler = source
        source.setEventHandler {
            var byte: UInt8 = 0
            guard read(STDIN_FILENO, &byte, 1) == 1 else { return handler.cancel() }
            wakes.note { $0.keys.append(Character(UnicodeScalar(byte))) }
        }
        source.activate()
    }

    /// Gives the keyboard back.
    func stop() {
        source.cancel()
        var settings = before
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
