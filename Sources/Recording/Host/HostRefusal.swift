internal import BluetoothCentral

/// What a host of recorders does not do.
public struct HostRefusal: Error, Hashable, Sendable {
    /// A stable name of the reason.
    public let code: String
    /// What is wrong and what to do.
    public let message: String

    /// Names a reason.
    ///
    /// - Parameters:
    ///   - code: A stable name.
    ///   - message: What is wrong and what to do.
    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Bluetooth cannot be used.
    init(_ hindrance: StrapStatus.Word) {
        self.init("notPossible", "Nothing can be paired: \(hindrance.text).")
    }

    /// A device could not be paired.
    init(_ reason: PairingFlow.Failure, of device: BluetoothAddress, name: String?) {
        let title = DeviceSighting(address: device, name: name).title
        self.init(
            "notPaired",
            reason.sentence(of: title, device, seconds: StrapSearch.pickedSeconds))
    }

    /// Another process records.
    static let otherRecorder = HostRefusal(
        "otherRecorder",
        "Another Pulselog is recording, or is set up in a terminal. End it there first.")

    /// A session was left open.
    static let sessionOpen = HostRefusal(
        "sessionOpen", "A walk is still open. Continue it, or end it.")

    /// There is none.
    static let noSession = HostRefusal("noSession", "No walk is open.")

    /// The session is open.
    static let recording = HostRefusal("recording", "This Pulselog is recording already.")

    /// A strap records the session.
    static let walking = HostRefusal(
        "recording", "A walk is under way with another strap. Pair this one before or after it.")

    /// The walker has picked another device.
    static let anotherPick = HostRefusal("notPaired", "Another device was picked instead.")

    /// The recorder has ended meanwhile.
    static let ended = HostRefusal("ended", "The recorder has ended. Ask again.")
}
