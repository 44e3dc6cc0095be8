internal import BluetoothCentral
internal import Clocks
internal import Events
internal import Text

/// What a Bluetooth capture does not say of itself, and somebody says.
package struct CaptureHints {
    /// Whether nothing is said.
    package let isEmpty: Bool
    /// The address of the strap that is chosen of several.
    package let device: UInt64?
    /// Which characteristic a handle is.
    let assignments: [UInt16: CharacteristicCode]
    /// What is said of a text's times.
    private(set) var times: StatedTimes
    /// Whether the day stands before the month in dates such as 3/1/2026; nil if nobody says.
    package var isDayFirst: Bool? {
        get { times.isDayFirst }
        set { times.isDayFirst = newValue }
    }

    /// Takes over what is said.
    ///
    /// - Parameters:
    ///   - handles: Handles and their characteristics.
    ///   - begin: When it began.
    ///   - zone: The zone of a text's times.
    ///   - device: The address of the strap that is chosen of several.
    package init(
        _ handles: [WrittenHandle] = [], begin: WrittenBeginning? = nil, zone: WrittenZone? = nil,
        device: UInt64? = nil
    ) {
        self.device = device
        isEmpty = handles.isEmpty && begin == nil && zone == nil
        assignments = Dictionary(
            handles.map { ($0.handle, $0.characteristic) }, uniquingKeysWith: { $1 })
        // Who names a beginning by the clock on this machine's wall means that clock.
        let zone = zone ?? begin.map { $0.zone ?? .here }
        times = StatedTimes(
            beganAtMilliseconds: begin?.milliseconds(in: zone ?? .here),
            offsetMinutes: zone?.offsetMinutes)
    }
}

/// A zone that is named by its offset, by its name, or as this machine's.
package enum WrittenZone: Sendable {
    case here
    case offset(Int64)
    case named(String)

    /// Reads one; nil if it isn't one.
    package init?(_ argument: String) {
        var rest = TimeScanner(argument)
        if argument == "here" {
            self = .here
        } else if let minutes = rest.offsetMinutes(), rest.isAtEnd {
            self = .offset(minutes)
        } else if NamedZones().offsetMinutes(of: argument, at: 0) != nil {
            self = .named(argument)
        } else {
            return nil
        }
    }

    /// Minutes east of UTC at a UTC time in milliseconds.
    var offsetMinutes: @Sendable (Int64) -> Int64 {
        switch self {
        case .here: return { LocalZone.offsetMinutes(atWallMilliseconds: $0) }
        case .offset(let minutes): return { _ in minutes }
        case .named(let name):
            let zones = NamedZones()
            return { zones.offsetMinutes(of: name, at: $0) ?? 0 }
        }
    }
}

/// A date and time of the day, with the zone's offset or by a clock on the wall.
package struct WrittenBeginning {
    private let instant: InstantText
    /// The zone that it names itself.
    let zone: WrittenZone?

    /// Reads one; nil if it isn't one.
    package init?(_ argument: String) {
        // `2026-03-01T09:00` has no seconds.
        let rest = argument.dropFirst(16)
        let text = rest.first == ":" ? argument : "\(argument.prefix(16)):00\(rest)"
        if let instant = InstantText(text) {
            self.instant = instant
            zone = .offset(instant.offsetMinutes)
        } else {
            guard let instant = InstantText(text, otherwise: 0) else { return nil }
            self.instant = instant
            zone = nil
        }
    }

    /// UTC in milliseconds since 1970.
    func milliseconds(in wall: WrittenZone) -> Int64 {
        zone == nil
            ? ZoneOffset.utc(ofLocal: instant.milliseconds, wall.offsetMinutes)
            : instant.milliseconds
    }
}

/// A handle whose characteristic is given by hand, such as `0x12=2a37`.
package struct WrittenHandle {
    let handle: UInt16
    let characteristic: CharacteristicCode

    /// Reads one; nil if it isn't one.
    package init?(_ argument: String) {
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let handle = Self.number(parts[0]),
            let characteristic = CharacteristicCode(uuid: String(parts[1]))
        else { return nil }
        (self.handle, self.characteristic) = (handle, characteristic)
    }

    private static func number(_ text: Substring) -> UInt16? {
        let lowercased = text.lowercased()
        return lowercased.hasPrefix("0x")
            ? UInt16(lowercased.dropFirst(2), radix: 16) : UInt16(text)
    }
}
