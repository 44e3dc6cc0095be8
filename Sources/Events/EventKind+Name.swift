extension EventKind {
    /// The kinds that this version knows, each with its name, in the order of their numbers.
    ///
    /// The one place that names kinds; the names are those of <doc:RecordFormat>.
    private static let named: [(kind: EventKind, name: String)] = [
        (.recorderStarted, "recorderStarted"),
        (.recorderStopped, "recorderStopped"),
        (.zoneOffsetChanged, "zoneOffsetChanged"),
        (.clockStepped, "clockStepped"),
        (.intakeOverflowed, "intakeOverflowed"),
        (.profileChanged, "profileChanged"),
        (.importBegan, "importBegan"),
        (.importEnded, "importEnded"),
        (.noted, "noted"),
        (.bootBegan, "bootBegan"),
        (.originBegan, "originBegan"),

        (.adapterStateChanged, "adapterStateChanged"),
        (.deviceSeen, "deviceSeen"),
        (.devicePaired, "devicePaired"),
        (.deviceForgotten, "deviceForgotten"),
        (.primaryChosen, "primaryChosen"),
        (.linkUp, "linkUp"),
        (.linkLost, "linkLost"),
        (.subscribed, "subscribed"),
        (.deliveryMultiplied, "deliveryMultiplied"),
        (.connectFailed, "connectFailed"),

        (.characteristicNotified, "characteristicNotified"),
        (.characteristicRead, "characteristicRead"),
        (.valueCut, "valueCut"),

        (.pedometerRead, "pedometerRead"),
        (.healthTotalObserved, "healthTotalObserved"),
        (.reconciliationTriggered, "reconciliationTriggered"),
        (.legacyValueImported, "legacyValueImported"),
        (.stepsCorrected, "stepsCorrected"),
        (.pedometerChosen, "pedometerChosen"),
        (.pedometerValueCut, "pedometerValueCut"),
        (.stepSampleObserved, "stepSampleObserved"),

        (.sessionStarted, "sessionStarted"),
        (.sessionPaused, "sessionPaused"),
        (.sessionResumed, "sessionResumed"),
        (.sessionEnded, "sessionEnded"),
        (.sessionMarked, "sessionMarked"),
        (.goalReached, "goalReached"),
        (.turnAroundReached, "turnAroundReached"),

        (.positionFixed, "positionFixed"),

        (.dayClosed, "dayClosed"),
    ]

    /// The name of each number, nil where this version knows none.
    private static let namesByNumber: [String?] = {
        var names = [String?](repeating: nil, count: 256)
        for (kind, name) in named { names[Int(kind.rawValue)] = name }
        return names
    }()

    /// The kinds that this version knows, in the order of their numbers.
    public static let known: [EventKind] = named.map(\.kind)

    /// The name in the record format, or nil for a number that this version does not know.
    public var name: String? { EventKind.namesByNumber[Int(rawValue)] }

    /// Makes the kind of a name, or nil if this version does not know it.
    ///
    /// - Parameter name: The name, compared byte by byte.
    public init?(name: String) {
        let match = EventKind.named.first {
            $0.name.utf8.count == name.utf8.count && $0.name.utf8.elementsEqual(name.utf8)
        }
        guard let match else { return nil }
        self = match.kind
    }
}
