internal import Glibc

/// An append that cannot begin yet, because another process is in the middle of a write.
public struct WriterWait: Sendable, CustomStringConvertible {
    /// How long the append has been waiting.
    public let duration: Duration
    /// The process that writes; nil if the kernel does not name it, because it is no Pulselog or
    /// lives in another container.
    public let processID: Int32?
    /// Whether that process is stopped, by a signal or a debugger.
    public let isStopped: Bool

    init(duration: Duration, processID: Int32?) {
        self.duration = duration
        self.processID = processID
        isStopped = processID.map(Self.isStopped) ?? false
    }

    /// Who is waited for, and what to do, without a capital and a full stop.
    public var description: String {
        let delay = "which has held this up for \(duration.components.seconds) s"
        guard let processID else {
            return
                "another program is in the middle of a write, \(delay); if it is stopped, let it "
                + "continue"
        }
        guard isStopped else {
            return "process \(processID) is in the middle of a write, \(delay); it is not stopped, "
                + "and should finish on its own"
        }
        return "process \(processID) is stopped in the middle of a write, \(delay); "
            + "`kill -CONT \(processID)` lets it continue, unless a debugger holds it"
    }

    /// Whether a process is stopped: the state in proc(5), `stat`.
    private static func isStopped(_ processID: Int32) -> Bool {
        let descriptor = open("/proc/\(processID)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(descriptor, &bytes, bytes.count)
        // The name before it stands in parentheses, and may hold any.
        let name = bytes.prefix(max(0, count)).lastIndex(of: UInt8(ascii: ")"))
        guard let name, name + 2 < count else { return false }
        return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[name + 2])
    }
}
