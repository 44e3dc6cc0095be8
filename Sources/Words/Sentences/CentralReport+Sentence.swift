package import BluetoothCentral
internal import Events
internal import Text

/// What keeps an adapter silent.
package enum RadioBlock: Hashable, Sendable {
    /// A command can unblock it.
    case software
    /// A key, a slider, or the firmware's settings.
    case hardware
}

/// What a walker reads: what happened, what Pulselog does about it, and what the walker can do.
///
/// At most two short sentences, two lines of 80 columns together with a name of 24. What is told,
/// and when, is for ``Narrator`` to decide.
extension CentralReport {
    /// The sentence with addresses for names; see ``sentence(naming:)``.
    package var sentence: String? { sentence { DeviceTitle($0.description, isStrap: false) } }

    /// What the walker is told, or nil if there is nothing to say.
    ///
    /// - Parameter name: Gives what a device is called, harmless in a terminal.
    /// - Returns: One or two sentences.
    package func sentence(naming name: (BluetoothAddress) -> DeviceTitle) -> String? {
        switch self {
        case .adapterStateChanged(let change): change.sentence()
        case .busUnavailable(let failure, _):
            "The system bus cannot be reached (\(failure.reason)), so no strap or watch is heard. "
                + "See `pulselog doctor`."
        case .connecting(let device, let attempt):
            attempt == 1
                ? "Connecting to \(name(device.address)); keep other devices off it." : nil
        case .connectFailed(let address, let failure, let next):
            failure.sentence(of: name(address), address, again(next))
        case .linkLost(let address, let loss): loss.sentence(of: name(address))
        case .measurementMissing(let address, let uuid):
            "\(name(address)) does not offer its \(uuid.detailName); asking again on the next "
                + "link. Is its battery low?"
        case .subscribeFailed(let address, _, let failure, let next):
            FailureCause(failure) == .taken
                ? "Another program has exclusive use of \(name(address)); "
                    + "\(again(next)). Close that program."
                : failure.sentence(of: name(address), address, again(next))
        case .servicesUnresolved(let address):
            "\(name(address)) is connected, but Bluetooth does not get its services. Run "
                + "`bluetoothctl remove \(address)`, or restart bluetooth."
        case .silent(let address, _, let milliseconds):
            "\(name(address)) is connected but sent nothing for \(milliseconds / 1_000) s; "
                + "subscribing again. Is it touching the skin?"
        case .readFailed(let address, let uuid, _):
            "\(name(address)) did not report its \(uuid.detailName); recording "
                + "continues without it. Nothing to do."
        case .valueCut(let address, _, let byteCount, _):
            "\(name(address)) sent a value of \(byteCount) bytes; the first 512 are kept. See "
                + "whether there is new firmware for it."
        case .intakeFinding(let finding, let count):
            count == 1 || finding == .droppedMessage ? finding.sentence : nil
        case .deviceSeen, .linkUp, .linkDown, .servicesFound, .subscribed, .valueNotified,
            .valueRead:
            nil
        }
    }

    private func again(_ milliseconds: UInt64) -> String {
        milliseconds < 1_000
            ? "trying again at once" : "trying again in \(milliseconds / 1_000) s"
    }
}

extension CallFailure {
    /// The service's words, short and harmless; of "failed to connect to …: No such file" the
    /// end.
    fileprivate var reason: String {
        let text = message.isEmpty ? name : message
        let end = text.split(separator: ": ").last.map(String.init) ?? text
        return printable(end, limit: 40)
    }

