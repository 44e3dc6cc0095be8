import Events

/// What a certifier carries from one event to the next: fields that are written and read, in order.
protocol Carried {
    /// One to read into.
    init()
    /// Passes every field to a coder.
    mutating func code(_ coder: inout some FieldCoder) throws(FieldError)
}

extension FieldCoder {
    mutating func callAsFunction(_ field: inout some Carried) throws(FieldError) {
        try field.code(&self)
    }

    /// A condition that whatever is carried fulfils; bytes that do not are refused.
    func require(_ condition: Bool) throws(FieldError) {
        guard condition else { throw FieldError(.outOfRange, field: "carried") }
    }
}

extension UInt64: Carried {
    mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.unsigned("number", &self, in: FieldRange.unsigned)
    }
}

extension Int64: Carried {
    mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.signed("number", &self, in: FieldRange.signed)
    }
}

extension Int128: Carried {
    mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        var number = Int64(clamping: self)
        try coder(&number)
        self = Int128(number)
    }
}

extension Bool: Carried {
    mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.presence("flag", &self)
    }
}

extension String: Carried {
    mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.text("text", &self, limit: 1 << 16)
    }
}

extension CivilDate: Carried {
    init() { self = .epoch }

    mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.date("date", &self)
    }
}

extension DeviceID: Carried {
    init() { self.init(address: 0, space: .public) }

    mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &self)
    }
}

extension Optional: Carried where Wrapped: Carried {
    init() { self = nil }

    mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        var isPresent = self != nil
        try coder(&isPresent)
        var present = self ?? Wrapped()
        if isPresent { try coder(&present) }
        self = isPresent ? present : nil
    }
}

extension Array: Carried where Element: Carried {
    mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        var (next, rest) = (first, dropFirst())
        self = []
        while true {
            try coder(&next)
            guard let value = next else { return }
            append(value)
            next = rest.popFirst()
        }
    }
}
