package import BluetoothCentral
internal import Text

extension Diagnosis {
    /// Judges bus, daemon, adapter and permissions by what bluetoothd was found to have.
    ///
    /// - Parameter found: What it has, or why that is unknown.
    /// - Returns: What was found; what lies above something that is missing is left out.
    package static func bluetooth(
        _ found: Swift.Result<BluezInventory, InventoryError>
    ) -> [Diagnosis] {
        let bus = ok(.bus, "The system bus answers.")
        switch found {
        case .success(let inventory):
            return [
                bus,
                ok(
                    .bluez,
                    "The Bluetooth daemon answers; `bluetoothctl --version` shows its version."),
                adapter(inventory), ok(.permissions, "This user may use Bluetooth."),
            ]
        case .failure(.noBus(let failure)):
            let words = failure.message.isEmpty ? failure.name : failure.message
            return [
                problem(
                    .bus, "The system bus cannot be reached: \(printable(words, limit: 160)).",
                    "Start it (systemctl start dbus), or set DBUS_SYSTEM_BUS_ADDRESS.")
            ]
        case .failure(.busStuck):
            return [
                problem(
                    .bus, "The system bus accepted the connection but did not answer in time.",
                    "Restart the machine; restarting the bus alone ends the desktop.")
            ]
        case .failure(.busSilent):
            return [problem(.bus, "The system bus does not answer.", "Restart the machine.")]
        case .failure(.noDaemon):
            return [
                bus,
                problem(
                    .bluez, "The Bluetooth daemon is not running.",
                    "Start it: systemctl start bluetooth. If there is none: apt install bluez."),
            ]
        case .failure(.refused(let failure)): return [bus, refusal(failure)]
        }
    }

    private static func refusal(_ failure: CallFailure) -> Diagnosis {
        switch FailureCause(failure) {
        case .denied:
            problem(
                .permissions, "The bus denies this user access to Bluetooth.",
                "Log in at the machine, or join the group that its policy names (bluetooth).")
        case .daemonAway:
            problem(
                .bluez, "The Bluetooth daemon has just stopped.", "See `journalctl -u bluetooth`.")
        default:
            problem(
                .bluez, "The Bluetooth daemon does not answer: \(printable(failure.name)).",
                "Restart it: systemctl restart bluetooth.")
        }
    }

    /// Judges the adapter that a recorder would use.
    static func adapter(_ inventory: BluezInventory) -> Diagnosis {
        guard let adapter = inventory.adapter else {
            return inventory.hasAdapter
                ? problem(
                    .adapter, "No Bluetooth adapter here can connect to straps (Low Energy).",
                    "Plug in one of Bluetooth 4.0 or later.")
                : problem(
                    .adapter, "There is no Bluetooth adapter.",
                    "Plug one in; `dmesg` shows whether the kernel detects it.")
        }
        let name = printable(adapter.name, limit: 16)
        return adapter.isPowered
            ? ok(.adapter, "The Bluetooth adapter \(name) is on and can connect to straps.")
            : problem(
                .adapter, "The Bluetooth adapter \(name) is switched off.",
                "Switch it on: bluetoothctl power on.")
    }

    /// Judges the radio switches.
    ///
    /// - Parameters:
    ///   - count: How many adapters have one.
    ///   - blocks: What blocks an adapter, for each that is blocked.
    /// - Returns: A problem if every adapter is blocked, a warning if some are.
    package static func radioSwitches(_ count: Int, _ blocks: [RadioBlock]) -> Diagnosis {
        guard !blocks.isEmpty else {
            return ok(
                .rfkill,
                count == 0 ? "There is no radio switch here." : "No radio switch blocks Bluetooth.")
        }
        // What a command can unblock is reported first.
        let isSoftware = blocks.contains(.software)
        let advice =
            isSoftware
            ? "Run `rfkill unblock bluetooth`."
            : "Switch the radio on: with a key or switch on the machine, or in its firmware."
        guard blocks.count == count else {
            return warning(.rfkill, "\(blocks.count) of \(count) adapters are blocked.", advice)
        }
        return problem(
            .rfkill,
            isSoftware ? "Bluetooth is blocked." : "A hardware switch blocks Bluetooth.",
            advice)
    }
}