    /// What is said of an attempt that failed.
    fileprivate func sentence(
        of name: DeviceTitle, _ address: BluetoothAddress, _ again: String
    ) -> String {
        switch FailureCause(self) {
        case .noAnswer:
            "\(name) does not answer; \(again). Is it "
                + (name.isStrap ? "worn and moist" : "on and near")
                + ", and not linked to another device?"
        case .calledOff:
            "Another program cancelled connecting to \(name); \(again). Close that program."
        case .taken:
            "Another program is connecting to \(name); \(again). Close that program."
        case .vanished:
            "\(name) is out of range; looking for it. \(name.closer)"
        case .adapterOff:
            "The Bluetooth adapter does not work; \(again). Run `bluetoothctl power on`."
        case .wantsPairing:
            "\(name) needs Bluetooth pairing first; \(again). Run `bluetoothctl pair \(address)`."
        case .blocked:
            "\(name) is blocked on this machine; waiting for it. Run `bluetoothctl unblock "
                + "\(address)`."
        case .staleServices:
            "\(name) has other services than Bluetooth remembers, as after new firmware; "
                + "\(again). Run `bluetoothctl remove \(address)`."
        case .refused:
            "\(name) refuses (\(reason)); \(again). Switch it off or take it off for a minute."
        case .denied:
            "Access to Bluetooth is denied; \(again). Run as a user who may use it."
        case .daemonAway:
            "The Bluetooth daemon is not running; \(again). Run `systemctl start bluetooth`."
        case .busAway: "The system bus is gone; \(again). Run `systemctl start dbus`."
        case .daemonSilent:
            "The Bluetooth daemon does not answer; \(again). If it persists: "
                + "`systemctl restart bluetooth`."
        case .other:
            "\(name) cannot be used (\(reason)); \(again). See `pulselog doctor`."
        }
    }
}

extension LinkLoss {
    /// What is said of a lost link, or nil: of one that we ended, and where the adapter's state
    /// says more.
    fileprivate func sentence(of name: DeviceTitle) -> String? {
        let advice: String
        switch cause {
        case .requested, .adapterLost, .daemonLost: return nil
        case .unknown where isLocal: advice = "Come closer, or close other programs that use it."
        case .unknown, .timeout: advice = name.closer
        case .remote: advice = "Wear it, and keep other devices off it."
        case .authentication: advice = "Forget it with bluetoothctl, and pair it again."
        case .suspended: advice = "Keep it awake while recording."
        }
        let why = cause.words.map { " (\($0))" } ?? ""
        return "The link to \(name) was lost\(why); connecting again. \(advice)"
    }
}

extension AdapterChange {
    /// Tells what hinders, and what can be done.
    ///
    /// - Parameter block: What keeps an adapter that is off from being switched on.
    /// - Returns: One or two sentences, or nil if nothing hinders.
    package func sentence(blockedBy block: RadioBlock? = nil) -> String? {
        let words = state.words(cause)
        return switch (state, cause) {
        case (.unknown, _), (.poweredOn, _): nil
        case (.resetting, .adapterGone), (.unsupported, .adapterGone):
            "\(words); waiting for it to come back. Is it plugged in?"
        case (.resetting, .busClosed):
            "\(words); waiting for it to come back. Run `systemctl start dbus`."
        case (.resetting, _):
            "\(words); waiting for it to come back. If it does not: `systemctl start bluetooth`."
        case (.unsupported, _):
            "\(words), so no strap or watch can be heard. See `pulselog doctor`."
        case (.unauthorized, _):
            "\(words); asking again every 30 s. Run as a user who may use it."
        case (.poweredOff, _):
            switch block {
            case nil: "\(words); waiting for it. Switch it on: `bluetoothctl power on`."
            case .software:
                "Bluetooth is blocked; waiting for it. Unblock it: `rfkill unblock bluetooth`."
            case .hardware:
                "A hardware switch blocks Bluetooth; waiting for it. Look for a key or a "
                    + "switch on the machine."
            }
        }
    }
}

extension IntakeFinding {
    /// What the walker is told, once.
    fileprivate var sentence: String {
        switch self {
        case .spoofedSignal:
            "Another program is posing as the Bluetooth daemon; it is ignored. Find out which "
                + "one, unless you started it."
        case .unexpectedType:
            "The Bluetooth daemon sent something of an unexpected type; it is ignored. "
                + "Please report it."
        case .droppedMessage:
            "A message on the bus was too large; it is left out. Please report it if "
                + "values are missing."
        case .tooManyDevices:
            "More devices are in range than can be told apart; some are left out. If yours is "
                + "missing, go elsewhere."
        }
    }
}

extension BluetoothUUID {
    /// What a walker calls what a device reports.
    fileprivate var detailName: String {
        switch self {
        case .bodySensorLocation: "body location"
        case .manufacturerName: "manufacturer"
        case .batteryLevel: "battery level"
        case .heartRateMeasurement: "heart rate"
        case .runningSpeedCadenceMeasurement: "cadence"
        case .infiniTimeStepCount: "step count"
        default: description
        }
    }
}
