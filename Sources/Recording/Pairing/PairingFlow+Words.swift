package import BluetoothCentral
internal import Words

extension PairingFlow.State {
    /// What goes on, for whoever waits.
    ///
    /// - Parameter name: What is looked for, harmless in a terminal; nil for any strap.
    /// - Returns: A sentence or two; nil where there is nothing new to say.
    package func sentence(lookingFor name: String?) -> String? {
        switch self {
        case .scanning:
            name.map { "Looking for \($0). Wear it, or wake it." }
                ?? "Looking for a strap. Wear it, and moisten it."
        case .connecting(let device): "Connecting to \(device.title)."
        case .subscribing(let device):
            device.services.serviceWords.map { "\(device.title) offers \($0)." }
        case .listening, .paired, .failed: nil
        }
    }
}

extension PairingFlow.Failure {
    /// What happened and what to do.
    ///
    /// - Parameters:
    ///   - name: What the device is called, harmless in a terminal; nil for any strap.
    ///   - address: Its address, if it is known.
    ///   - seconds: How long it was looked for.
    /// - Returns: At most three sentences.
    package func sentence(
        of name: String?, _ address: BluetoothAddress?, seconds: Int
    ) -> String {
        let advice =
            name == nil
            ? "Wear it and moisten it, and keep other devices off it."
            : "Wear it or wake it, come closer, and keep other devices off it."
        let name = name ?? "A strap"
        let pair = address.map { "bluetoothctl pair \($0)" } ?? "bluetoothctl pair"
        let remove = address.map { "bluetoothctl remove \($0)" } ?? "bluetoothctl remove"
        let unblock = address.map { "bluetoothctl unblock \($0)" } ?? "bluetoothctl unblock"
        return switch self {
        case .notSeen(let trouble):
            "\(name) was not seen in \(seconds) s. "
                + (trouble ?? advice)
        case .noBus(let failure):
            CentralReport.busUnavailable(failure, nextAttemptMilliseconds: 0).sentence ?? ""
        case .adapter(let change):
            CentralReport.adapterStateChanged(change).sentence ?? "Bluetooth cannot be used."
        case .interrupted: "Nothing was paired: pairing was cancelled."
        case .noLink(.denied), .notifiesNot(.denied):
            "The bus denies access to \(name). Run as a user who may use it."
        case .noLink(.wantsPairing), .notifiesNot(.wantsPairing):
            "\(name) needs Bluetooth pairing with this machine first. Run `\(pair)`."
        case .noLink(.blocked):
            "\(name) is blocked on this machine. Unblock it: `\(unblock)`."
        case .noLink(.taken):
            "Another program is connecting to \(name). Close that program."
        case .notifiesNot(.taken):
            "Another program has exclusive use of \(name). Close that program."
        case .notifiesNot(.staleServices):
            "\(name) has other services than Bluetooth remembers, as after new firmware. Run "
                + "`\(remove)`, and pair it again."
        case .unresolved:
            "\(name) is connected, but Bluetooth does not get its services. Run `\(remove)`, or "
                + "restart bluetooth, and pair it again."
        case .noLink:
            "\(name) was seen but does not answer. Come closer, and keep other devices off it: "
                + "most talk to one or two at a time."
        case .offersNothing(let services):
            "\(name) sends nothing that Pulselog records: it offers "
                + "\(services.serviceWords ?? "no services"). Is it the right one?"
        case .offersNot(let uuid):
            "\(name) does not offer \(uuid): there is nothing to record. Is it the right one?"
        case .notifiesNot:
            "\(name) is connected but sends nothing. It may need Bluetooth pairing first: "
                + "`\(pair)`."
        }
    }
}

extension Pick {
    /// Why a device that was picked is not paired.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - device: The device.
    ///   - name: What it calls itself, a stranger's text.
    /// - Returns: A sentence.
    package static func sentence(
        _ reason: PairingFlow.Failure, of device: BluetoothAddress, name: String?
    ) -> String {
        let title = DeviceSighting(address: device, name: name).title
        return reason.sentence(of: title, device, seconds: StrapSearch.pickedSeconds)
    }
}
