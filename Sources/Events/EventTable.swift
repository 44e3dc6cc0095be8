// The table of kinds: what belongs to one of them stands with its payload, and here, once in each
// of four lists. The compiler holds the second and the third against the first; which kinds are
// known, and their names, follow from the fourth.

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

    case positionFixed(PositionFixed)

    case dayClosed(DayClosed)
    case dayRecorded(DayRecorded)

    /// An event of a kind or version that this program does not know, or whose payload cannot be
    /// decoded. It is kept as it is.
    case unknown(UnknownEvent)
}

extension Event {
    /// The type of the payload, or nil for an unknown event.
    var payloadType: (any EventPayload.Type)? {
        switch self {
        case .recorderStarted: RecorderStarted.self
        case .recorderStopped: RecorderStopped.self
        case .zoneOffsetChanged: ZoneOffsetChanged.self
        case .clockStepped: ClockStepped.self
        case .intakeOverflowed: IntakeOverflowed.self
        case .profileChanged: ProfileChanged.self
        case .importBegan: ImportBegan.self
        case .importEnded: ImportEnded.self
        case .noted: Noted.self
        case .bootBegan: BootBegan.self
        case .originBegan: OriginBegan.self
        case .adapterStateChanged: AdapterStateChanged.self
        case .deviceSeen: DeviceSeen.self
        case .devicePaired: DevicePaired.self
        case .deviceForgotten: DeviceForgotten.self
        case .primaryChosen: PrimaryChosen.self
        case .linkUp: LinkUp.self
        case .linkLost: LinkLost.self
        case .subscribed: Subscribed.self
        case .deliveryMultiplied: DeliveryMultiplied.self
        case .connectFailed: ConnectFailed.self
        case .contactChosen: ContactChosen.self
        case .characteristicNotified: CharacteristicNotified.self
        case .characteristicRead: CharacteristicRead.self
        case .valueCut: ValueCut.self
        case .pedometerRead: PedometerRead.self
        case .healthTotalObserved: HealthTotalObserved.self
        case .reconciliationTriggered: ReconciliationTriggered.self
        case .legacyValueImported: LegacyValueImported.self
        case .stepsCorrected: StepsCorrected.self
        case .pedometerChosen: PedometerChosen.self
        case .pedometerValueCut: PedometerValueCut.self
        case .stepSampleObserved: StepSampleObserved.self
        case .setAsideTaken: SetAsideTaken.self
        case .sessionStarted: SessionStarted.self
        case .sessionPaused: SessionPaused.self
        case .sessionResumed: SessionResumed.self
        case .sessionEnded: SessionEnded.self
        case .sessionMarked: SessionMarked.self
        case .goalReached: GoalReached.self
        case .turnAroundReached: TurnAroundReached.self
        case .positionFixed: PositionFixed.self
        case .dayClosed: DayClosed.self
        case .dayRecorded: DayRecorded.self
        case .unknown: nil
        }
    }

    /// Passes the fields of a known event's payload to a coder.
    ///
    /// - Throws: ``FieldError`` naming the field that the coder refuses.
    public func writeFields(to coder: inout some FieldCoder) throws(FieldError) {
        switch self {
        case .recorderStarted(var payload): try payload.code(&coder)
        case .recorderStopped(var payload): try payload.code(&coder)
        case .zoneOffsetChanged(var payload): try payload.code(&coder)
        case .clockStepped(var payload): try payload.code(&coder)
        case .intakeOverflowed(var payload): try payload.code(&coder)
        case .profileChanged(var payload): try payload.code(&coder)
        case .importBegan(var payload): try payload.code(&coder)
        case .importEnded(var payload): try payload.code(&coder)
        case .noted(var payload): try payload.code(&coder)
        case .bootBegan(var payload): try payload.code(&coder)
        case .originBegan(var payload): try payload.code(&coder)
        case .adapterStateChanged(var payload): try payload.code(&coder)
        case .deviceSeen(var payload): try payload.code(&coder)
        case .devicePaired(var payload): try payload.code(&coder)
        case .deviceForgotten(var payload): try payload.code(&coder)
        case .primaryChosen(var payload): try payload.code(&coder)
        case .linkUp(var payload): try payload.code(&coder)
        case .linkLost(var payload): try payload.code(&coder)
        case .subscribed(var payload): try payload.code(&coder)
        case .deliveryMultiplied(var payload): try payload.code(&coder)
        case .connectFailed(var payload): try payload.code(&coder)
        case .contactChosen(var payload): try payload.code(&coder)
        case .characteristicNotified(var payload): try payload.code(&coder)
        case .characteristicRead(var payload): try payload.code(&coder)
        case .valueCut(var payload): try payload.code(&coder)
        case .pedometerRead(var payload): try payload.code(&coder)
        case .healthTotalObserved(var payload): try payload.code(&coder)
        case .reconciliationTriggered(var payload): try payload.code(&coder)
        case .legacyValueImported(var payload): try payload.code(&coder)
        case .stepsCorrected(var payload): try payload.code(&coder)
        case .pedometerChosen(var payload): try payload.code(&coder)
        case .pedometerValueCut(var payload): try payload.code(&coder)
        case .stepSampleObserved(var payload): try payload.code(&coder)
        case .setAsideTaken(var payload): try payload.code(&coder)
        case .sessionStarted(var payload): try payload.code(&coder)
        case .sessionPaused(var payload): try payload.code(&coder)
        case .sessionResumed(var payload): try payload.code(&coder)
        case .sessionEnded(var payload): try payload.code(&coder)
        case .sessionMarked(var payload): try payload.code(&coder)
        case .goalReached(var payload): try payload.code(&coder)
        case .turnAroundReached(var payload): try payload.code(&coder)
        case .positionFixed(var payload): try payload.code(&coder)
        case .dayClosed(var payload): try payload.code(&coder)
        case .dayRecorded(var payload): try payload.code(&coder)
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

        case .positionFixed: self = .positionFixed(try coder.read(PositionFixed()))

        case .dayClosed: self = .dayClosed(try coder.read(DayClosed()))
        case .dayRecorded: self = .dayRecorded(try coder.read(DayRecorded()))

        default: return nil
        }
    }
}
