import Clocks
package import Foundation
import Synchronization

/// A program that a test has started.
///
/// Its output comes as lines while it runs, and as bytes when it has ended. It is killed when its
/// time is over, and asked to end when the test lets go of it.
package final class RunningProgram: Sendable {
    /// A line of output and when it was read, on the boot clock.
    package struct Line: Sendable {
        /// The line, without its end.
        package let text: String
        /// When it was read, on the clock of ``RunningProgram/now()``.
        package let bootMilliseconds: UInt64
    }

    /// How a program ended, and all that it said.
    package struct End: Sendable {
        /// The exit code, or the number of the signal that killed it, negative.
        package let status: Int32
        /// All of standard output.
        package let output: [UInt8]
        /// All of standard error.
        package let messages: String

        /// Makes an end.
        package init(status: Int32, output: [UInt8], messages: String) {
            (self.status, self.output, self.messages) = (status, output, messages)
        }

        /// The output as text.
        package var text: String { String(decoding: output, as: UTF8.self) }
        /// The lines of the output, without what follows the last line end.
        package var lines: [String] { text.split(separator: "\n").map(String.init) }
    }

    /// The lines of standard output, each of them once.
    package let lines: AsyncStream<Line>
    /// The lines of standard error, each of them once.
    package let messages: AsyncStream<Line>
    /// The process.
    package let processID: pid_t
    private let shared = Shared()
    /// What the program reads: nothing, until it is closed.
    private let input: Mutex<Int32?>

    /// What the test and the reading thread share.
    private final class Shared: Sendable {
        struct State {
            var end: End?
            var waiting: [@Sendable (End) -> Void] = []
        }

        let state = Mutex(State())
    }

    /// The folder of the built programs, those of this package: that of the program that runs here.
    package static let builtPrograms: String = {
        do {
            let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: path).deletingLastPathComponent().path
        } catch {
            fatalError("/proc is not mounted: \(error)")
        }
    }()

    /// `CLOCK_BOOTTIME` in milliseconds, the clock of every stamp.
    package static func now() -> UInt64 { Arrival.now().bootMilliseconds }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program's file.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: All of its environment.
    ///   - limitSeconds: After how long it is killed.
    /// - Throws: ``ProgramError`` if it cannot be started.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String],
        limitSeconds: UInt64 = 180
    ) throws {
        let (read, write) = try Self.sockets()
        let (outputRead, outputWrite) = try Self.sockets()
        let (messagesRead, messagesWrite) = try Self.sockets()
        defer { for descriptor in [read, outputWrite, messagesWrite] { close(descriptor) } }
        input = Mutex(write)
        processID = try Self.spawn(
            path, arguments, environment, [read, outputWrite, messagesWrite])
        let (lines, linesEnd) = AsyncStream.makeStream(of: Line.self)
        let (messages, messagesEnd) = AsyncStream.makeStream(of: Line.self)
        (self.lines, self.messages) = (lines, messages)
        let reading = OutputReader(
            processID, outputs: [(outputRead, linesEnd), (messagesRead, messagesEnd)],
            until: Self.now() + limitSeconds * 1_000)
        Thread.detachNewThread { [shared] in
            let end = reading.read()
            let waiting = shared.state.withLock { state in
                state.end = end
                return state.waiting
            }
            for tell in waiting { tell(end) }
        }
    }

    deinit {
        signal(SIGTERM)
        endInput()
    }

    /// Lets the program read the end of its input.
    package func endInput() {
        if let input = input.withLock({ $0.take() }) { close(input) }
    }

    /// Sends a signal, unless the program has ended.
    package func signal(_ number: Int32) {
        shared.state.withLock { state in
            if state.end == nil { kill(processID, number) }
        }
    }

    /// Waits until the program has ended.
    package var end: End {
        get async {
            await withCheckedContinuation { continuation in
                whenEnded { continuation.resume(returning: $0) }
            }
        }
    }

    /// Tells when the program has ended, at once if it has; this keeps no program alive.
    ///
    /// - Parameter tell: Gets how it ended.
    package func whenEnded(_ tell: @escaping @Sendable (End) -> Void) {
        let end = shared.state.withLock { state in
            if state.end == nil { state.waiting.append(tell) }
            return state.end
        }
        if let end { tell(end) }
    }

    /// Waits for a line of standard output; those before it are passed over.
    ///
    /// - Throws: ``ProgramError`` if the program ends without it.
    @discardableResult
    package func line(where fits: (String) -> Bool) async throws -> Line {
        for await line in lines where fits(line.text) { return line }
        let end = await end
        throw ProgramError("It ended (\(end.status)) without the line. \(end.messages)")
    }

    /// Waits for a line of standard error; those before it are passed over.
    ///
    /// - Throws: ``ProgramError`` if the program ends without it.
    @discardableResult
    package func message(containing words: String) async throws -> Line {
        for await line in messages where line.text.contains(words) { return line }
        let end = await end
        throw ProgramError("It ended (\(end.status)) without saying \(words). \(end.messages)")
    }
}

/// A program that cannot be started, or did not do what a test waited for.
package struct ProgramError: Error, CustomStringConvertible {
    /// What is wrong, in a sentence.
    package let description: String

    /// Makes an error from a sentence.
    package init(_ description: String) { self.description = description }
}

// MARK: - System calls

extension RunningProgram {
    /// What a program reads from or writes to: a pair of sockets, which no other program inherits
    /// by chance.
    static func sockets() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw ProgramError("No sockets: \(String(cString: strerror(errno)))")
        }
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String],
        _ descriptors: [Int32]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        // The threads of Dispatch block signals; a program that inherits that cannot be ended.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ([path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in words + variables { free(text) } }
        var id = pid_t()
        let failure = posix_spawn(
            &id, path, &actions, &attributes, words + [nil], variables + [nil])
        guard failure == 0 else {
            throw ProgramError("\(path) cannot be started: \(String(cString: strerror(failure)))")
        }
        return id
    }
}
