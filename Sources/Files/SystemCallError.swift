internal import Glibc

/// A call of the operating system that failed.
public struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The function, such as `open`.
    public let call: String
    /// The error number, as in `errno.h`.
    public let number: Int32
    /// The file or directory concerned; empty if there is none.
    public let path: String

    /// Makes the error of the call that the thread made last.
    ///
    /// - Parameters:
    ///   - call: The function.
    ///   - path: The file or directory concerned.
    ///   - number: The error number; nil for the one that the system gave.
    public init(_ call: String, _ path: String = "", number: Int32? = nil) {
        self.number = number ?? errno
        (self.call, self.path) = (call, path)
    }

    /// Whether there is no room on the disk.
    public var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }

    /// The path, the system's words, and what helps against another's file in a folder
    /// of one's own.
    public var description: String {
        let text = unsafe String(cString: strerror(number))
        guard !path.isEmpty else { return text }
        let remedy = [EACCES, EPERM].contains(number) ? FilePath.remedy(path) : nil
        return "\(path): \(text)" + (remedy.map { "; \($0)" } ?? "")
    }

    /// Throws the error of a call unless its result is zero or more.
    ///
    /// - Parameters:
    ///   - result: What the function returned.
    ///   - call: The function.
    ///   - path: The file or directory concerned.
    /// - Returns: `result`.
    /// - Throws: The error.
    @discardableResult
    public static func check<Value: BinaryInteger>(
        _ result: Value, _ call: String, _ path: String = ""
    ) throws(SystemCallError) -> Value {
        guard result >= 0 else { throw SystemCallError(call, path) }
        return result
    }
}
