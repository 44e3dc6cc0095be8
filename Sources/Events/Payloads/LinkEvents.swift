/// The Bluetooth adapter changed its state.
public struct AdapterStateChanged: EventPayload {
    /// The state from now on.
    public var state: OpenCode<AdapterState>
    /// Why it changed.
    public var cause: OpenCode<AdapterCause>
    /// The adapter's name, empty if there is none.
    public var adapter: String

    /// Makes the payload; without an argument a blank one.
    public init(
        state: AdapterState = .unknown, cause: AdapterCause = .unknown, adapter: String = ""
    ) {
        self.state = OpenCode(state)
        self.cause = OpenCode(cause)
        self.adapter = adapter
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.openCode("state", &state)
        try coder.openCode("cause", &cause)
        try coder.text("adapter", &adapter, limit: 64)
    }
}

/// What a device reports about itself, as a scan or a link found it.
public struct DeviceSeen: EventPayload {
    /// The device.
    public var device: DeviceID
    /// The name it advertises: a stranger's text.
    public var name: String?
    /// Signal strength in dBm as it came; nil and 127 are unknown.
    public var rssi: Int64?
    /// The roles it can fill.
    public var roles: Roles

    /// Makes the payload; without an argument a blank one.
    public init(
        device: DeviceID = .blank, name: String? = nil, rssi: Int64? = nil, roles: Roles = []
    ) {
        (self.device, self.name, self.rssi, self.roles) = (device, name, rssi, roles)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.optionalText("name", &name, limit: 1024)
        try coder.optionalSigned("rssi", &rssi, in: -32_768...32_767)
        try coder.roles("roles", &roles)
    }
}

/// A device was added to the paired ones.
public struct DevicePaired: EventPayload {
    /// The device.
    public var device: DeviceID
    /// Its name: a stranger's text.
    public var name: String?
    /// The roles it fills.
    public var roles: Roles

    /// Makes the payload; without an argument a blank one.
    public init(device: DeviceID = .blank, name: String? = nil, roles: Roles = []) {
        (self.device, self.name, self.roles) = (device, name, roles)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.optionalText("name", &name, limit: 1024)
        try coder.roles("roles", &roles)
    }
}

/// A device was removed from the paired ones.
public struct DeviceForgotten: EventPayload {
    /// The device.
    public var device: DeviceID

    /// Makes the payload; without an argument a blank one.
    public init(device: DeviceID = .blank) {
        self.device = device
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
    }
}

/// A device became the primary one of a role.
public struct PrimaryChosen: EventPayload {
    /// The role.
    public var role: Role
    /// The device, or nil if none is left.
    public var device: DeviceID?

    /// Makes the payload; without an argument a blank one.
    public init(role: Role = .heart, device: DeviceID? = nil) {
        (self.role, self.device) = (role, device)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.code("role", &role)
        try coder.optionalDevice("device", &device)
    }
}

/// The connection to a device is up.
public struct LinkUp: EventPayload {
    /// The device.
    public var device: DeviceID
    /// Which attempt succeeded, 1 for the first.
    public var attempt: UInt64
    /// How long the attempt took, if known.
    public var connectMilliseconds: UInt64?

    /// Makes the payload; without an argument a blank one.
    public init(
        device: DeviceID = .blank, attempt: UInt64 = 1, connectMilliseconds: UInt64? = nil
    ) {
        (self.device, self.attempt) = (device, attempt)
        self.connectMilliseconds = connectMilliseconds
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.unsigned("attempt", &attempt, in: FieldRange.unsigned)
        try coder.optionalUnsigned("connectMilliseconds", &connectMilliseconds)
    }
}

/// The connection to a device ended.
public struct LinkLost: EventPayload {
    /// The device.
    public var device: DeviceID
    /// What is known of the cause.
    public var cause: OpenCode<LinkLossCause>
    /// The reason as the daemon words it, if it gives one.
    public var reason: String?

    /// Makes the payload; without an argument a blank one.
    public init(device: DeviceID = .blank, cause: LinkLossCause = .unknown, reason: String? = nil) {
        self.device = device
        self.cause = OpenCode(cause)
        self.reason = reason
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.openCode("cause", &cause)
        try coder.optionalText("reason", &reason, limit: 256)
    }
}

