/// The payload of one kind of event.
public protocol EventPayload: Hashable, Sendable {
    /// The kind whose payload this is.
    static var kind: EventKind { get }
    /// Passes every field, in the order of the record format, to a coder that writes or reads it.
    mutating func code(_ coder: inout some FieldCoder) throws(FieldError)
}

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

    case sessionStarted(SessionStarted)
    case sessionPaused(SessionPaused)
    case sessionResumed(SessionResumed)
    case sessionEnded(SessionEnded)
    case sessionMarked(SessionMarked)
    case goalReached(GoalReached)
    case turnAroundReached(TurnAroundReached)

    case positionFixed(PositionFixed)

    case dayClosed(DayClosed)

    /// An event of a kind or version that this program does not know, or whose payload cannot be
    /// decoded. It is kept as it is.
    case unknown(UnknownEvent)
}

/// An event that is carried along unread.
public struct UnknownEvent: Hashable, Sendable {
    /// The kind's number.
    public var kind: EventKind
    /// The version of the payload's layout.
    public var version: UInt16
    /// The payload as it stands in the log, at most ``EventLimit/payloadBytes``.
    public var payload: [UInt8]

    /// Makes an unread event.
    public init(kind: EventKind, version: UInt16, payload: [UInt8]) {
        self.kind = kind
        self.version = version
        self.payload = payload
    }
}

/// The sizes that no event exceeds.
public enum EventLimit {
    /// The most bytes of a payload.
    @inlinable public static var payloadBytes: Int { 2_048 }
    /// The most bytes of a characteristic's value: Bluetooth Core 5.4, Vol 3, Part F, 3.2.9.
    @inlinable public static var valueBytes: Int { 512 }
    /// The most bytes of UTF-8 in a device's name or a free text.
    @inlinable public static var nameBytes: Int { 1_024 }
}

extension Event {
    /// The payload, or nil for an unknown event.
    public var payload: (any EventPayload)? {
        switch self {
        case .recorderStarted(let payload): payload
        case .recorderStopped(let payload): payload
        case .zoneOffsetChanged(let payload): payload
        case .clockStepped(let payload): payload
        case .intakeOverflowed(let payload): payload
        case .profileChanged(let payload): payload
        case .importBegan(let payload): payload
        case .importEnded(let payload): payload
        case .noted(let payload): payload
        case .bootBegan(let payload): payload
        case .originBegan(let payload): payload
        case .adapterStateChanged(let payload): payload
        case .deviceSeen(let payload): payload
        case .devicePaired(let payload): payload
        case .deviceForgotten(let payload): payload
        case .primaryChosen(let payload): payload
        case .linkUp(let payload): payload
        case .linkLost(let payload): payload
        case .subscribed(let payload): payload
        case .deliveryMultiplied(let payload): payload
        case .connectFailed(let payload): payload
        case .characteristicNotified(let payload): payload
        case .characteristicRead(let payload): payload
        case .valueCut(let payload): payload
        case .pedometerRead(let payload): payload
        case .healthTotalObserved(let payload): payload
        case .reconciliationTriggered(let payload): payload
        case .legacyValueImported(let payload): payload
        case .stepsCorrected(let payload): payload
        case .pedometerChosen(let payload): payload
        case .pedometerValueCut(let payload): payload
        case .stepSampleObserved(let payload): payload
        case .sessionStarted(let payload): payload
        case .sessionPaused(let payload): payload
        case .sessionResumed(let payload): payload
        case .sessionEnded(let payload): payload
        case .sessionMarked(let payload): payload
        case .goalReached(let payload): payload
        case .turnAroundReached(let payload): payload
        case .positionFixed(let payload): payload
        case .dayClosed(let payload): payload
        case .unknown: nil
        }
    }

    /// The kind's number.
    public var kind: EventKind {
        if case .unknown(let unknown) = self { return unknown.kind }
        return payload.map { type(of: $0).kind } ?? EventKind(rawValue: 0)
    }

    /// The version that this program writes: 1 for every kind it knows.
    public var version: UInt16 {
        if case .unknown(let unknown) = self { return unknown.version }
        return 1
    }

