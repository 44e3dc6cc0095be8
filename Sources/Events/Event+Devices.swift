extension Event {
    /// The devices that the event names, in the order of its fields.
    ///
    /// Of an unknown event, and of one with a field outside of its limits, none.
    public var devices: [DeviceID] { EventOutline(of: self, withDevices: true).devices }

    /// The type of the payload, or nil for an unknown event.
    var payloadType: (any EventPayload.Type)? {
        EventOutline(of: self, withDevices: false).payloadType
    }
}

/// Keeps of what the event table says of an event the payload's type, and the devices among its
/// fields if they are wanted.
private struct EventOutline: FieldCoder {
    var payloadType: (any EventPayload.Type)?
    var devices: [DeviceID] = []
    let withDevices: Bool

    init(of event: Event, withDevices: Bool) {
        self.withDevices = withDevices
        do throws(FieldError) {
            try event.writeFields(to: &self)
        } catch {
            devices = []
        }
    }

    mutating func payload<Payload: EventPayload>(_ payload: Payload) throws(FieldError) {
        payloadType = Payload.self
        guard withDevices else { return }
        var payload = payload
        try payload.code(&self)
    }

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
