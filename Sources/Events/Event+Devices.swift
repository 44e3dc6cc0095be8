extension Event {
    /// The devices that the event names, in the order of its fields.
    ///
    /// Of an unknown event, and of one with a field outside of its limits, none.
    public var devices: [DeviceID] {
        var fields = DeviceFields()
        do throws(FieldError) {
            try writeFields(to: &fields)
            return fields.devices
        } catch {
            return []
        }
    }
}

/// Keeps the devices among a payload's fields.
private struct DeviceFields: FieldCoder {
    var devices: [DeviceID] = []

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        devices.append(value)
    }

    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {}

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {}

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {}

    mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {}

    mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) {}

    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError) {}
}
