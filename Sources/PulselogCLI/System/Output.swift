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

    /// Writes bytes, all of them; a reader that went away ends the process quietly, as a pipe
    /// would.
    func write(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withContiguousStorageIfAvailable {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard let count, count > 0 else {
                if errno == EINTR || errno == EAGAIN { continue }
                exit(errno == EPIPE ? 0 : CommandFailure.Code.inputOutput.rawValue)
            }
            offset += count
        }
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
