/// A signal: what an object says to whoever listens.
///
/// It does not say who sent it. The receiver gets the sender next to it, as the bus knows it, and
/// must compare: any program may send any signal, also to one receiver alone, past all match rules.
public struct Signal: Hashable, Sendable {
    /// The object that speaks.
    public var path: String
    /// The interface of the signal.
    public var interface: String
    /// The signal's name.
    public var member: String
    /// The arguments, in order.
    public var arguments: [Value]

    /// Makes a signal.
    ///
    /// Nothing is checked before it is sent.
    ///
    /// - Parameters:
    ///   - path: The object that speaks.
    ///   - interface: The interface of the signal.
    ///   - member: The signal's name.
    ///   - arguments: The arguments, in order.
    public init(path: String, interface: String, member: String, arguments: [Value] = []) {
        (self.path, self.interface, self.member) = (path, interface, member)
        self.arguments = arguments
    }
}

extension Signal: CustomStringConvertible {
    /// The signal without its arguments.
    public var description: String { "\(interface).\(member) of \(path)" }
}
