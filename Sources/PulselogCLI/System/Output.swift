internal import Glibc

/// A standard stream, written without buffering through its descriptor.
struct Output: Sendable {
    private let descriptor: Int32

    /// Results, for people or scripts.
    static let standard = Output(descriptor: STDOUT_FILENO)
    /// Messages and progress.
    static let standardError = Output(descriptor: STDERR_FILENO)

    /// Whether a person reads this stream in a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes text.
    func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// Writes bytes, all of them; for commands that have nothing else to do.
    ///
    /// A reader that went away ends the process quietly, as a pipe would; a full disk does not.
    func write(_ bytes: [UInt8]) {
        guard !offer(bytes) else { return }
        exit(errno == EPIPE ? 0 : CommandFailure.Code.inputOutput.rawValue)
    }

    /// Writes bytes, all of them, or tells that nobody can take them.
    ///
    /// - Returns: false if the stream is closed or failed; `errno` says why.
    func offer(_ bytes: [UInt8]) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest, rest.count)
            if count > 0 {
                rest.removeFirst(count)
            } else if count < 0 && errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&request, 1, -1)
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    /// The size of the terminal in characters; 80 by 24 where there is none.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
