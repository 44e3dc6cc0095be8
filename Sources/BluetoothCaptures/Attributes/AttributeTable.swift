internal import Events

/// What a capture says of a device's attributes, by their handles.
struct AttributeTable {
    /// Services of which one characteristic is notified, with the handles that they span.
    private var services: [(handles: ClosedRange<UInt16>, code: CharacteristicCode)] = []
    /// The values and descriptors that were declared.
    private var types: [UInt16: AttributeType] = [:]

    private static let serviceLimit = 64
    /// Devices have some hundred attributes at most.
    private static let typeLimit = 2_048

    /// The characteristic whose value has a handle.
    ///
    /// It was declared, or the handle lies in a service of which only one characteristic is
    /// notified that is known here.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - isNotified: Whether the device sent the value unasked.
    /// - Returns: The characteristic; nil if it is not known, or none of ours.
    func characteristic(at handle: UInt16, isNotified: Bool) -> CharacteristicCode? {
        switch types[handle] {
        case .value(let code): return code
        case nil where isNotified: return services.last { $0.handles.contains(handle) }?.code
        default: return nil
        }
    }

    /// Whether the capture tells that an attribute is none whose values are read here.
    func isForeign(_ handle: UInt16) -> Bool {
        switch types[handle] {
        case nil, .value: false
        case .primaryService, .characteristicDeclaration, .clientConfiguration, .service, .other:
            true
        }
    }

    /// The characteristic that a client configuration descriptor switches on.
    func characteristic(configuredAt handle: UInt16) -> CharacteristicCode? {
        guard types[handle] == .clientConfiguration else { return nil }
        // It stands after the value, among other descriptors.
        for before in stride(from: Int(handle) - 1, to: max(0, Int(handle) - 16), by: -1) {
            if case .value(let code) = types[UInt16(before)] { return code }
        }
        return nil
    }

    /// Takes note of what an attribute is.
    mutating func declare(_ type: AttributeType, at handle: UInt16) {
        guard types.count < Self.typeLimit || types[handle] != nil else { return }
        types[handle] = type
    }

    /// Takes note of a service, or of what the first of some attributes is.
    mutating func declare(_ type: AttributeType, at handles: ClosedRange<UInt16>) {
        if case .service = type {
            declare(type, over: handles)
        } else {
            declare(type, at: handles.lowerBound)
        }
    }

    /// Takes note of a service.
    mutating func declare(_ service: AttributeType, over handles: ClosedRange<UInt16>) {
        guard case .service(let code) = service else { return }
        services.removeAll { $0.handles.overlaps(handles) }
        guard services.count < Self.serviceLimit else { return }
        services.append((handles, code))
    }
}
