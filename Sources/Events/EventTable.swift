// The table of kinds: what belongs to one of them stands with its payload, and here, once in each
// of three lists. The compiler holds the second against the first, the tests the third against the
// names of the kinds.

/// A fact that was recorded: what arrived, in the past tense, as it came.
///
/// Kinds, numbers and layouts: <doc:RecordFormat>.
public enum Event: Hashable, Sendable {
    case recorderStarted(RecorderStarted)
    case recorderStopped(RecorderStopped)
    case zoneOffsetChanged(ZoneOffsetChanged)
    case clockStepped(ClockStepped)
    case intakeOverflowed(IntakeOverflowed)
    case profileChanged(ProfileChanged)
    case importBegan(ImportBegan)
    case importEnded(ImportEnded)
    case noted(Noted)
    case bootBegan(BootBegan)
    case originBegan(OriginBegan)
    case walkerDescribed(WalkerDescribed)
    case preferencesChanged(PreferencesChanged)

    case adapterStateChanged(AdapterStateChanged)
    case deviceSeen(DeviceSeen)
    case devicePaired(DevicePaired)
    case deviceForgotten(DeviceForgotten)
    case primaryChosen(PrimaryChosen)
    case linkUp(LinkUp)
    case linkLost(LinkLost)
    case subscribed(Subscribed)
    case deliveryMultiplied(DeliveryMultiplied)
    case connectFailed(ConnectFailed)
    case contactChosen(ContactChosen)

    case characteristicNotified(CharacteristicNotified)
    case characteristicRead(CharacteristicRead)
    case valueCut(ValueCut)

    case pedometerRead(PedometerRead)
    case healthTotalObserved(HealthTotalObserved)
    case reconciliationTriggered(ReconciliationTriggered)
    case legacyValueImported(LegacyValueImported)
    case stepsCorrected(StepsCorrected)
    case pedometerChosen(PedometerChosen)
    case pedometerValueCut(PedometerValueCut)
    case stepSampleObserved(StepSampleObserved)
    case setAsideTaken(SetAsideTaken)

    case sessionStarted(SessionStarted)
    case sessionPaused(SessionPaused)
    case sessionResumed(SessionResumed)
    case sessionEnded(SessionEnded)
    case sessionMarked(SessionMarked)
    case goalReached(GoalReached)
    case turnAroundReached(TurnAroundReached)
    case deviceExcluded(DeviceExcluded)
    case sessionDescribed(SessionDescribed)
    case lapMarked(LapMarked)
    case standstillBegan(StandstillBegan)
    case standstillEnded(StandstillEnded)

    case positionFixed(PositionFixed)
    case heightErrorTold(HeightErrorTold)
    case positionSourceTold(PositionSourceTold)

    case dayClosed(DayClosed)
    case dayRecorded(DayRecorded)

    /// An event of a kind or version that this program does not know, or whose payload cannot be
    /// decoded. It is kept as it is.
    case unknown(UnknownEvent)
}