/// Notifications of a characteristic were switched on.
public struct Subscribed: EventPayload {
    /// The device.
    public var device: DeviceID
    /// The characteristic.
    public var characteristic: CharacteristicCode

    /// Makes the payload; without an argument a blank one.
    public init(
        device: DeviceID = .blank, characteristic: CharacteristicCode = .heartRateMeasurement
    ) {
        (self.device, self.characteristic) = (device, characteristic)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.code("characteristic", &characteristic)
    }
}

/// Every value arrives several times because another program subscribes too.
public struct DeliveryMultiplied: EventPayload {
    /// The device.
    public var device: DeviceID
    /// The characteristic.
    public var characteristic: CharacteristicCode
    /// How often each value arrives, 1 when it is over.
    public var factor: UInt64

    /// Makes the payload; without an argument a blank one.
    public init(
        device: DeviceID = .blank, characteristic: CharacteristicCode = .heartRateMeasurement,
        factor: UInt64 = 1
    ) {
        (self.device, self.characteristic, self.factor) = (device, characteristic, factor)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.code("characteristic", &characteristic)
        try coder.unsigned("factor", &factor, in: FieldRange.unsigned)
    }
}

/// An attempt to connect failed.
public struct ConnectFailed: EventPayload {
    /// The device.
    public var device: DeviceID
    /// Which attempt, 1 for the first.
    public var attempt: UInt64
    /// The error's name on the bus.
    public var error: String
    /// The daemon's own words.
    public var message: String

    /// Makes the payload; without an argument a blank one.
    public init(
        device: DeviceID = .blank, attempt: UInt64 = 1, error: String = "", message: String = ""
    ) {
        (self.device, self.attempt, self.error, self.message) = (device, attempt, error, message)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.unsigned("attempt", &attempt, in: FieldRange.unsigned)
        try coder.text("error", &error, limit: 256)
        try coder.text("message", &message, limit: 256)
    }
}

/// The walker chose whether what a strap says of contact is heeded.
public struct ContactChosen: EventPayload {
    /// The strap.
    public var device: DeviceID
    /// Whether its values count from now on also where they deny contact.
    public var ignored: Bool

    /// Makes the payload; without an argument a blank one.
    public init(device: DeviceID = .blank, ignored: Bool = false) {
        (self.device, self.ignored) = (device, ignored)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.flag("ignored", &ignored)
    }
}

extension EventKind {
    /// The number of ``AdapterStateChanged``.
    @inlinable public static var adapterStateChanged: EventKind { EventKind(rawValue: 0x21) }
    /// The number of ``DeviceSeen``.
    @inlinable public static var deviceSeen: EventKind { EventKind(rawValue: 0x22) }
    /// The number of ``DevicePaired``.
    @inlinable public static var devicePaired: EventKind { EventKind(rawValue: 0x23) }
    /// The number of ``DeviceForgotten``.
    @inlinable public static var deviceForgotten: EventKind { EventKind(rawValue: 0x24) }
    /// The number of ``PrimaryChosen``.
    @inlinable public static var primaryChosen: EventKind { EventKind(rawValue: 0x25) }
    /// The number of ``LinkUp``.
    @inlinable public static var linkUp: EventKind { EventKind(rawValue: 0x26) }
    /// The number of ``LinkLost``.
    @inlinable public static var linkLost: EventKind { EventKind(rawValue: 0x27) }
    /// The number of ``Subscribed``.
    @inlinable public static var subscribed: EventKind { EventKind(rawValue: 0x28) }
    /// The number of ``DeliveryMultiplied``.
    @inlinable public static var deliveryMultiplied: EventKind { EventKind(rawValue: 0x29) }
    /// The number of ``ConnectFailed``.
    @inlinable public static var connectFailed: EventKind { EventKind(rawValue: 0x2A) }
    /// The number of ``ContactChosen``.
    @inlinable public static var contactChosen: EventKind { EventKind(rawValue: 0x2B) }
}
