/// How the walker wants figures to be shown and walks to be recorded: all of it is said anew.
///
/// No figure of the past follows from it.
public typealias PreferencesChanged = Preferences

/// What the walker wants; nothing is required.
public struct Preferences: EventPayload {
    /// The heart rates that can be asked to be told of, in BPM.
    public static let alertsBPM: ClosedRange<UInt64> = 30...250
    /// The lengths that a lap can have by itself, in millimetres.
    public static let autoLaps: ClosedRange<UInt64> = 100_000...100_000_000

    /// In which unit lengths are read; stored ones are millimetres.
    public var lengthUnit = OpenCode(LengthUnit.kilometres)
    /// In which unit weights are read; stored ones are grams.
    public var massUnit = OpenCode(MassUnit.kilograms)
    /// The heart rate above which the walker wants to be told, or nil.
    public var alertAboveBPM: UInt64?
    /// The heart rate below which the walker wants to be told, or nil.
    public var alertBelowBPM: UInt64?
    /// After how many millimetres a new lap begins by itself, or nil.
    public var autoLapMillimetres: UInt64?
    /// Whether a walk pauses by itself where the walker stands still.
    public var autoPause = false

    /// What nobody has changed yet.
    public init() {}

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.openCode("lengthUnit", &lengthUnit)
        try coder.openCode("massUnit", &massUnit)
        try coder.optionalUnsigned("alertAboveBPM", &alertAboveBPM, in: Self.alertsBPM)
        try coder.optionalUnsigned("alertBelowBPM", &alertBelowBPM, in: Self.alertsBPM)
        try coder.optionalUnsigned("autoLapMillimetres", &autoLapMillimetres, in: Self.autoLaps)
        try coder.flag("autoPause", &autoPause)
    }
}

/// Units of length that people read.
public enum LengthUnit: UInt8, CodedName {
    /// Kilometres; heights are in metres and centimetres.
    case kilometres = 0
    /// Miles; heights are in feet and inches.
    case miles = 1

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["kilometres", "miles"]
}

/// Units of mass that people read.
public enum MassUnit: UInt8, CodedName {
    /// Kilograms.
    case kilograms = 0
    /// Pounds.
    case pounds = 1

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["kilograms", "pounds"]
}

extension EventKind {
    /// The number of ``PreferencesChanged``.
    @inlinable public static var preferencesChanged: EventKind { EventKind(rawValue: 0x0D) }

    /// Whether it is about the walker and not about one source: all of them know it.
    @inlinable public var isOfWalker: Bool {
        self == .profileChanged || self == .walkerDescribed || self == .preferencesChanged
    }
}
