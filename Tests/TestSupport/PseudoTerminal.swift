import Foundation

/// A terminal that nobody sits at; it ends with the last reference.
public final class PseudoTerminal: Sendable {
    /// The file that a program takes for its terminal.
    public let path: String
    private let master: Int32
    private let terminal: Int32

    /// Makes a terminal.
    ///
    /// - Throws: ``ProgramError`` if the system has none to give.
    public init() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
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

    /// Stops its output, as Ctrl-S does.
    ///
    /// - Throws: ``ProgramError`` if the output cannot be stopped.
    public func stopOutput() throws {
        guard tcflow(terminal, TCOOFF) == 0 else {
            throw ProgramError("\(path) cannot be stopped: \(errno).")
        }
    }
}
