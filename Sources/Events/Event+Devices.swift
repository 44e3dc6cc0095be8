extension Event {
    /// The devices that the event names, in the order of its fields.
    ///
    /// Of an unknown event, and of one with a field outside of its limits, none.
    public var devices: [DeviceID] { EventOutline(of: self, withDevices: true).devices }
}

/// Keeps of what the event table says of an event its kind, and the devices among its fields if
/// they are wanted.
struct EventOutline: FieldCoder {
    private(set) var kind = EventKind(rawValue: 0)
    private(set) var devices: [DeviceID] = []
    private let withDevices: Bool

    init(of event: Event, withDevices: Bool) {
        self.withDevices = withDevices
        do throws(FieldError) {
            try event.writeFields(to: &self)
        } catch {
            devices = []
        }
    }

    mutating func payload(
        _ payload: some EventPayload, _ kind: EventKind
    ) throws(FieldError) {
        self.kind = kind
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
