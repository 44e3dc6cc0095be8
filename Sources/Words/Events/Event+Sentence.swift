package import Events
package import Projections
internal import Text

/// What the log tells people of an event.
extension Event {
    /// A sentence with its numbers, harmless in a terminal and on a page; nil where an event has
    /// only its fields.
    ///
    /// - Parameters:
    ///   - units: The walker's.
    ///   - names: What devices are called that have a name.
    /// - Returns: The sentence.
    func sentence(_ units: Units, _ names: [DeviceID: String] = [:]) -> String? {
        let name = { (device: DeviceID) in names[device] ?? "\(device)" }
        return controlSentence ?? linkSentence(name) ?? stepsSentence
            ?? sessionSentence(units, name)
    }

    private var controlSentence: String? {
        switch self {
        case .recorderStarted(let event):
            "Recording started with Pulselog \(printable(event.programVersion))."
        case .recorderStopped(let event):
            event.reason.known == .foundDead
                ? "The previous recording had broken off; this was noticed now."
                : "Recording stopped: \(inWords(event.reason.name))."
        case .bootBegan: "The machine started."
        case .originBegan(let event):
            switch event.cause.known {
            case .created: "The log began."
            case .restored: "The log was restored from a backup."
            case .recovered: "The log was recovered from what was left of it."
            case nil: nil
            }
        case .zoneOffsetChanged(let event):
            "The zone changed from UTC\(TimeText.offset(event.fromMinutes)) to "
                + "UTC\(TimeText.offset(event.toMinutes))."
        case .clockStepped(let event):
            "The clock was set \(event.stepMilliseconds < 0 ? "back" : "forward") by "
                + "\(TimeText.duration(event.stepMilliseconds.magnitude))."
        case .intakeOverflowed(let event):
            "\(capitalized(counted(event.lostEvents, "input"))) came too fast and "
                + "\(event.lostEvents == 1 ? "was" : "were") lost."
        case .profileChanged: "The profile was changed; earlier walks keep the one they had."
        case .walkerDescribed: "The walker's details were changed."
        case .preferencesChanged: "Units, alerts, automatic laps or automatic pauses were changed."
        case .importBegan(let event):
            "An import of \(quoted(event.fileName, limit: 200)) began."
        case .importEnded(let event):
            "An import ended with \(counted(event.importedEvents, "event"))."
        case .noted(let event): "Noted: \(printable(event.text, limit: 300))"
        default: nil
        }
    }

    private func linkSentence(_ name: (DeviceID) -> String) -> String? {
        switch self {
        case .adapterStateChanged(let event):
            (event.state.known ?? .unknown).words(event.cause.known) + "."
        case .deviceSeen(let event): "\(title(event.device, event.name)) is in range."
        case .devicePaired(let event): "\(title(event.device, event.name)) was paired."
        case .deviceForgotten(let event): "\(name(event.device)) was forgotten."
        case .primaryChosen(let event):
            event.device.map {
                "\(name($0)) is the \(inWords(event.role.name)) device that counts."
            }
                ?? "No device counts as \(inWords(event.role.name))."
        case .linkUp(let event): "\(name(event.device)) is connected."
        case .linkLost(let event):
            "\(name(event.device)) is no longer connected"
                + (event.cause.known?.words.map { " (\($0))" } ?? "") + "."
        case .subscribed(let event): "\(name(event.device)) is now sending its values."
        case .connectFailed(let event):
            "\(name(event.device)) could not be connected: "
                + "\(printable(event.message, limit: 200))."
        case .deliveryMultiplied(let event): event.sentence(naming: name)
        case .pedometerChosen(let event):
            event.device.map { "Steps now come from \(name($0))." }
                ?? "Steps no longer come from a pedometer."
        case .contactChosen(let event):
            "\(name(event.device))’s skin-contact reports are "
                + (event.ignored ? "ignored." : "used.")
        default: nil
        }
    }

