internal import Threads

/// Why a call, or the connection to the bus, failed.
public struct DBusError: Error, Hashable, Sendable {
    /// What kind of failure it was, for programs to match.
    public enum Code: Hashable, Sendable {
        /// The bus could not be reached, or it refused us.
        case cannotConnect
        /// The called service, or the bus in its place, answered with an error: see
        /// ``DBusError/name``.
        case refused
        /// No answer came within the call's time limit.
        ///
        /// The service may still be working on it.
        case timedOut
        /// The bus went away before the answer came, or had gone before the call.
        case disconnected
        /// This program closed the connection before the answer came, or before the call.
        case closed
        /// The call cannot be expressed in D-Bus: a bad name or path, or a value beyond the limits.
        case invalidArgument
        /// A message arrived that is beyond the limits or holds a type we do not take.
        case undecodable
    }

    /// What kind of failure it was.
    public let code: Code

    /// The D-Bus name of the error, as in `org.bluez.Error.NotReady`.
    ///
    /// Failures that never reached the bus use the names of the D-Bus specification, "Error Names".
    public let name: String

    /// The text that came with the error: the service's or libdbus's own words.
    ///
    /// May be empty.
    public let message: String

    /// What failed, as in `org.bluez.Device1.Connect on /org/bluez/hci0/dev_00_00`.
    public let call: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it was.
    ///   - name: The D-Bus name of the error.
    ///   - message: The text that came with it.
    ///   - call: What failed.
    public init(code: Code, name: String, message: String, call: String) {
        (self.code, self.name, self.message, self.call) = (code, name, message, call)
    }
}

extension DBusError: CustomStringConvertible {
    /// What happened and what to do, in one or two sentences.
    public var description: String {
        let detail = message.isEmpty ? name : "\(name): \(message)"
        return switch code {
        case .cannotConnect:
            "\(call) failed (\(detail)). Check that the D-Bus daemon runs and may be reached."
        case .refused:
            "\(call) was refused (\(detail))."
        case .timedOut:
            "\(call) got no answer in time. The service may be busy; look at its own log."
        case .disconnected:
            "\(call) failed: the bus went away (\(detail)). Open a new connection when it is back."
        case .closed:
            "\(call) failed: this program has closed its connection to the bus."
        case .invalidArgument:
            "\(call) cannot be sent: \(message). Correct the arguments."
        case .undecodable:
            "\(call) was dropped: \(message). Please report it, naming the sending program."
        }
    }
}

// MARK: - The errors of this target

extension DBusError {
    static let prefix = "org.freedesktop.DBus.Error."

    static func disconnected(_ call: String) -> DBusError {
        DBusError(
            code: .disconnected, name: prefix + "Disconnected",
            message: "the connection to the bus is lost", call: call)
    }

    static func closed(_ call: String) -> DBusError {
        DBusError(
            code: .closed, name: prefix + "Disconnected", message: "connection closed", call: call)
    }

    static func timedOut(_ call: String, afterMilliseconds limit: UInt64) -> DBusError {
        DBusError(
            code: .timedOut, name: prefix + "NoReply", message: "no reply in \(limit) ms",
            call: call)
    }

    static func invalidArgument(_ reason: String, _ call: String) -> DBusError {
        DBusError(code: .invalidArgument, name: prefix + "InvalidArgs", message: reason, call: call)
    }

    static func undecodable(_ reason: String, _ call: String) -> DBusError {
        DBusError(code: .undecodable, name: prefix + "LimitsExceeded", message: reason, call: call)
    }

    static func noThread(_ error: NoThread) -> DBusError {
        DBusError(
            code: .cannotConnect, name: prefix + "LimitsExceeded",
            message: "the system gave no thread (error \(error.errorNumber))",
            call: "opening the bus")
    }

    static func outOfMemory(_ call: String) -> DBusError {
        DBusError(
            code: .invalidArgument, name: prefix + "NoMemory", message: "out of memory", call: call)
    }
}
