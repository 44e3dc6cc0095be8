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
        case .adapterStateChanged(let event): event.sentence
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
            "\(name(event.device)) is no longer connected\(event.cause.known?.words ?? "")."
        case .subscribed(let event): "\(name(event.device)) is now sending its values."
        case .connectFailed(let event):
            "\(name(event.device)) could not be connected: "
                + "\(printable(event.message, limit: 200))."
        case .deliveryMultiplied(let event):
            "Each value of \(name(event.device)) comes "
                + "\(counted(event.factor, "time")); it counts once."
        case .pedometerChosen(let event):
            (event.device.map(name) ?? "No pedometer") + " counts the steps."
        case .contactChosen(let event):
            "What \(name(event.device)) says of skin contact "
                + (event.ignored ? "is ignored." : "counts.")
        default: nil
        }
    }

    private var stepsSentence: String? {
        switch self {
        case .healthTotalObserved(let event):
            "\(counted(event.total, "step")) of \(event.date.dayAndMonth) reported"
                + "\(event.reporter.map { " by \($0.words)" } ?? "")."
        case .reconciliationTriggered(let event):
            "The steps of \(event.date.dayAndMonth) were worked out: "
                + "\(inWords(event.trigger.name))"
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

extension AdapterStateChanged {
    /// What became of Bluetooth, as people call it.
    fileprivate var sentence: String {
        switch (state.known, cause.known) {
        case (.poweredOn, .switched): "Bluetooth was switched on."
        case (.poweredOn, _): "Bluetooth is ready."
        case (.poweredOff, _): "Bluetooth was switched off."
        case (.resetting, .adapterGone), (.unsupported, .adapterGone):
            "The Bluetooth adapter was removed."
        case (.resetting, .busClosed): "Bluetooth could not be reached: the system bus was gone."
        case (.resetting, _): "Bluetooth could not be reached: its daemon was not running."
        case (.unsupported, _): "No Bluetooth adapter was found."
        case (.unauthorized, _): "Access to Bluetooth was denied."
        case (.unknown, _), (nil, _): "The state of Bluetooth was not known."
        }
    }
}

extension LinkLossCause {
    /// Why a link ended, after what says that it did; nothing where that is not known.
    fileprivate var words: String {
        switch self {
        case .unknown: ""
        case .remote: ": it ended the connection"
        case .requested: ": Pulselog ended the connection"
        case .adapterLost: ": Bluetooth was switched off, or its adapter removed"
        case .daemonLost: ": Bluetooth could not be reached"
        case .timeout: ": it was out of range"
        case .authentication: ": its key did not fit"
        case .suspended: ": the machine slept"
        }
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
