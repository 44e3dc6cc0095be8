public import BluetoothCentral
internal import Words

extension PairingFlow.State {
    /// What goes on, for who waits.
    ///
    /// - Parameter name: What is looked for, harmless in a terminal.
    /// - Returns: A sentence or two; nil where there is nothing new to say.
    public func sentence(lookingFor name: String) -> String? {
        switch self {
        case .scanning: "Looking for \(name). Wear it, and moisten it."
        case .connecting(let device): "Connecting to \(device.title)."
        case .listening, .paired, .failed: nil
        }
    }
}

extension PairingFlow.Failure {
    /// What happened and what to do.
    ///
    /// - Parameters:
    ///   - name: What the device is called, harmless in a terminal.
    ///   - address: Its address, if it is known.
    ///   - seconds: How long it was looked for.
    /// - Returns: At most three sentences.
    public func sentence(
        of name: String, _ address: BluetoothAddress?, seconds: Int
    ) -> String {
        let pair = address.map { "bluetoothctl pair \($0)" } ?? "bluetoothctl pair"
        return switch self {
        case .notSeen(let trouble):
            "\(name) was not seen in \(seconds) s. "
                + (trouble ?? "Wear it and moisten it, and keep other devices off it.")
        case .adapter(let change):
            CentralReport.adapterStateChanged(change).sentence ?? "Bluetooth cannot be used."
        case .interrupted: "Nothing was paired: pairing was cancelled."
        case .noLink(.denied), .notifiesNot(.denied):
            "The bus denies access to \(name). Run as a user who may use it."
        case .noLink(.wantsPairing), .notifiesNot(.wantsPairing):
            "\(name) needs Bluetooth pairing with this machine first. Run `\(pair)`."
        case .notifiesNot(.taken):
            "Another program has exclusive use of \(name). Close that program."
        case .noLink:
            "\(name) was seen but does not answer. Come closer, and keep other devices off it: "
                + "most straps talk to one or two at a time."
        case .offersNot(let uuid):
            "\(name) does not offer \(uuid): it gives nothing to record. Is it the right one?"
        case .notifiesNot:
            "\(name) is connected but sends nothing. It may need Bluetooth pairing first: "
                + "`\(pair)`."
        }
    }
}
