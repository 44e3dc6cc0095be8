internal import ArgumentParser
internal import Events
internal import LookingBack
internal import Text
internal import Words

/// The options of commands that show some of the events.
struct FilterOptions: ParsableArguments {
    @Option(
        name: .customLong("kind"), parsing: .singleValue,
        help: ArgumentHelp(
            "Only events of a kind, such as linkLost, or of a lane, such as link. Repeatable.",
            valueName: "name"))
    var kinds: [String] = []

    @Option(
        name: .customLong("device"), parsing: .singleValue,
        help: ArgumentHelp(
            "Only events that name a device: its address. Repeatable.", valueName: "address"))
    var devices: [DeviceName] = []

    /// The filter.
    ///
    /// - Throws: ``CommandFailure`` if a name is neither that of a kind nor that of a lane, with
    ///   those there are.
    func filter() throws(CommandFailure) -> EventFilter {
        var named: [EventKind] = []
        for name in kinds { named += try Self.kinds(called: name) }
        return EventFilter(kinds: named, devices: devices)
    }

    private static func kinds(called name: String) throws(CommandFailure) -> [EventKind] {
        if let kind = EventKind(name: name) { return [kind] }
        if let lane = Lane.allCases.first(where: { "\($0)" == name }) {
            return (UInt8.min...UInt8.max).map(EventKind.init(rawValue:)).filter {
                $0.lane == lane
            }
        }
        // As `--json` writes a kind that has no name.
        if name.hasPrefix("0x"), let number = UInt8(name.dropFirst(2), radix: 16) {
            let kind = EventKind(rawValue: number)
            if kind.isStorable { return [kind] }
        }
        let lanes = Lane.allCases.map { "\($0)" }.joined(separator: ", ")
        let known = EventKind.known.compactMap(\.name).joined(separator: ", ")
        throw CommandFailure(
            .usage,
            "\(printable(name)) is no kind of event and no lane; the lanes are \(lanes), and the "
                + "kinds \(known).")
    }
}

extension DeviceName: ExpressibleByArgument {
    /// Reads a device's address, with or without its space.
    public init?(argument: String) {
        self.init(argument)
    }
}