extension Event {
    /// Passes the fields of a known event's payload to a coder.
    ///
    /// - Throws: ``FieldError`` naming the field that the coder refuses.
    public func writeFields(to coder: inout some FieldCoder) throws(FieldError) {
        switch self {
        case .recorderStarted(let payload): try coder.payload(payload, .recorderStarted)
        case .recorderStopped(let payload): try coder.payload(payload, .recorderStopped)
        case .zoneOffsetChanged(let payload): try coder.payload(payload, .zoneOffsetChanged)
        case .clockStepped(let payload): try coder.payload(payload, .clockStepped)
        case .intakeOverflowed(let payload): try coder.payload(payload, .intakeOverflowed)
        case .profileChanged(let payload): try coder.payload(payload, .profileChanged)
        case .importBegan(let payload): try coder.payload(payload, .importBegan)
        case .importEnded(let payload): try coder.payload(payload, .importEnded)
        case .noted(let payload): try coder.payload(payload, .noted)
        case .bootBegan(let payload): try coder.payload(payload, .bootBegan)
        case .originBegan(let payload): try coder.payload(payload, .originBegan)
        case .walkerDescribed(let payload): try coder.payload(payload, .walkerDescribed)
        case .preferencesChanged(let payload): try coder.payload(payload, .preferencesChanged)
        case .adapterStateChanged(let payload): try coder.payload(payload, .adapterStateChanged)
        case .deviceSeen(let payload): try coder.payload(payload, .deviceSeen)
        case .devicePaired(let payload): try coder.payload(payload, .devicePaired)
        case .deviceForgotten(let payload): try coder.payload(payload, .deviceForgotten)
        case .primaryChosen(let payload): try coder.payload(payload, .primaryChosen)
        case .linkUp(let payload): try coder.payload(payload, .linkUp)
        case .linkLost(let payload): try coder.payload(payload, .linkLost)
        case .subscribed(let payload): try coder.payload(payload, .subscribed)
        case .deliveryMultiplied(let payload): try coder.payload(payload, .deliveryMultiplied)
        case .connectFailed(let payload): try coder.payload(payload, .connectFailed)
        case .contactChosen(let payload): try coder.payload(payload, .contactChosen)
        case .characteristicNotified(let payload):
            try coder.payload(payload, .characteristicNotified)
        case .characteristicRead(let payload): try coder.payload(payload, .characteristicRead)
        case .valueCut(let payload): try coder.payload(payload, .valueCut)
        case .pedometerRead(let payload): try coder.payload(payload, .pedometerRead)
        case .healthTotalObserved(let payload): try coder.payload(payload, .healthTotalObserved)
        case .reconciliationTriggered(let payload):
            try coder.payload(payload, .reconciliationTriggered)
        case .legacyValueImported(let payload): try coder.payload(payload, .legacyValueImported)
        case .stepsCorrected(let payload): try coder.payload(payload, .stepsCorrected)
        case .pedometerChosen(let payload): try coder.payload(payload, .pedometerChosen)
        case .pedometerValueCut(let payload): try coder.payload(payload, .pedometerValueCut)
        case .stepSampleObserved(let payload): try coder.payload(payload, .stepSampleObserved)
        case .setAsideTaken(let payload): try coder.payload(payload, .setAsideTaken)
        case .sessionStarted(let payload): try coder.payload(payload, .sessionStarted)
        case .sessionPaused(let payload): try coder.payload(payload, .sessionPaused)
        case .sessionResumed(let payload): try coder.payload(payload, .sessionResumed)
        case .sessionEnded(let payload): try coder.payload(payload, .sessionEnded)
        case .sessionMarked(let payload): try coder.payload(payload, .sessionMarked)
        case .goalReached(let payload): try coder.payload(payload, .goalReached)
        case .turnAroundReached(let payload): try coder.payload(payload, .turnAroundReached)
        case .deviceExcluded(let payload): try coder.payload(payload, .deviceExcluded)
        case .sessionDescribed(let payload): try coder.payload(payload, .sessionDescribed)
        case .lapMarked(let payload): try coder.payload(payload, .lapMarked)
        case .standstillBegan(let payload): try coder.payload(payload, .standstillBegan)
        case .standstillEnded(let payload): try coder.payload(payload, .standstillEnded)
        case .positionFixed(let payload): try coder.payload(payload, .positionFixed)
        case .heightErrorTold(let payload): try coder.payload(payload, .heightErrorTold)
        case .positionSourceTold(let payload): try coder.payload(payload, .positionSourceTold)
        case .dayClosed(let payload): try coder.payload(payload, .dayClosed)
        case .dayRecorded(let payload): try coder.payload(payload, .dayRecorded)
        case .unknown: break
        }
    }

