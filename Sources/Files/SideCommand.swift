internal import Dispatch
internal import Glibc

/// A line for `sh` that runs next to this process, in a process group of its own, and for a limited
/// time; it continues after this process ends.
///
/// It has no signal blocked or ignored, whatever this process does. What it reads and what it
/// writes are files without a name, so that nobody waits for a pipe.
public struct SideCommand: Sendable {
    /// How a command ended.
    public enum End: Hashable, Sendable {
        /// It exited with 0.
        case done
        /// It took too long, and was ended.
        case outOfTime
        /// It failed, by an exit code or, beyond 128, by a signal; and may have written why: its
        /// first 200 bytes.
        case failed(code: Int32, words: [UInt8])
    }

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - line: The line for `sh`.
    ///   - variables: What is added to its environment.
    ///   - bytes: What it reads.
    ///   - seconds: How long it may take.
    ///   - onEnd: Called once when it has ended, from a thread of its own.
    /// - Throws: ``SystemCallError`` if it cannot be started.
    public static func start(
        _ line: String, with variables: [(name: String, value: String)], reading bytes: [UInt8],
        atMostSeconds seconds: Int, _ onEnd: @escaping @Sendable (End) -> Void
    ) throws(SystemCallError) {
        let input = try NamelessFile()
        let output = try NamelessFile()
        guard unsafe write(input.descriptor, bytes, bytes.count) == bytes.count,
            lseek(input.descriptor, 0, SEEK_SET) == 0
        else { throw SystemCallError("write", "a temporary file") }
        // `timeout` ends the command also where this process has ended before.
        let words =
            ["timeout", "--kill-after=1", "\(seconds)", "env"]
            + variables.map { "\($0.name)=\($0.value)" } + ["sh", "-c", line]
        let began = ContinuousClock.now
        let process = try spawn(words, input, output)
        DispatchQueue(label: "command").async {
            var status: Int32 = 0
            while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
            let isOutOfTime = ContinuousClock.now - began >= .seconds(seconds)
            onEnd(status == 0 ? .done : isOutOfTime ? .outOfTime : failure(status, output))
        }
    }

    private static func failure(_ status: Int32, _ output: NamelessFile) -> End {
        let signal = status & 0x7f
        var words = [UInt8](repeating: 0, count: 200)
        let count = unsafe pread(output.descriptor, &words, words.count, 0)
        return .failed(
            code: signal == 0 ? status >> 8 & 0xff : 128 + signal,
            words: Array(words.prefix(max(count, 0))))
    }

    /// Starts a program with files as its input and output.
    private static func spawn(
        _ words: [String], _ input: NamelessFile, _ output: NamelessFile
    ) throws(SystemCallError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in [input, output, output].enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, file.descriptor, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let number = unsafe posix_spawnp(
            &process, words[0], &actions, &attributes, &arguments, environ)
        guard number == 0 else { throw SystemCallError("posix_spawn", words[0], number: number) }
        return process
    }
}

/// A file in the temporary folder that has no name, and is gone when nobody has it open.
private final class NamelessFile: Sendable {
    let descriptor: Int32

    init() throws(SystemCallError) {
        guard let file = unsafe tmpfile() else {
            throw SystemCallError("tmpfile", "a temporary file")
        }
        defer { unsafe fclose(file) }
        descriptor = fcntl(unsafe fileno(file), F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0 else { throw SystemCallError("fcntl") }
    }

    deinit {
        close(descriptor)
    }
}
