internal import Files

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
        (self.duration, self.processID) = (duration, processID)
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
        do throws(SystemCallError) {
            let bytes = try readFile("/proc/\(processID)/stat", limit: 512)?.bytes ?? []
            // The name before it is in parentheses, and may hold any.
            guard let name = bytes.lastIndex(of: UInt8(ascii: ")")), name + 2 < bytes.count else {
                return false
            }
            return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[name + 2])
        } catch {
            return false
        }
    }
}
