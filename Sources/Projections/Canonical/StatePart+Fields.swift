import Events

extension UInt8: StatePart {}
extension UInt16: StatePart {}
extension UInt32: StatePart {}
extension UInt64: StatePart {}
extension UInt: StatePart {}

extension StatePart where Self: FixedWidthInteger & UnsignedInteger {
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        guard coder.isReading else { return coder.write(UInt64(truncatingIfNeeded: self)) }
        let number = try coder.number()
        // No number of a state is greater, which is why sums of them cannot overflow.
        try coder.require(number <= greatestSum)
        self = try coder.required(Self(exactly: number))
    }
}

extension Int64: StatePart {
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        guard coder.isReading else { return coder.write(zigzag(self)) }
        self = unzigzag(try coder.number())
        try coder.require(magnitude <= 2 * greatestSum)
    }
}

extension Bool: StatePart {
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var byte: UInt8 = self ? 1 : 0
        try coder(&byte)
        try coder.require(byte <= 1)
        self = byte == 1
    }
}

extension String: StatePart {
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        let count = try coder.count(utf8.count)
        guard coder.isReading else { return coder.write(utf8) }
        self = try coder.required(String(validating: try coder.read(count), as: UTF8.self))
    }
}

extension Optional: StatePart where Wrapped: StatePart {
    init() { self = nil }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var isPresent = self != nil
        try coder(&isPresent)
        if coder.isReading { self = isPresent ? Wrapped() : nil }
        try self?.code(&coder)
    }
}

extension Array: StatePart where Element: StatePart {
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        let count = try coder.count(count)
        guard coder.isReading else {
            // Copies of the parts: changing them in place would copy the whole list.
            for var part in self { try part.code(&coder) }
            return
        }
        try read(count, from: &coder)
    }

    /// Reads parts that follow each other.
    mutating func read(
        _ count: Int, from coder: inout StateCoder<some Direction>
    ) throws(DamagedState) {
        self = []
        for _ in 0..<count {
            var part = Element()
            try part.code(&coder)
            append(part)
        }
    }
}

// MARK: - Names

/// A number that names a case, or bits of a set.
extension StatePart where Self: RawRepresentable, RawValue == UInt8 {
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var number = rawValue
        try coder(&number)
        self = try coder.required(Self(rawValue: number))
    }
}

extension StatePart where Self: CaseIterable {
    init() { self = Self.allCases[Self.allCases.startIndex] }
}

extension GoalKind: StatePart {}
extension ZoneScheme: StatePart {}
extension Roles: StatePart {}

extension OpenCode: StatePart {
    init() { self.init(rawValue: 0) }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var number = rawValue
        try coder(&number)
        self = OpenCode(rawValue: number)
    }
}

// MARK: - Values of events

/// A device, as the number that its seven bytes form.
extension DeviceID: StatePart {
    init() { self.init(address: 0, space: .public) }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var number = word
        try coder(&number)
        self = try coder.required(DeviceID(word: number))
    }
}

extension Stamp: StatePart {
    init() { self.init(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0) }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&bootMilliseconds, &wallMilliseconds, &bootNumber)
    }
}

/// A civil date, in days since 1970.
extension CivilDate: StatePart {
    init() { self = .epoch }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var days = daysSinceEpoch
        try coder(&days)
        self = try coder.required(CivilDate(daysSinceEpoch: days))
    }
}

/// A profile's fields in the order of the record format.
extension Profile: StatePart {
    init() { self.init(heightMillimetres: nil) }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&heightMillimetres, &weightGrams, &dailyGoalSteps)
        try coder(&maximumHeartRateBPM, &restingHeartRateBPM)
        try coder(&zones, &zoneLimits, &stepsPerCadenceCount)
    }
}

extension Walker: StatePart {
    init() { self.init(birthYear: nil) }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&birthYear, &sex)
    }
}

extension Preferences: StatePart {
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&lengthUnit, &massUnit, &alertAboveBPM, &alertBelowBPM)
        try coder(&autoLapMillimetres, &autoPause)
    }
}

extension Goal: StatePart {
    init() { self.init(kind: .none) }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&kind, &target)
    }
}
