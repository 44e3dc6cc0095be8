internal import ArgumentParser
internal import BluetoothCaptures
internal import Clocks
internal import Events
internal import Interchange
internal import LookingBack
internal import Sensors
internal import Stores
internal import Terminal
internal import Text
internal import Threads
internal import Web
internal import Words

/// A day that a command is about.
struct DayOption: ParsableArguments {
    @Option(help: "The local date: \(CivilDate.writtenForms); default today.")
    var day: String?

    /// The date, or nil if none was given.
    ///
    /// - Throws: ``CommandFailure`` if it is not a date.
    func date() throws(CommandFailure) -> CivilDate? {
        try day.map { (day) throws(CommandFailure) in try CivilDate(written: day) }
    }
}

/// Refuses options that do not go together, with what is wrong.
func refuse(_ isWrong: Bool, _ sentence: String) throws(ValidationError) {
    if isWrong { throw ValidationError(sentence) }
}

/// Refuses the number of an option, if one is given, outside of a range.
func refuse<Number>(
    _ number: Number?, of option: String, outside range: ClosedRange<Number>
) throws(ValidationError) {
    let isOutside = number.map { !range.contains($0) } ?? false
    try refuse(isOutside, "\(option) must be from \(range.lowerBound) to \(range.upperBound).")
}

extension CivilDate {
    /// Reads the date of an option; today is the machine's.
    ///
    /// - Throws: ``CommandFailure`` if it isn't one.
    init(written text: String) throws(CommandFailure) {
        let now = Arrival.now().wallMilliseconds
        let today = CivilDate(
            wallMilliseconds: now,
            zoneOffsetMinutes: LocalZone.offsetMinutes(atWallMilliseconds: now))
        guard let date = CivilDate(written: text, today: today) else {
            throw CommandFailure(
                .usage, "\(printable(text)) is not a date; write \(CivilDate.writtenForms).")
        }
        self = date
    }
}

extension CommandFailure {
    /// Nobody is given the totals of a part that has no event.
    static let nothingThere = CommandFailure(
        .noInput,
        "No event lies in this part; leave out --from, --until or --day to see more of them.")
}

/// Who changes what was recorded, and why.
struct ReasonOptions: ParsableArguments {
    @Option(help: "Why, at most 512 bytes.")
    var reason: String
    @Option(help: "Who, at most 128 bytes; default the user's name.")
    var author: String?

    /// Who does it.
    var who: String { author ?? CommonOptions.author }
}

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
    func filter() throws -> EventFilter {
        EventFilter(kinds: try kinds.flatMap(Self.kinds), devices: devices)
    }

    private static func kinds(called name: String) throws -> [EventKind] {
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
            "\(printable(name)) is not a kind of event or lane; the lanes are \(lanes), and the "
                + "kinds \(known).")
    }
}

/// The options of a command that shows a part of the log: where it begins, and where it ends.
struct SpanOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "First position, or time to begin at: 10:15, an instant, or milliseconds since 1970.",
            valueName: "position|time"))
    var from: LogStart?

    @Option(
        help: ArgumentHelp(
            "Position to stop before, or time to stop after.", valueName: "position|time"))
    var until: LogMoment?

    @Option(
        help: ArgumentHelp(
            "The local date of a time such as 10:15, default that of the last event; alone, all "
                + "of that day.", valueName: "date"))
    var day: String?

    /// The part.
    ///
    /// - Throws: ``CommandFailure`` if the day is not a date.
    func span() throws -> LogSpan {
        LogSpan(from: from, until: until, on: try day.map(CivilDate.init(written:)))
    }
}

/// What is to be said of a Bluetooth capture that is replayed.
struct CaptureOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format of a Bluetooth capture: btsnoop, pcap, pcapng, btmon, notifications, or "
                + "lines for a value on each; default by content.", valueName: "format"))
    var format: NamedOption<CaptureFormat>?

    @OptionGroup var handles: HandleOptions
}

/// What a Bluetooth capture does not say of itself.
struct HandleOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "What a Bluetooth capture does not say: a handle's characteristic, such as 0x12=2a37. "
                + "Repeatable.", valueName: "handle=uuid"))
    var handle: [WrittenHandle] = []

    @Option(
        help: ArgumentHelp(
            "When a file without dates began, such as 2026-03-01T09:00 or "
                + "2026-03-01T09:00:00+01:00.", valueName: "time"))
    var begin: WrittenBeginning?

    @Option(
        help: ArgumentHelp(
            "The zone of a text's times: +01:00, Europe/Berlin, or here for this machine's.",
            valueName: "zone"))
    var zone: WrittenZone?

    @Option(
        help: ArgumentHelp(
            "The strap to take where several sent heart rates; default the one that sent the most.",
            valueName: "address"))
    var device: DeviceName?

    /// All that is said.
    var hints: CaptureHints {
        CaptureHints(handle, begin: begin, zone: zone, device: device?.address)
    }
}

/// What is served, and where.
struct SiteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Let phones that are paired reach it at this address of this machine, as 192.168.1.5.",
            discussion: "Nothing that goes there is encrypted: use it on your own network, or "
                + "behind a proxy that speaks TLS.", valueName: "address"))
    var listen: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A map for the page: an MBTiles file of pictures. Repeatable; see `pulselog map`.",
            valueName: "file"))
    var tiles: [String] = []

    /// Looks into the files of the map.
    ///
    /// - Returns: Their tiles; nil if no file is named.
    /// - Throws: ``CommandFailure``, or `FileError`, if one cannot be used.
    func openTiles() throws -> MapTiles? {
        MapTiles(try tiles.map { try MapFile(checking: $0) })
    }
}

/// Where walks are written when they have ended.
struct ExportToOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write each walk into this folder when it has ended, named by its start.",
            valueName: "folder"))
    var exportTo: String?

    @Option(
        name: .customLong("format"),
        help: ArgumentHelp("What to write there; default fit.", valueName: "format"))
    var format: NamedOption<WalkFormat>?

    func validate() throws {
        try refuse(
            format != nil && exportTo == nil,
            "--format is that of --export-to; name a folder with it.")
    }

    /// What writes walks that end from now on; nil if nobody asked for it.
    ///
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    func walks(of store: Store) throws -> FinishedWalks? {
        guard let exportTo else { return nil }
        let walks = try FinishedWalks(of: store, to: exportTo, as: format?.value ?? .fit)
        if let obstacle = walks.obstacle { Output.standardError.say(obstacle) }
        return walks
    }

    /// Writes walks as they end, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - walks: What writes them; nil for nobody.
    ///   - say: Says what fails; nil for standard error.
    @concurrent
    static func follow(
        _ walks: FinishedWalks?, telling say: (@Sendable (String) -> Void)? = nil
    ) async {
        guard var walks else { return }
        let sentences = StreamWriter.sentences()
        // To fold the walk may take seconds.
        await withTaskExecutorPreference(ReadingThread(label: "walks")) {
            await walks.follow { say?($0) ?? sentences.say($0) }
        }
        await sentences.finish()
    }
}
