import Foundation
import Synchronization

/// A terminal that nobody sits at; it ends with the last reference.
public final class PseudoTerminal: Sendable {
    /// The file that a program takes for its terminal.
    public let path: String
    private let master: Int32
    private let terminal: Int32
    private let output = Mutex<[UInt8]>([])

    /// Makes a terminal.
    ///
    /// - Throws: ``ProgramError`` if the system has none to give.
    public init() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var lock: Int32 = 0
        var number: Int32 = 0
        // TIOCSPTLCK and TIOCGPTN: what unlockpt and ptsname are made of, which are not imported.
        guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0,
            ioctl(master, 0x8004_5430, &number) == 0
        else { throw ProgramError("There is no terminal: \(errno).") }
        path = "/dev/pts/\(number)"
        terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw ProgramError("\(path) cannot be opened: \(errno).") }
    }

    deinit {
        close(terminal)
        close(master)
    }

    /// Everything that was written to it so far.
    public var text: String {
        output.withLock { output in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while case let count = read(master, &bytes, bytes.count), count > 0 {
                output += bytes.prefix(count)
            }
            return String(decoding: output, as: UTF8.self)
        }
    }

    /// Waits until a text was written to it, after so many characters.
    ///
    /// - Parameters:
    ///   - words: The text.
    ///   - count: How many characters to pass over.
    /// - Throws: `CancellationError` when the test's time is over.
    public func wait(for words: String, after count: Int = 0) async throws {
        while !text.dropFirst(count).contains(words) {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Presses keys.
    ///
    /// - Parameter keys: What they send.
    /// - Throws: ``ProgramError`` if the terminal does not take it.
    public func type(_ keys: String) throws {
        let bytes = Array(keys.utf8)
        guard write(master, bytes, bytes.count) == bytes.count else {
            throw ProgramError("\(path) takes no keys: \(errno).")
        }
    }

    /// Stops its output, as Ctrl-S does.
    ///
    /// - Throws: ``ProgramError`` if the output cannot be stopped.
    public func stopOutput() throws {
        guard tcflow(terminal, TCOOFF) == 0 else {
            throw ProgramError("\(path) cannot be stopped: \(errno).")
        }
    }
}
