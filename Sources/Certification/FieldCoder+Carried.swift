import Events

extension DeviceID {
    /// One to read into.
    static var blank: DeviceID { DeviceID(address: 0, space: .public) }
}

/// How what a certifier carries is written and read.
extension FieldCoder {
    /// A number of any use, which a log can hold.
    mutating func whole(_ value: inout Int128) throws(FieldError) {
        guard var number = Int64(exactly: value) else {
            throw FieldError(.outOfRange, field: "whole")
        }
        try signed("whole", &number, in: FieldRange.signed)
        value = Int128(number)
    }

    /// A count or a time.
    mutating func number(_ value: inout UInt64) throws(FieldError) {
        try unsigned("number", &value, in: FieldRange.unsigned)
    }

    /// Something that can be absent, and that is read into a blank one.
    mutating func maybe<Value>(
        _ value: inout Value?, _ blank: Value,
        _ code: (inout Self, inout Value) throws(FieldError) -> Void
    ) throws(FieldError) {
        var isPresent = value != nil
        try presence("isPresent", &isPresent)
        var present = value ?? blank
        if isPresent { try code(&self, &present) }
        value = isPresent ? present : nil
    }

    /// Any number of things, each of which is read into a blank one.
    mutating func list<Value>(
        _ values: inout [Value], _ blank: Value,
        _ code: (inout Self, inout Value) throws(FieldError) -> Void
    ) throws(FieldError) {
        var next = values.first
        var rest = values.dropFirst()
        values = []
        while true {
            try maybe(&next, blank, code)
            guard let value = next else { return }
            values.append(value)
            next = rest.popFirst()
        }
    }
}
