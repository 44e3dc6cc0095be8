package import Files
internal import Glibc

/// A variable of the environment; nil if it is missing or empty.
package func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
}

/// Whether the locale's characters are those of Unicode.
package var isUTF8: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let name = names.compactMap { environment($0) }.first ?? ""
    let end = name.split(separator: ".").last?.lowercased() ?? ""
    return end.hasPrefix("utf-8") || end.hasPrefix("utf8")
}

/// A standard stream, written without buffering through its descriptor.
package struct Output: Sendable {
    /// The most bytes of one write(2): what a pipe holds.
    private static let pieceBytes = 64 * 1_024
    /// The exit code of a process whose output is lost: EX_IOERR of sysexits(3).
    private static let failureCode: Int32 = 74

    private let descriptor: Int32

    /// Names a stream by its descriptor, which stays open.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Results, for people or scripts.
    package static let standard = Output(descriptor: STDOUT_FILENO)
    /// Messages and progress.
    package static let standardError = Output(descriptor: STDERR_FILENO)

    /// Whether a person reads this stream in a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes text.
    package func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// The journal that takes this stream; nil if it goes elsewhere.
    package var journal: ServiceJournal? { ServiceJournal(of: descriptor, environment) }

    /// Writes a sentence of the program, in a line of its own.
    package func say(_ sentence: String) {
        if journal?.put(sentence, .notice) ?? false { return }
        write("pulselog: \(sentence)\n")
    }

    /// Writes bytes, all of them; for commands that have nothing else to do.
    ///
    /// A reader that went away ends the process quietly, as a pipe would; every other failure ends
    /// it with a sentence.
    package func write(_ bytes: [UInt8]) {
        guard !offer(bytes) else { return }
        let number = errno
        if number == EPIPE { exit(EXIT_SUCCESS) }
        if descriptor != STDERR_FILENO {
            let advice = number == EBADF ? "" : " Make room, or write elsewhere."
            let sentence = "pulselog: \(Self.failure(number))\(advice)\n"
            _ = Self.standardError.offer(Array(sentence.utf8))
        }
        exit(Self.failureCode)
    }

    /// Says that a stream cannot be written, and why.
    ///
    /// - Parameter number: The `errno` of the write.
    /// - Returns: A sentence.
    package static func failure(_ number: Int32) -> String {
        number == EBADF
            ? "Standard output is closed."
            : "The output cannot be written: \(String(cString: strerror(number)))."
    }

    /// Writes bytes, all of them, or tells that nobody can take them.
    ///
    /// - Returns: false if the stream is closed or failed; `errno` says why.
    package func offer(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            let piece = Array(bytes[start...].prefix(Self.pieceBytes))
            let count = Glibc.write(descriptor, piece, piece.count)
            if count > 0 {
                start += count
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
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