    private var stepsSentence: String? {
        switch self {
        case .healthTotalObserved(let event):
            "\(counted(event.total, "step")) of \(event.date.dayAndMonth) reported"
                + "\(event.reporter.map { " by \($0.words)" } ?? "")."
        case .reconciliationTriggered(let event):
            "\(event.trigger.title): the steps of \(event.date.dayAndMonth) were worked out"
                + (event.healthTotal.map { ", with a total of \(grouped($0))" } ?? "") + "."
        case .legacyValueImported(let event):
            "An earlier program showed \(counted(event.total, "step")) on "
                + "\(event.date.dayAndMonth)."
        case .stepsCorrected(let event):
            "\(event.date.dayAndMonth) was corrected by \(signed(event.correction)): "
                + "\(quoted(event.reason, limit: 200))."
        case .stepSampleObserved(let event):
            "\(quoted(event.origin)) reported \(counted(event.steps, "step")) for a few minutes."
        case .setAsideTaken(let event):
            "\(counted(event.steps, "step")) of \(event.date.dayAndMonth) that had been set aside "
                + "were taken in: \(quoted(event.reason, limit: 200))."
        case .dayClosed(let event):
            "Day closed: \(event.date.dayAndMonth), \(counted(event.displayed, "step"))."
        case .dayRecorded(let event):
            "Day kept: \(event.date.dayAndMonth), \(counted(event.displayed, "step"))."
        case .pedometerRead(let event):
            if case .counter(let count) = event.reading {
                "The pedometer stood at \(grouped(count))."
            } else {
                nil
            }
        default: nil
        }
    }

    private func sessionSentence(
        _ units: Units, _ name: (DeviceID) -> String
    ) -> String? {
        switch self {
        case .goalReached(let goal): goal.reachedSentence(units)
        case .turnAroundReached(let goal): goal.turnSentence(units)
        case .deviceExcluded(let event):
            "The values of \(name(event.device)) "
                + "\(event.excluded ? "were left out of" : "count in") the walk at "
                + "\(grouped(event.session))."
        case .sessionDescribed(let event):
            "The details of the walk at \(grouped(event.session)) were edited."
        default: walkSentence(units)
        }
    }

    private func title(_ device: DeviceID, _ name: String?) -> String {
        named(name).map { "\($0) (\(device))" } ?? "\(device)"
    }
}

extension AdapterState {
    /// How Bluetooth is, as people call it.
    ///
    /// - Parameter cause: What has made it so.
    /// - Returns: A sentence without its full stop.
    func words(_ cause: AdapterCause?) -> String {
        switch (self, cause) {
        case (.poweredOn, .switched): "Bluetooth was switched on"
        case (.poweredOn, _): "Bluetooth is ready"
        case (.poweredOff, _): "Bluetooth is switched off"
        case (.resetting, .adapterGone), (.unsupported, .adapterGone):
            "The Bluetooth adapter was removed"
        case (.resetting, .busClosed): "The system bus is gone"
        case (.resetting, _): "The Bluetooth daemon is not running"
        case (.unsupported, _): "This machine has no Bluetooth"
        case (.unauthorized, _): "The bus denies access to Bluetooth"
        case (.unknown, _): "The state of Bluetooth is not known"
        }
    }
}

extension LinkLossCause {
    /// Why a link ended; nil where that is not known.
    var words: String? {
        switch self {
        case .unknown: nil
        case .remote: "the device ended it"
        case .requested: "Pulselog ended it"
        case .adapterLost: "Bluetooth was switched off, or its adapter removed"
        case .daemonLost: "Bluetooth could not be reached"
        case .timeout: "out of range"
        case .authentication: "its key does not fit"
        case .suspended: "the machine slept"
        }
    }
}

extension DeliveryMultiplied {
    /// What has become of the values of a strap to which others listen, or have listened.
    ///
    /// - Parameter name: Gives what a device is called.
    /// - Returns: A sentence.
    func sentence(naming name: (DeviceID) -> String) -> String {
        guard factor > 1 else {
            return "The other program is gone: every value of \(name(device)) arrives once."
        }
        let times = factor == 2 ? "twice" : "\(factor) times"
        return "Another program is also subscribed: every value of \(name(device)) arrives "
            + "\(times), and is counted once."
    }
}

extension LogState {
    /// What devices are called that have a name, harmless on a page.
    package var deviceNames: [DeviceID: String] {
        var names: [DeviceID: String] = [:]
        // What the walker's own devices are called now comes last.
        for device in sources.reversed().flatMap(\.devices.all) {
            if let name = named(device.name) { names[device.id] = printable(name, limit: 256) }
        }
        return names
    }
}
