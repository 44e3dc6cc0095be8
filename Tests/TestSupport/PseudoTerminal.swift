import Foundation
import Synchronization

/// A terminal that nobody sits at; it ends with the last reference.
///
/// What programs write to it is read on a thread of its own, so that they never wait.
package final class PseudoTerminal: Sendable {
    /// The file that a program takes for its terminal.
    package let path: String
    private let master: Int32
    private let terminal: Int32
    private let output = Output()
    /// What ends the reading: the other end is closed.
    private let stop: FileHandle

    /// What was read, and who waits for more.
    private final class Output: Sendable {
        struct State {
            var bytes: [UInt8] = []
            var waiting: [UUID: AsyncStream<Void>.Continuation] = [:]
        }

        let state = Mutex(State())

        /// Reads what there is; whether the terminal can be read at all.
        func take(from master: Int32) -> Bool {
            state.withLock { state in
                var bytes = [UInt8](repeating: 0, count: 4_096)
                while true {
                    let count = Foundation.read(master, &bytes, bytes.count)
                    guard count > 0 else { return count < 0 && errno == EAGAIN }
                    state.bytes += bytes.prefix(count)
                    for wake in state.waiting.values { wake.yield() }
                }
            }
        }
    }

    /// Makes a terminal.
    ///
    /// - Throws: ``ProgramError`` if the system has none to give.
    package init() throws {
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
        let (ended, open) = try RunningProgram.sockets()
        stop = FileHandle(fileDescriptor: open, closeOnDealloc: true)
        Thread.detachNewThread { [output, master] in
            Self.read(master, into: output, until: ended)
            close(ended)
            close(master)
        }
    }

    deinit {
        close(terminal)
    }

    private static func read(_ master: Int32, into output: Output, until ended: Int32) {
        var isOpen = true
        while true {
            // Between two programs nobody may have the terminal: it is looked at again soon.
            var polled = [
                pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen ? master : -1, events: Int16(POLLIN), revents: 0),
            ]
            poll(&polled, 2, isOpen ? -1 : 20)
            if polled[0].revents != 0 { return }
            isOpen = output.take(from: master)
        }
    }

    /// Everything that was written to it so far.
    package var text: String {
        _ = output.take(from: master)
        return output.state.withLock { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Waits until a text was written to it, after so many characters.
    ///
    /// - Parameters:
    ///   - words: The text.
    ///   - count: How many characters to pass over.
    ///   - program: Who writes it.
    /// - Throws: ``ProgramError`` with what was written, if the program ends without it;
    ///   `CancellationError` when the test's time is over.
    package func wait(
        for words: String, after count: Int = 0, from program: RunningProgram
    ) async throws {
        let (changes, wake) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let name = UUID()
        output.state.withLock { $0.waiting[name] = wake }
        defer { output.state.withLock { _ = $0.waiting.removeValue(forKey: name) } }
        program.whenEnded { _ in wake.finish() }
        var iterator = changes.makeAsyncIterator()
        while !text.dropFirst(count).contains(words) {
            if await iterator.next() != nil { continue }
            try Task.checkCancellation()
            let text = String(text.dropFirst(count))
            guard !text.contains(words) else { return }
            throw ProgramError("It ended without writing \(words): \(text.debugDescription)")
        }
    }

    /// The local modes (termios(3), `c_lflag`): whether it echoes, gathers lines, sends signals.
    ///
    /// - Throws: ``ProgramError`` if it does not tell.
    package func localModes() throws -> UInt32 {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else {
            throw ProgramError("\(path) does not tell its settings: \(errno).")
        }
        return settings.c_lflag
    }

    /// Presses keys.
    ///
    /// - Parameter keys: What they send.
    /// - Throws: ``ProgramError`` if the terminal does not take it.
    package func type(_ keys: String) throws {
        let bytes = Array(keys.utf8)
        guard write(master, bytes, bytes.count) == bytes.count else {
            throw ProgramError("\(path) takes no keys: \(errno).")
        }
    }

    /// Stops its output, for good.
    ///
    /// - Throws: ``ProgramError`` if the output cannot be stopped.
    package func stopOutput() throws {
        guard tcflow(terminal, TCOOFF) == 0 else {
            throw ProgramError("\(path) cannot be stopped: \(errno).")
        }
    }
}
