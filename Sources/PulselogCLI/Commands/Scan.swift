internal import ArgumentParser
internal import BlueZ
internal import Events
internal import Interchange
internal import Synchronization

/// `pulselog scan`: what is in range.
struct Scan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Straps in range: name, address, signal.")

    @Option(help: "How long to listen, 1 to 600.")
    var seconds = 10

    @Flag(help: "Show pedometers as well as straps.")
    var all = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard (1...600).contains(seconds) else {
            throw CommandFailure(.usage, "--seconds goes from 1 to 600.")
        }
        let list = Mutex(ScanList(showsRoles: all))
        let central = Central { report, _ in list.withLock { $0.hear(report) } }
        central.want(CentralDesire(scanning: all ? BluetoothUUID.roleServices : [.heartRate]))
        let task = Task { await central.run() }
        var drawn = DrawnLines()
        let isDrawn = Output.standard.isTerminal && !common.json
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        var left = end - clock.now
        while left > .zero {
            if isDrawn { drawn.draw(list.withLock { $0.lines(secondsLeft: left) }) }
            try await clock.sleep(for: isDrawn ? min(left, .milliseconds(500)) : left)
            left = end - clock.now
        }
        task.cancel()
        await task.value
        if isDrawn { drawn.draw([]) }
        try show(list.withLock { $0 })
    }

    private func show(_ list: ScanList) throws(CommandFailure) {
        let sightings = list.sightings
        guard list.adapter == .poweredOn || !sightings.isEmpty else {
            let reason =
                list.trouble
                ?? "No Bluetooth adapter was found in \(seconds) s; plug one in, or see "
                + "`pulselog doctor`."
            throw CommandFailure(
                list.adapter == .unauthorized ? .permission : .unavailable, reason)
        }
        guard !sightings.isEmpty else {
            throw CommandFailure(
                .unavailable,
                "Nothing is in range. Wear the strap and moisten it: most advertise only on skin, "
                    + "and not while another device is connected.")
        }
        if common.json {
            for sighting in sightings { Output.standard.write(sighting.jsonLine) }
        } else {
            let lines = sightings.map { $0.line(showsRoles: all) }
            Output.standard.write(lines.joined(separator: "\n") + "\n")
        }
    }
}

/// What a scan has heard so far: a value.
struct ScanList {
    /// Whether the kind of a device is told.
    let showsRoles: Bool
    /// The adapter as it was last reported.
    private(set) var adapter = BlueZ.AdapterState.unknown
    /// What keeps the scan from hearing anything, or nil.
    private(set) var trouble: String?
    private var found: [BluetoothAddress: DeviceSighting] = [:]

    /// Makes a list of nothing.
    init(showsRoles: Bool) {
        self.showsRoles = showsRoles
    }

    /// What was heard: the strongest first, what is only remembered last.
    var sightings: [DeviceSighting] { found.values.sorted { $0.rank < $1.rank } }

    /// Hears a report.
    mutating func hear(_ report: CentralReport) {
        switch report {
        case .deviceSeen(let sighting): found[sighting.address] = sighting
        case .adapterStateChanged(let change):
            adapter = change.state
            trouble = report.sentence
        default: trouble = report.sentence ?? trouble
        }
    }

    /// The list as it grows in a terminal.
    ///
    /// - Parameter left: How long it is still listened.
    /// - Returns: Lines within the terminal's width.
    func lines(secondsLeft left: Duration) -> [String] {
        let columns = max(Output.standard.size.columns, 20) - 1
        let room = max(Output.standard.size.rows - 4, 1)
        let seconds = left.components.seconds + 1
        let state = trouble ?? "Listening for \(seconds) s more. Wear the strap, and moisten it."
        let lines = sightings.map { cut($0.line(showsRoles: showsRoles), to: columns) }
        let more = lines.count > room ? ["and \(lines.count - room) more"] : []
        return lines.prefix(room) + more + wrapped(state, to: columns)
    }
}

/// A signal's strength in three bars (PRODUCT B3).
enum SignalBars: String {
    case strong
    case good
    case weak
    case unknown

    /// Strong above -60 dBm, good above -80 dBm and at -60, weak otherwise; 127 is unknown.
    init(rssi: Int16?) {
        self =
            switch rssi {
            case nil, 127: .unknown
            case let rssi? where rssi > -60: .strong
            case let rssi? where rssi > -80: .good
            default: .weak
            }
    }

    /// Three characters for a terminal.
    var text: String {
        switch self {
        case .strong: "▂▄▆"
        case .good: "▂▄ "
        case .weak: "▂  "
        case .unknown: " ? "
        }
    }

    /// How many bars; nil for unknown.
    var count: Int? {
        switch self {
        case .strong: 3
        case .good: 2
        case .weak: 1
        case .unknown: nil
        }
    }
}

extension DeviceSighting {
    fileprivate var bars: SignalBars { SignalBars(rssi: rssi) }

    /// What was heard first, then strongest first, then by address.
    fileprivate var rank: (Int, Int, UInt64) {
        (isStale ? 1 : 0, -Int(rssi ?? -127), address.value)
    }

    /// One line for people: address, bars, name; then what is to be said of it.
    ///
    /// - Parameter showsRoles: Whether its kind is told.
    /// - Returns: A line without its end.
    fileprivate func line(showsRoles: Bool) -> String {
        var notes: [String] = []
        if showsRoles { notes.append(services.contains(.heartRate) ? "strap" : "pedometer") }
        if isStale { notes.append("remembered") }
        let name = printable(name ?? "(no name)", limit: 30)
        let end = notes.isEmpty ? name : padded(name, to: 31) + "  " + notes.joined(separator: ", ")
        return "\(address)  \(bars.text)  \(end)"
    }

    fileprivate var jsonLine: [UInt8] {
        JSONWriter.line { line in
            line.field("address", address.description)
            line.field("name", name)
            line.field("rssi", rssi.map(Int.init))
            line.field("bars", bars.count)
            line.field("signal", bars.rawValue)
            line.field("stale", isStale)
            line.array("roles") { array in
                let roles = Roles(services: services)
                if roles.contains(.heart) { array.value("heart") }
                if !roles.isDisjoint(with: [.footPod, .watch]) { array.value("pedometer") }
            }
        }
    }
}
