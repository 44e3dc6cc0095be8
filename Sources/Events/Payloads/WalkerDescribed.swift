/// What the walker states that is not in the profile; each event replaces all of it.
public typealias WalkerDescribed = Walker

/// What estimates want to know of the walker; nothing is required.
public struct Walker: EventPayload {
    /// The years in which a walker can be born.
    public static let birthYears: ClosedRange<UInt64> = 1_900...2_100

    /// The year of birth, or nil.
    public var birthYear: UInt64?
    /// The sex of which formulas tell two, or nil.
    public var sex: OpenCode<Sex>?

    /// Describes a walker; without an argument nothing is known.
    public init(birthYear: UInt64? = nil, sex: Sex? = nil) {
        self.birthYear = birthYear
        self.sex = sex.map { OpenCode($0) }
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.optionalUnsigned("birthYear", &birthYear, in: Self.birthYears)
        try coder.optional("sex", &sex, initial: OpenCode(.female)) {
            (coder, sex) throws(FieldError) in try coder.openCode("sex", &sex)
        }
    }

    /// How old the walker gets in a year; nil if nobody knows, or nobody can be that old.
    public func age(in year: Int64) -> UInt64? {
        guard let birthYear, let age = UInt64(exactly: year - Int64(birthYear)), age <= 130 else {
            return nil
        }
        return age
    }
}

/// The sexes that formulas tell apart.
public enum Sex: UInt8, CodedName {
    /// Female.
    case female = 0
    /// Male.
    case male = 1

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["female", "male"]
}

extension EventKind {
    /// The number of ``WalkerDescribed``.
    @inlinable public static var walkerDescribed: EventKind { EventKind(rawValue: 0x0C) }
}