    /// The payload's canonical bytes.
    ///
    /// - Throws: ``FieldError`` if a field is outside of its limits.
    public func encodedPayload() throws(FieldError) -> [UInt8] {
        if case .unknown(let unknown) = self {
            guard unknown.payload.count <= EventLimit.payloadBytes else {
                throw FieldError(.wrongLength, field: "payload")
            }
            return unknown.payload
        }
        var writer = PayloadWriter()
        try writeFields(to: &writer)
        return writer.bytes
    }

    /// Passes the fields of a known event's payload to a coder.
    public func writeFields(to coder: inout some FieldCoder) throws(FieldError) {
        guard var payload else { return }
        try payload.code(&coder)
    }

    /// Reads an event from its envelope's kind and version and the payload's bytes; total.
    ///
    /// What cannot be decoded becomes ``unknown(_:)`` with the same bytes.
    public init(kind: EventKind, version: UInt16, payload: Span<UInt8>) {
        do {
            self = try Event(decoding: kind, version: version, payload: payload)
        } catch {
            self = .unknown(
                UnknownEvent(kind: kind, version: version, payload: [UInt8](copying: payload)))
        }
    }

    /// Reads an event of a known kind and version.
    ///
    /// - Throws: ``FieldError`` naming the field that cannot be read; `mismatch` of `kind` if
    ///   this program does not know the kind or the version.
    public init(
        decoding kind: EventKind, version: UInt16, payload: Span<UInt8>
    ) throws(FieldError) {
        guard version == 1 else { throw FieldError(.mismatch, field: "version") }
        var reader = PayloadReader(payload)
        guard let event = try Event(kind: kind, fields: &reader) else {
            throw FieldError(.mismatch, field: "kind")
        }
        try reader.finish()
        self = event
    }

    /// Reads the fields of a known kind from a coder, or gives nil for an unknown kind.
    ///
    /// - Throws: ``FieldError`` naming the field that cannot be read.
    @inlinable
    public init?(kind: EventKind, fields coder: inout some FieldCoder) throws(FieldError) {
        switch kind.lane {
        case .control, .link, .heart: try self.init(equipmentKind: kind, fields: &coder)
        case .steps, .session, .place, .day: try self.init(walkKind: kind, fields: &coder)
        case nil: return nil
        }
    }

    /// Reads a kind of the lanes of the recorder and its devices.
    @inlinable
    init?(
        equipmentKind kind: EventKind, fields coder: inout some FieldCoder
    ) throws(FieldError) {
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
        case .characteristicNotified:
            self = .characteristicNotified(try coder.read(CharacteristicNotified()))
        case .characteristicRead: self = .characteristicRead(try coder.read(CharacteristicRead()))
        case .valueCut: self = .valueCut(try coder.read(ValueCut()))
        default: return nil
        }
    }

    /// Reads a kind of the lanes of the walk.
    @inlinable
    init?(
        walkKind kind: EventKind, fields coder: inout some FieldCoder
    ) throws(FieldError) {
        switch kind {
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
        case .stepSampleObserved:
            self = .stepSampleObserved(try coder.read(StepSampleObserved()))
        case .sessionStarted: self = .sessionStarted(try coder.read(SessionStarted()))
        case .sessionPaused: self = .sessionPaused(try coder.read(SessionPaused()))
        case .sessionResumed: self = .sessionResumed(try coder.read(SessionResumed()))
        case .sessionEnded: self = .sessionEnded(try coder.read(SessionEnded()))
        case .sessionMarked: self = .sessionMarked(try coder.read(SessionMarked()))
        case .goalReached: self = .goalReached(try coder.read(GoalReached()))
        case .turnAroundReached: self = .turnAroundReached(try coder.read(TurnAroundReached()))
        case .positionFixed: self = .positionFixed(try coder.read(PositionFixed()))
        case .dayClosed: self = .dayClosed(try coder.read(DayClosed()))
        default: return nil
        }
    }
}

extension FieldCoder {
    /// Codes a payload from a blank one, for reading.
    @inlinable
    mutating func read<Payload: EventPayload>(_ blank: Payload) throws(FieldError) -> Payload {
        var payload = blank
        try payload.code(&self)
        return payload
    }
}
