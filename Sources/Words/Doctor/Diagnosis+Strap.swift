package import BluetoothCentral

/// A paired strap, as a walker knows it: its address, and what it is called.
package typealias NamedStrap = (address: BluetoothAddress, title: DeviceTitle)

extension Diagnosis {
    /// What is said where no strap is paired.
    package static var noStrap: Diagnosis {
        warning(
            .strap, "No strap is paired yet.",
            "`pulselog record` pairs the strongest, `pulselog devices pair` a chosen one.")
    }

    /// Judges the primary strap by what BlueZ knows of it.
    ///
    /// - Parameters:
    ///   - strap: The strap.
    ///   - inventory: What BlueZ knows.
    ///   - isRecorderAlive: Whether a recorder runs.
    /// - Returns: What was found; nil if nobody knows, so that it has to be listened for.
    package static func strap(
        _ strap: NamedStrap, _ inventory: BluezInventory, isRecorderAlive: Bool
    ) -> Diagnosis? {
        let known = inventory.device(strap.address)
        if known?.isBlocked == true {
            return warning(
                .strap, "\(strap.title) is blocked on this machine.",
                "Unblock it: bluetoothctl unblock \(strap.address).")
        }
        if known?.isConnected == true { return ok(.strap, "\(strap.title) is connected.") }
        if known?.isHeard == true { return ok(.strap, "\(strap.title) is in range.") }
        guard isRecorderAlive else { return nil }
        return warning(
            .strap, "\(strap.title) is not connected; the recorder looks for it.",
            "\(strap.title.advice), and keep other devices off it.")
    }

    /// Judges a strap that was listened for.
    ///
    /// - Parameters:
    ///   - strap: The strap.
    ///   - isHeard: Whether it was heard.
    ///   - seconds: How long it was listened for.
    /// - Returns: What was found.
    package static func strap(_ strap: NamedStrap, isHeard: Bool, in seconds: Int) -> Diagnosis {
        isHeard
            ? ok(.strap, "\(strap.title) is in range.")
            : warning(
                .strap, "\(strap.title) was not heard in \(seconds) s.",
                "\(strap.title.advice): most are silent without skin, or while another device is "
                    + "connected.")
    }

    /// Tells who else uses the adapter or the straps.
    ///
    /// - Parameters:
    ///   - straps: The paired straps, the primary one first.
    ///   - inventory: What BlueZ knows.
    ///   - isRecorderAlive: Whether a recorder runs.
    /// - Returns: A warning if another program does.
    package static func otherPrograms(
        _ straps: [NamedStrap], _ inventory: BluezInventory, isRecorderAlive: Bool
    ) -> Diagnosis {
        guard !isRecorderAlive else {
            return ok(.otherPrograms, "The recorder is using Bluetooth; its log shows any others.")
        }
        for strap in straps {
            guard let device = inventory.device(strap.address), device.isConnected else { continue }
            return device.isNotifying
                ? warning(
                    .otherPrograms, "Another program is subscribed to \(strap.title).",
                    "Close it: every value would arrive twice. Each would be counted once.")
                : warning(
                    .otherPrograms, "\(strap.title) is connected, although no recorder is running.",
                    "Close the other program, or run "
                        + "`bluetoothctl disconnect \(strap.address)`.")
        }
        return inventory.adapter?.isDiscovering == true
            ? warning(
                .otherPrograms, "Another program is scanning.",
                "Close it if connecting is slow: during a scan it takes up to 10 s.")
            : ok(.otherPrograms, "No other program uses the adapter or the strap.")
    }
}
