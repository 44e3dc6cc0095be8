import DBus

/// The answers of bluetoothd, name and text as its version 5.66 gives them.
extension MethodReply {
    static let done = MethodReply.values([])

    private static func error(_ name: String, _ message: String) -> MethodReply {
        .refusal(name: "org.bluez.Error.\(name)", message: message)
    }

    static func failed(_ message: String) -> MethodReply { error("Failed", message) }

    static let inProgress = error("InProgress", "Operation already in progress")
    static let notReady = error("NotReady", "Resource Not Ready")
    static let notConnected = error("NotConnected", "Not Connected")
    static let notSupported = error("NotSupported", "Operation is not supported")
    static let alreadyExists = error("AlreadyExists", "Already Exists")
    static let invalidArguments = error("InvalidArguments", "Invalid arguments in method call")

    static func notPermitted(_ message: String) -> MethodReply { error("NotPermitted", message) }

    /// What an attempt to connect ends with, whatever the reason.
    static let connectionAborted = failed("le-connection-abort-by-local")
    /// What an attempt ends with that `Disconnect` ended.
    static let connectionCanceled = failed("br-connection-canceled")
    /// What a call ends with that the strap did not answer before the link broke.
    static let unlikelyError = attributeError(AttributeErrors.unlikely)

    /// What a call ends with that the strap answered with an error.
    static func attributeError(_ code: UInt8) -> MethodReply {
        switch code {
        case 0x02: return notPermitted("Read not permitted")
        case 0x03: return notPermitted("Write not permitted")
        case 0x05, 0x0C, 0x0F: return notPermitted("Not paired")
        case 0x06: return notSupported
        case 0x08: return error("NotAuthorized", "Operation Not Authorized")
        default:
            let digits = String(code, radix: 16)
            return failed(
                "Operation failed with ATT error: 0x" + (code < 16 ? "0" : "") + digits)
        }
    }

    /// What libdbus answers in the place of an object that is not there.
    static func unknownObject(_ call: MethodCall) -> MethodReply {
        .refusal(
            name: "org.freedesktop.DBus.Error.UnknownObject",
            message: "Method \"\(call.member)\" on interface \"\(call.interface)\" doesn't exist")
    }
}
