extension EventKind {
    /// The names of the record format by lane, from number 1 on.
    private static let names = [
        [
            "recorderStarted", "recorderStopped", "zoneOffsetChanged", "clockStepped",
            "intakeOverflowed", "profileChanged", "importBegan", "importEnded", "noted",
            "bootBegan", "originBegan", "walkerDescribed", "preferencesChanged",
        ],
        [
            "adapterStateChanged", "deviceSeen", "devicePaired", "deviceForgotten", "primaryChosen",
            "linkUp", "linkLost", "subscribed", "deliveryMultiplied", "connectFailed",
            "contactChosen",
        ],
        ["characteristicNotified", "characteristicRead", "valueCut"],
        [
            "pedometerRead", "healthTotalObserved", "reconciliationTriggered",
            "legacyValueImported", "stepsCorrected", "pedometerChosen", "pedometerValueCut",
            "stepSampleObserved", "setAsideTaken",
        ],
        [
            "sessionStarted", "sessionPaused", "sessionResumed", "sessionEnded", "sessionMarked",
            "goalReached", "turnAroundReached", "deviceExcluded", "sessionDescribed", "lapMarked",
            "standstillBegan", "standstillEnded",
        ],
        ["positionFixed", "heightErrorTold", "positionSourceTold"],
        ["dayClosed", "dayRecorded"],
    ]

    /// The kinds that this version knows, in the order of their numbers.
    public static let known: [EventKind] = (UInt8.min...UInt8.max).map(EventKind.init(rawValue:))
        .filter { $0.name != nil }

    /// The name in the record format, or nil for a number that this version does not know.
    public var name: String? {
        guard let lane else { return nil }
        let names = EventKind.names[Int(lane.rawValue)]
        let index = Int(rawValue & 0x1F) - 1
        return names.indices.contains(index) ? names[index] : nil
    }

    /// Makes the kind of a name, or nil if this version does not know it.
    ///
    /// - Parameter name: The name, compared byte by byte.
    public init?(name: String) {
        let match = EventKind.known.first { kind in
            kind.name.map { $0.utf8.elementsEqual(name.utf8) } ?? false
        }
        guard let match else { return nil }
        self = match
    }
}
