/// What a service answers to a method call.
public enum MethodReply: Hashable, Sendable {
    /// It is done; these are the return values.
    case values([Value])
    /// It is refused, with the D-Bus name of the error and a text.
    case refusal(name: String, message: String)
    /// The answer is given later, by ``Connection/answer(_:with:)``.
    case later

    /// The refusal that the bus gives for methods nobody knows.
    ///
    /// - Parameter call: The call.
    /// - Returns: The refusal.
    public static func unknownMethod(_ call: MethodCall) -> MethodReply {
        .refusal(name: DBusError.prefix + "UnknownMethod", message: "no such method: \(call)")
    }
}

/// Where the answer to a received call goes.
public struct ReplyAddress: Hashable, Sendable {
    /// The unique name of the caller.
    public let sender: String
    /// The caller's number for the call.
    let serial: UInt32
    /// Whether the caller waits for an answer.
    public let isExpected: Bool
}
