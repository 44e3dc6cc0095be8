import Events

/// Something that takes a state's fields in their order, and writes or reads each.
///
/// A state names its fields once, so that what is written and what is read cannot drift apart.
/// Every number is a varint in shortest form, signed ones zigzag; texts and lists begin with their
/// count; what can be absent begins with 0 or 1. Nothing is named and nothing is padded.
protocol StateCoder {
    mutating func unsigned<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: inout Number
    ) throws(DamagedState)
    mutating func signed(_ value: inout Int64) throws(DamagedState)
    mutating func flag(_ value: inout Bool) throws(DamagedState)
    mutating func text(_ value: inout String) throws(DamagedState)
    mutating func optional<Value>(
        _ value: inout Value?, blank: Value,
        _ code: (inout Self, inout Value) throws(DamagedState) -> Void
    ) throws(DamagedState)
    mutating func list<Element>(
        _ elements: inout [Element], blank: Element,
        _ code: (inout Self, inout Element) throws(DamagedState) -> Void
    ) throws(DamagedState)
    /// A list of parts in the order of their keys.
    mutating func list<Part: OrderedPart>(
        _ parts: inout OrderedParts<Part>
    ) throws(DamagedState)
    /// A condition that every state fulfils; a reader refuses bytes that do not.
    mutating func require(_ condition: Bool) throws(DamagedState)
}

/// A part of a state with its fields.
protocol StatePart {
    /// Passes every field to a coder, in order.
    mutating func code(_ coder: inout some StateCoder) throws(DamagedState)
}

extension StateCoder {
    mutating func optional<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: inout Number?
    ) throws(DamagedState) {
        try optional(&value, blank: 0) { (coder, value) throws(DamagedState) in
            try coder.unsigned(&value)
        }
    }

    mutating func optionalSigned(_ value: inout Int64?) throws(DamagedState) {
        try optional(&value, blank: 0) { (coder, value) throws(DamagedState) in
            try coder.signed(&value)
        }
    }

    mutating func optionalText(_ value: inout String?) throws(DamagedState) {
        try optional(&value, blank: "") { (coder, value) throws(DamagedState) in
            try coder.text(&value)
        }
    }

    mutating func optional<Part: StatePart>(
        _ value: inout Part?, blank: Part
    ) throws(DamagedState) {
        try optional(&value, blank: blank) { (coder, value) throws(DamagedState) in
            try value.code(&coder)
        }
    }

    mutating func list<Part: StatePart>(
        _ parts: inout [Part], blank: Part
    ) throws(DamagedState) {
        try list(&parts, blank: blank) { (coder, part) throws(DamagedState) in
            try part.code(&coder)
        }
    }

    /// A list of numbers.
    mutating func numbers<Number: FixedWidthInteger & UnsignedInteger>(
        _ numbers: inout [Number]
    ) throws(DamagedState) {
        try list(&numbers, blank: 0) { (coder, number) throws(DamagedState) in
            try coder.unsigned(&number)
        }
    }

    /// A number that names a case.
    mutating func name<Name: RawRepresentable>(
        _ value: inout Name
    ) throws(DamagedState) where Name.RawValue == UInt8 {
        var number = value.rawValue
        try unsigned(&number)
        let name = Name(rawValue: number)
        try require(name != nil)
        value = name ?? value
    }

    /// A byte that stands for a name or for one of a later version.
    mutating func openCode<Code: CodedName>(_ value: inout OpenCode<Code>) throws(DamagedState) {
        var number = value.rawValue
        try unsigned(&number)
        value = OpenCode(rawValue: number)
    }

    /// A device, as the number that its seven bytes form.
    mutating func device(_ value: inout DeviceID) throws(DamagedState) {
        var key = value.key
        try unsigned(&key)
        let device = DeviceID(key: key)
        try require(device != nil)
        value = device ?? value
    }

    mutating func optionalDevice(_ value: inout DeviceID?) throws(DamagedState) {
        try optional(&value, blank: .blank) { (coder, value) throws(DamagedState) in
            try coder.device(&value)
        }
    }

    /// A stamp: boot clock, wall clock, boot number.
    mutating func stamp(_ value: inout Stamp) throws(DamagedState) {
        try unsigned(&value.bootMilliseconds)
        try signed(&value.wallMilliseconds)
        try unsigned(&value.bootNumber)
    }

    mutating func optionalStamp(_ value: inout Stamp?) throws(DamagedState) {
        try optional(&value, blank: .blank) { (coder, value) throws(DamagedState) in
            try coder.stamp(&value)
        }
    }

    /// A civil date, in days since 1970.
    mutating func date(_ value: inout CivilDate) throws(DamagedState) {
        var days = value.daysSinceEpoch
        try signed(&days)
        let date = CivilDate(daysSinceEpoch: days)
        try require(date != nil)
        value = date ?? value
    }

    /// A profile's fields in the order of the record format.
    mutating func profile(_ value: inout Profile) throws(DamagedState) {
        try optional(&value.heightMillimetres)
        try optional(&value.weightGrams)
        try optional(&value.dailyGoalSteps)
        try optional(&value.maximumHeartRateBPM)
        try optional(&value.restingHeartRateBPM)
        try name(&value.zones)
        try numbers(&value.zoneLimits)
        try unsigned(&value.stepsPerCadenceCount)
    }

    mutating func goal(_ value: inout Goal) throws(DamagedState) {
        try name(&value.kind)
        try unsigned(&value.target)
    }
}

extension DeviceID {
    /// What a reader reads into.
    static var blank: DeviceID { DeviceID(address: 0, space: .public) }
}

extension Stamp {
    /// What a reader reads into.
    static var blank: Stamp { Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0) }
}
