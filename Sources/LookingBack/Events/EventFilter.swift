package import EventStore
package import Events

/// Which events are shown: those of some kinds, about some devices.
package struct EventFilter: Sendable {
    /// Whether each kind is shown, by its number; nil shows all.
    private let kinds: [Bool]?
    /// Events that name none of these are not shown; nil shows those as well that name no device.
    private let devices: [DeviceName]?

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - kinds: The kinds that are shown; empty shows all.
    ///   - devices: The devices whose events are shown; empty shows all events.
    package init(kinds: [EventKind] = [], devices: [DeviceName] = []) {
        var shown = [Bool](repeating: false, count: 256)
        for kind in kinds { shown[Int(kind.rawValue)] = true }
        self.kinds = kinds.isEmpty ? nil : shown
        self.devices = devices.isEmpty ? nil : devices
    }

    /// Whether it shows everything.
    var showsAll: Bool { kinds == nil && devices == nil }

    /// Whether an event is shown.
    ///
    /// An event of a kind or version that this program does not know names no device.
    func shows(_ event: borrowing EventView) -> Bool {
        if let kinds, !kinds[Int(event.header.kind.rawValue)] { return false }
        guard let devices else { return true }
        if let fields = event.heartFields { return devices.contains { $0.names(fields.device) } }
        if let fields = event.pedometerFields {
            return devices.contains { $0.names(fields.device) }
        }
        return event.decoded.devices.contains { device in
            devices.contains { $0.names(device) }
        }
    }

    /// Looks for the last events that are shown, from the log's end backwards.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - log: The log.
    /// - Returns: The position of the first of them; 0 if there are fewer.
    /// - Throws: `EventLogError`.
    package func start(ofLast count: UInt64, in log: any EventLog) throws(EventLogError) -> Position
    {
        let end = try log.next
        guard count > 0 else { return end }
        guard !showsAll else { return end - min(end, count) }
        var missing = Int(count)
        for part in log.portions(before: end, limit: Self.windowLimit) {
            var found: [Position] = []
            try log.read(from: part.lowerBound, until: part.upperBound) { event in
                if shows(event) { found.append(event.header.position) }
                return true
            }
            if found.count >= missing { return found[found.count - missing] }
            missing -= found.count
        }
        return 0
    }

    /// The most events that are looked at between two steps backwards: 8 MB of positions.
    private static let windowLimit: UInt64 = 1_000_000
}

/// A device as people name it: by its address, with its space or without.
package struct DeviceName: Hashable, Sendable {
    private let device: DeviceID
    private let hasSpace: Bool

    /// Reads `C4:00:00:00:00:01`, which is meant whatever its space, or `public/…`, `kernel/…`,
    /// `other/…`.
    package init?(_ text: String) {
        guard let device = DeviceID(text) else { return nil }
        self.device = device
        hasSpace = text.contains("/")
    }

    /// The address, whatever its space.
    package var address: UInt64 { device.address }

    /// Whether a device is the one that is meant.
    func names(_ other: DeviceID) -> Bool {
        hasSpace ? device == other : device.address == other.address
    }
}
