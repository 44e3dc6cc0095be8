internal import BluetoothCentral

extension PairingFlow.Failure {
    /// What happened and what to do.
    ///
    /// - Parameters:
    ///   - name: What the device is called, harmless in a terminal.
    ///   - address: Its address, if it is known.
    ///   - seconds: How long it was looked for.
    /// - Returns: The failure of the command.
    func commandFailure(
        of name: String, _ address: BluetoothAddress?, seconds: Int
    ) -> CommandFailure {
        let pair = address.map { "bluetoothctl pair \($0)" } ?? "bluetoothctl pair"
        switch self {
        case .notSeen(let trouble):
            return CommandFailure(
                .unavailable,
                "\(name) was not seen in \(seconds) s. "
                    + (trouble ?? "Wear it and moisten it, and keep other devices off it."))
        case .adapter(let change):
            let code: CommandFailure.Code =
                change.state == .unauthorized ? .permission : .unavailable
            let report = CentralReport.adapterStateChanged(change)
            return CommandFailure(code, report.sentence ?? "Bluetooth cannot be used.")
        case .interrupted:
            return CommandFailure(.tryAgain, "Nothing was paired: it was called off.")
        case .noLink(.denied), .notifiesNot(.denied):
            return CommandFailure(
                .permission, "The bus denies access to \(name). Run as a user who may use it.")
        case .noLink(.wantsPairing), .notifiesNot(.wantsPairing):
            return CommandFailure(
                .unavailable, "\(name) wants a bond with this machine first. Run `\(pair)`.")
        case .notifiesNot(.taken):
            return CommandFailure(
                .unavailable,
                "Another program keeps the values of \(name) to itself. Close that program.")
        case .noLink:
            return CommandFailure(
                .unavailable,
                "\(name) was seen and does not answer. Come closer, and keep other devices off "
                    + "it: most straps talk to one or two at a time.")
        case .offersNot(let uuid):
            return CommandFailure(
                .unavailable,
                "\(name) does not offer \(uuid): it gives nothing to record. Is it the right one?")
        case .notifiesNot:
            return CommandFailure(
                .unavailable,
                "\(name) is connected and does not send. It may want a bond first: `\(pair)`.")
        }
    }
}
