internal import Dispatch
internal import Glibc

/// A line for `sh` that runs next to this process, in a process group of its own, and for a limited
/// time; it continues after this process ends.
///
/// It has no signal blocked or ignored, whatever this process does. What it reads and what it
/// writes are files without a name, so that nobody waits for a pipe.
public enum SideCommand {
    /// Starts a command.
    ///
    /// - Parameters:
    ///   - line: The line for `sh`.
    ///   - variables: What is added to its environment.
    ///   - bytes: What it reads.
    ///   - seconds: How long it may take.
    ///   - onEnd: Called once when it has ended, from a thread of its own, with what became of it
    ///     and the first 200 bytes that it wrote; with nil if it exited with 0.
    /// - Throws: ``SystemCallError`` if it cannot be started.
    public static func start(
        _ line: String, with variables: [String: String], reading bytes: [UInt8],
        atMostSeconds seconds: Int,
        _ onEnd: @escaping @Sendable ((what: String, words: [UInt8])?) -> Void
    ) throws(SystemCallError) {
        let input = try OpenFile.nameless()
        let output = try OpenFile.nameless()
        try input.write(bytes)
        try SystemCallError.check(lseek(input.descriptor, 0, SEEK_SET), "lseek", input.path)
        // `timeout` ends the command also where this process has ended before; options of both are
        // those that every system's have.
        let words =
            ["env"] + variables.map { "\($0)=\($1)" }
            + ["timeout", "-k", "1", "\(seconds)", "sh", "-c", line]
        let began = ContinuousClock.now
        let process = try spawn(words, [input.descriptor, output.descriptor, output.descriptor])
        DispatchQueue(label: "command").async {
            var status: Int32 = 0
            while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
            guard status != 0 else { return onEnd(nil) }
            guard ContinuousClock.now - began < .seconds(seconds) else {
                return onEnd(("was ended: it took \(seconds) s", []))
            }
            let signal = status & 0x7f
            let code = signal == 0 ? status >> 8 & 0xff : 128 + signal
            var words = [UInt8](repeating: 0, count: 200)
            let count = unsafe pread(output.descriptor, &words, words.count, 0)
            onEnd(("failed with exit code \(code)", Array(words.prefix(max(count, 0)))))
        }
    }

    /// Starts a program in a process group of its own, with every signal as it is at first.
    private static func spawn(
        _ words: [String], _ standard: [Int32]
    ) throws(SystemCallError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in standard.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
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
