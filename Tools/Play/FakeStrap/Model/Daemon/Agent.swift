import DBus

/// A program that is asked whether a strap may be paired with (`org.bluez.Agent1`).
struct Agent: Hashable, Sendable {
    /// The object where programs register.
    static let registry = BusObject(path: "/org/bluez", "org.bluez.AgentManager1", [])

    /// The unique name of the program.
    let client: String
    /// Its object that is asked.
    let path: String

    /// The question about a device, to a program without a person's eyes.
    func question(about device: String) -> MethodCall {
        MethodCall(
            destination: client, path: path, interface: "org.bluez.Agent1",
            member: "RequestAuthorization", arguments: [.objectPath(device)])
    }
}