    /// Reads the fields of a known kind from a coder; nil for an unknown kind.
    ///
    /// - Throws: ``FieldError`` naming the field that cannot be read.
    @inlinable
    public init?(kind: EventKind, fields coder: inout some FieldCoder) throws(FieldError) {
        switch kind {
        case .recorderStarted: self = .recorderStarted(try coder.read(RecorderStarted()))
        case .recorderStopped: self = .recorderStopped(try coder.read(RecorderStopped()))
        case .zoneOffsetChanged: self = .zoneOffsetChanged(try coder.read(ZoneOffsetChanged()))
        case .clockStepped: self = .clockStepped(try coder.read(ClockStepped()))
        case .intakeOverflowed: self = .intakeOverflowed(try coder.read(IntakeOverflowed()))
        case .profileChanged: self = .profileChanged(try coder.read(ProfileChanged()))
        case .importBegan: self = .importBegan(try coder.read(ImportBegan()))
        case .importEnded: self = .importEnded(try coder.read(ImportEnded()))
        case .noted: self = .noted(try coder.read(Noted()))
        case .bootBegan: self = .bootBegan(try coder.read(BootBegan()))
        case .originBegan: self = .originBegan(try coder.read(OriginBegan()))
        case .walkerDescribed: self = .walkerDescribed(try coder.read(WalkerDescribed()))
        case .preferencesChanged:
            self = .preferencesChanged(try coder.read(PreferencesChanged()))

        case .adapterStateChanged:
            self = .adapterStateChanged(try coder.read(AdapterStateChanged()))
        case .deviceSeen: self = .deviceSeen(try coder.read(DeviceSeen()))
        case .devicePaired: self = .devicePaired(try coder.read(DevicePaired()))
        case .deviceForgotten: self = .deviceForgotten(try coder.read(DeviceForgotten()))
        case .primaryChosen: self = .primaryChosen(try coder.read(PrimaryChosen()))
        case .linkUp: self = .linkUp(try coder.read(LinkUp()))
        case .linkLost: self = .linkLost(try coder.read(LinkLost()))
        case .subscribed: self = .subscribed(try coder.read(Subscribed()))
        case .deliveryMultiplied: self = .deliveryMultiplied(try coder.read(DeliveryMultiplied()))
        case .connectFailed: self = .connectFailed(try coder.read(ConnectFailed()))
        case .contactChosen: self = .contactChosen(try coder.read(ContactChosen()))

        case .characteristicNotified:
            self = .characteristicNotified(try coder.read(CharacteristicNotified()))
        case .characteristicRead: self = .characteristicRead(try coder.read(CharacteristicRead()))
        case .valueCut: self = .valueCut(try coder.read(ValueCut()))

        case .pedometerRead: self = .pedometerRead(try coder.read(PedometerRead()))
        case .healthTotalObserved:
            self = .healthTotalObserved(try coder.read(HealthTotalObserved()))
        case .reconciliationTriggered:
            self = .reconciliationTriggered(try coder.read(ReconciliationTriggered()))
        case .legacyValueImported:
            self = .legacyValueImported(try coder.read(LegacyValueImported()))
        case .stepsCorrected: self = .stepsCorrected(try coder.read(StepsCorrected()))
        case .pedometerChosen: self = .pedometerChosen(try coder.read(PedometerChosen()))
        case .pedometerValueCut: self = .pedometerValueCut(try coder.read(PedometerValueCut()))
        case .stepSampleObserved: self = .stepSampleObserved(try coder.read(StepSampleObserved()))
        case .setAsideTaken: self = .setAsideTaken(try coder.read(SetAsideTaken()))

        case .sessionStarted: self = .sessionStarted(try coder.read(SessionStarted()))
        case .sessionPaused: self = .sessionPaused(try coder.read(SessionPaused()))
        case .sessionResumed: self = .sessionResumed(try coder.read(SessionResumed()))
        case .sessionEnded: self = .sessionEnded(try coder.read(SessionEnded()))
        case .sessionMarked: self = .sessionMarked(try coder.read(SessionMarked()))
        case .goalReached: self = .goalReached(try coder.read(GoalReached()))
        case .turnAroundReached: self = .turnAroundReached(try coder.read(TurnAroundReached()))
        case .deviceExcluded: self = .deviceExcluded(try coder.read(DeviceExcluded()))
        case .sessionDescribed: self = .sessionDescribed(try coder.read(SessionDescribed()))
        case .lapMarked: self = .lapMarked(try coder.read(LapMarked()))
        case .standstillBegan: self = .standstillBegan(try coder.read(StandstillBegan()))
        case .standstillEnded: self = .standstillEnded(try coder.read(StandstillEnded()))

        case .positionFixed: self = .positionFixed(try coder.read(PositionFixed()))
        case .heightErrorTold: self = .heightErrorTold(try coder.read(HeightErrorTold()))
        case .positionSourceTold:
            self = .positionSourceTold(try coder.read(PositionSourceTold()))

        case .dayClosed: self = .dayClosed(try coder.read(DayClosed()))
        case .dayRecorded: self = .dayRecorded(try coder.read(DayRecorded()))

        default: return nil
        }
    }
}
