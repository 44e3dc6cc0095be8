import DBus

/// A program that is asked whether a strap may be paired with (`org.bluez.Agent1`).
struct Agent: Hashable {
    static let interface = "org.bluez.Agent1"
    static let managerInterface = "org.bluez.AgentManager1"
    /// The object where programs register.
    static let registry = BusObject(path: "/org/bluez", managerInterface, [])

    /// The unique name of the program.
    let client: String
    /// Its object that is asked.
    let path: String
    /// Whether it can show a number and say whether a person sees the same.
    let canConfirm: Bool

    /// The question about a device.
    ///
    /// A program without a person's eyes is asked for its consent, others also about a number.
    func question(about device: String) -> MethodCall {
        MethodCall(
            destination: client, path: path, interface: Agent.interface,
            member: canConfirm ? "RequestConfirmation" : "RequestAuthorization",
            arguments: [.objectPath(device)] + (canConfirm ? [.uint32(123_456)] : []))
    }
}
