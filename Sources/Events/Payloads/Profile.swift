/// What is known of the walker; part of the events that set it.
public struct Profile: EventPayload {
    /// Height, or nil if not given.
    ///
    /// Without it there is no distance by stride.
    public var heightMillimetres: UInt64?
    /// Weight, or nil if not given.
    ///
    /// 70 kg is assumed then.
    public var weightGrams: UInt64?
    /// Steps to walk each day, or nil.
    public var dailyGoalSteps: UInt64?
    /// Highest heart rate, for zones in percent.
    public var maximumHeartRateBPM: UInt64?
    /// Resting heart rate, for zones by heart-rate reserve.
    public var restingHeartRateBPM: UInt64?
    /// How heart-rate zones are bounded.
    public var zones: ZoneScheme
    /// Lower bounds of moderate, vigorous and maximum, rising, in BPM or percent; empty for
    /// ``ZoneScheme/standard``, else three.
    public var zoneLimits: [UInt64]
    /// Steps for one count of a foot pod's cadence: 1 or 2.
    public var stepsPerCadenceCount: UInt8

    /// Makes a profile; without an argument the one of a walker who told nothing.
    public init(
        heightMillimetres: UInt64? = nil, weightGrams: UInt64? = nil,
        dailyGoalSteps: UInt64? = nil, maximumHeartRateBPM: UInt64? = nil,
        restingHeartRateBPM: UInt64? = nil, zones: ZoneScheme = .standard,
        zoneLimits: [UInt64] = [], stepsPerCadenceCount: UInt8 = 1
    ) {
        (self.heightMillimetres, self.weightGrams) = (heightMillimetres, weightGrams)
        (self.dailyGoalSteps, self.maximumHeartRateBPM) = (dailyGoalSteps, maximumHeartRateBPM)
        (self.restingHeartRateBPM, self.zones) = (restingHeartRateBPM, zones)
        (self.zoneLimits, self.stepsPerCadenceCount) = (zoneLimits, stepsPerCadenceCount)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.optionalUnsigned("heightMillimetres", &heightMillimetres)
        try coder.optionalUnsigned("weightGrams", &weightGrams)
        try coder.optionalUnsigned("dailyGoalSteps", &dailyGoalSteps)
        try coder.optionalUnsigned("maximumHeartRateBPM", &maximumHeartRateBPM)
        try coder.optionalUnsigned("restingHeartRateBPM", &restingHeartRateBPM)
        try coder.code("zones", &zones)
        if zones == .standard {
            zoneLimits = []
        } else {
            // What a reader reads into, and what no writer gets past the check below.
            if zoneLimits.count != 3 { zoneLimits = [0, 0, 0] }
            try coder.unsigned("moderateFrom", &zoneLimits[0], in: 0...65_535)
            try coder.unsigned("vigorousFrom", &zoneLimits[1], in: 0...65_535)
            try coder.unsigned("maximumFrom", &zoneLimits[2], in: 0...65_535)
            guard zoneLimits[0] < zoneLimits[1], zoneLimits[1] < zoneLimits[2] else {
                throw FieldError(.outOfRange, field: "zoneLimits")
            }
        }
        try coder.byte("stepsPerCadenceCount", &stepsPerCadenceCount, in: 1...2)
    }
}

/// How heart-rate zones are bounded.
public enum ZoneScheme: UInt8, CodedName {
    /// Moderate from 100, vigorous from 140, maximum from 180 BPM.
    case standard = 0
    /// Own limits in BPM.
    case limits = 1
    /// Percent of the maximum heart rate.
    case percentOfMaximum = 2
    /// Percent of the reserve between resting and maximum heart rate.
    case heartRateReserve = 3

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["standard", "limits", "percentOfMaximum", "heartRateReserve"]
}

/// What the walker aims at in a session.
public struct Goal: EventPayload {
    /// What is counted.
    public var kind: GoalKind
    /// Steps, millimetres or milliseconds; 0 for no goal.
    public var target: UInt64

    /// Makes a goal; without an argument none.
    public init(kind: GoalKind = .none, target: UInt64 = 0) {
        (self.kind, self.target) = (kind, target)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.code("goalKind", &kind)
        try coder.unsigned("goalTarget", &target, in: FieldRange.unsigned)
    }
}
