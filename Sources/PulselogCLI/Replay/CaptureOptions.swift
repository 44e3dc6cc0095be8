internal import ArgumentParser
internal import BluetoothCaptures
internal import Clocks
internal import Events
internal import Interchange
internal import Sensors

/// What is to be said of a Bluetooth capture that is replayed.
struct CaptureOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format of a Bluetooth capture: btsnoop, pcap, pcapng, btmon, notifications, or "
                + "lines for a value on each; default by content.", valueName: "format"))
    var format: CaptureFormatOption?

    @OptionGroup var handles: HandleOptions
}

/// What a Bluetooth capture does not tell of itself.
struct HandleOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "What a Bluetooth capture does not tell: a handle's characteristic, such as 0x12=2a37. "
                + "Repeatable.", valueName: "handle=uuid"))
    var handle: [HandleOption] = []

    @Option(
        help: ArgumentHelp(
            "When a capture began that tells no date, such as 2026-03-01T09:00 or "
                + "2026-03-01T09:00:00+01:00.", valueName: "time"))
    var begin: BeginOption?

    @Option(
        help: ArgumentHelp(
            "The zone of a text's times: +01:00, Europe/Berlin, or here for this machine's.",
            valueName: "zone"))
    var zone: ZoneOption?

    /// Whether nothing is said.
    var isEmpty: Bool { handle.isEmpty && begin == nil && zone == nil }

    /// Which characteristic a handle is.
    var assignments: [UInt16: CharacteristicCode] {
        Dictionary(handle.map { ($0.handle, $0.characteristic) }, uniquingKeysWith: { $1 })
    }

    /// What is said of a text's times.
    var times: CaptureTimes {
        // Who names a beginning by the clock on this machine's wall means that clock.
        let zone = zone ?? begin.map { $0.zone ?? .here }
        return CaptureTimes(
            beganAtMilliseconds: begin?.milliseconds(in: zone ?? .here),
            offsetMinutes: zone?.offsetMinutes)
    }
}

/// A zone that is named by its offset, by its name, or as this machine's.
enum ZoneOption: ExpressibleByArgument, Sendable {
    case here
    case offset(Int64)
    case named(String)

    init?(argument: String) {
        if argument == "here" {
            self = .here
        } else if let instant = InstantText("2026-03-01T09:00:00" + argument) {
            self = .offset(instant.offsetMinutes)
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
struct BeginOption: ExpressibleByArgument {
    private let instant: InstantText
    /// The zone that it names itself.
    let zone: ZoneOption?

    init?(argument: String) {
        // `2026-03-01T09:00` has no seconds.
        let rest = argument.dropFirst(16)
        let text = rest.first == ":" ? argument : "\(argument.prefix(16)):00\(rest)"
        if let instant = InstantText(text) {
            self.instant = instant
            zone = .offset(instant.offsetMinutes)
        } else {
            guard let instant = InstantText(text + "Z") else { return nil }
            self.instant = instant
            zone = nil
        }
    }

    /// UTC in milliseconds since 1970.
    func milliseconds(in wall: ZoneOption) -> Int64 {
        guard zone == nil else { return instant.milliseconds }
        let local = instant.milliseconds
        let offset = wall.offsetMinutes
        return local - offset(local - offset(local) * 60_000) * 60_000
    }
}
