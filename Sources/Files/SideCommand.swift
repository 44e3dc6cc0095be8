internal import Dispatch
internal import Glibc

/// A line for `sh` that runs beside this process, in a process group of its own, and for a limited
/// time; it goes on where this process ends.
///
/// What it reads and what it writes are files without a name, so that nobody waits for a pipe.
public struct SideCommand: Sendable {
    /// How a command ended.
    public enum End: Hashable, Sendable {
        /// It was content.
        case done
        /// It was ended.
        case outOfTime
        /// It failed, and may have written why: its first 200 bytes.
        case failed(code: Int32, words: [UInt8])
    }

    private let input: Int32
    private let output: Int32

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - line: The line for `sh`.
    ///   - bytes: What it reads.
    ///   - seconds: How long it may take.
    ///   - hear: Called once when it has ended, from a thread of its own.
    /// - Throws: ``SystemCallError`` if it cannot be started.
    public static func start(
        _ line: String, reading bytes: [UInt8], atMostSeconds seconds: Int,
        _ hear: @escaping @Sendable (End) -> Void
    ) throws(SystemCallError) {
        let command = SideCommand(input: namelessFile(), output: namelessFile())
        // `timeout` makes the process group, and ends it.
        let shellLine =
            "exec timeout --kill-after=1 \(seconds) sh -c \(FilePath.quoted(line)) "
            + "</proc/self/fd/\(command.input) >/proc/self/fd/\(command.output) 2>&1"
        guard command.input >= 0, command.output >= 0,
            unsafe write(command.input, bytes, bytes.count) == bytes.count,
            let process = unsafe popen(shellLine, "we")
        else {
            defer { command.close() }
            throw SystemCallError("popen")
        }
        // Only the thread uses it from here on.
        nonisolated(unsafe) let ended = unsafe process
        DispatchQueue(label: "command").async {
            let end = unsafe command.end(ofStatus: pclose(ended))
            command.close()
            hear(end)
        }
    }

    /// A file that ends with the last descriptor of it; -1 if there can be none.
    private static func namelessFile() -> Int32 {
        guard let file = unsafe tmpfile() else { return -1 }
        defer { unsafe fclose(file) }
        // A command inherits this one.
        return unsafe dup(fileno(file))
    }

    private func end(ofStatus status: Int32) -> End {
        let code = status >> 8 & 0xff
        switch code {
        case _ where status == 0: return .done
        case 124, 137: return .outOfTime
        default:
            var words = [UInt8](repeating: 0, count: 200)
            let count = unsafe pread(output, &words, words.count, 0)
            return .failed(code: code, words: Array(words.prefix(max(count, 0))))
        }
    }

    private func close() {
        for descriptor in [input, output] where descriptor >= 0 { Glibc.close(descriptor) }
    }
}
