/// A call of a method: what is asked of whom.
public struct MethodCall: Hashable, Sendable {
    /// The bus name that is asked, well-known or unique.
    public var destination: String
    /// The object that is asked.
    public var path: String
    /// The interface of the method; empty if the caller named none.
    public var interface: String
    /// The method.
    public var member: String
    /// The arguments, in order.
    public var arguments: [Value]

    /// Makes a call.
    ///
    /// Nothing is checked before it is sent.
    ///
    /// - Parameters:
    ///   - destination: The bus name that is asked.
    ///   - path: The object that is asked.
    ///   - interface: The interface of the method; empty for none.
    ///   - member: The method.
    ///   - arguments: The arguments, in order.
    public init(
        destination: String, path: String, interface: String, member: String,
        arguments: [Value] = []
    ) {
        (self.destination, self.path, self.interface) = (destination, path, interface)
        (self.member, self.arguments) = (member, arguments)
    }
}

extension MethodCall: CustomStringConvertible {
    /// The call without its arguments, as in `org.bluez.Device1.Connect on /org/bluez/hci0`.
    public var description: String {
        (interface.isEmpty ? member : "\(interface).\(member)") + " on \(path)"
    }
}

// MARK: - Calls of the bus itself

extension MethodCall {
    /// The bus name of the bus itself, and the sender of what it says.
    public static let busName = "org.freedesktop.DBus"

    /// A call of the bus itself (D-Bus Specification, "Message Bus Messages").
    ///
    /// - Parameters:
    ///   - member: The method.
    ///   - arguments: The arguments, in order.
    /// - Returns: The call.
    public static func bus(_ member: String, _ arguments: Value...) -> MethodCall {
        MethodCall(
            destination: busName, path: "/org/freedesktop/DBus", interface: busName,
            member: member, arguments: arguments)
    }

    /// Asks the bus for the signals that fit a rule.
    ///
    /// Send it before the call that makes the signals come: the bus keeps the order.
    ///
    /// - Parameter rule: As in `type='signal',sender='org.bluez'`. Name the sender: any program on
    ///   the bus may broadcast.
    /// - Returns: The call.
    public static func addMatch(_ rule: String) -> MethodCall {
        .bus("AddMatch", .string(rule))
    }
}
