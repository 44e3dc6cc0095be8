public import BluetoothCentral
public import Interchange

/// What a scan has heard so far: a value.
public struct ScanList: Sendable {
    /// The most devices that are listed.
    public static let limit = 1_024

    /// Whether the kind of a device is told.
    private let showsRoles: Bool
    /// The adapter as it was last reported.
    public private(set) var adapter = AdapterChange.State.unknown
    /// What keeps the scan from hearing anything, or nil.
    public private(set) var trouble: String?
    private var found: [BluetoothAddress: DeviceSighting] = [:]

    /// Makes a list of nothing.
    public init(showsRoles: Bool) {
        self.showsRoles = showsRoles
    }

    /// What was heard: the strongest first, what is only remembered last.
    public var sightings: [DeviceSighting] { found.values.sorted { $0.rank < $1.rank } }

    /// Hears a report.
    public mutating func hear(_ report: CentralReport) {
        switch report {
        case .deviceSeen(let sighting):
            guard found.count < Self.limit || found[sighting.address] != nil else { return }
            found[sighting.address] = sighting
        case .adapterStateChanged(let change):
            adapter = change.state
            trouble = report.sentence
        case .busUnavailable: trouble = report.sentence
        default: return  // It keeps nobody from listening.
        }
    }

    /// What was heard as lines below a heading, without line ends; none if nothing was heard.
    public var lines: [String] {
        guard !found.isEmpty else { return [] }
        var table = TextTable(.words("address"), .words("signal"), .words("name"), .words(""))
        for sighting in sightings { sighting.add(to: &table, showsRoles: showsRoles) }
        return table.lines
    }

    /// The list as it grows in a terminal.
    ///
    /// - Parameters:
    ///   - left: How long it is still listened.
    ///   - size: The terminal's, in characters.
    /// - Returns: Lines within the terminal's width.
    public func lines(secondsLeft left: Duration, in size: (columns: Int, rows: Int)) -> [String] {
        let columns = max(size.columns, 20) - 1
        let room = max(size.rows - 5, 1)
        let seconds = left.components.seconds + 1
        let state = trouble ?? "Listening for \(seconds) s more. Wear the strap, and moisten it."
        let shown = lines.prefix(room + 1).map { cut($0, to: columns) }
        let more = found.count > room ? ["and \(found.count - room) more"] : []
        return shown + more + wrapped(state, to: columns)
    }
}

extension DeviceSighting {
    /// The services of pedometers.
    private static let pedometers = BluetoothUUID.roleServices.subtracting([.heartRate])

    fileprivate var bars: SignalBars { SignalBars(rssi: rssi) }

    /// What was heard first, then strongest first, then by address.
    fileprivate var rank: (Int, Int, UInt64) {
        (isStale ? 1 : 0, -Int(rssi ?? -127), address.value)
    }

    /// Adds it to a list for people: address, bars, name; then what is to be said of it.
    ///
    /// - Parameters:
    ///   - table: The list.
    ///   - showsRoles: Whether its kind is told.
    fileprivate func add(to table: inout TextTable, showsRoles: Bool) {
        var notes: [String] = []
        if showsRoles { notes.append(services.contains(.heartRate) ? "strap" : "pedometer") }
        if isStale { notes.append("remembered") }
        table.add(
            "\(address)", bars.text, printable(name ?? "(no name)", limit: 30),
            notes.joined(separator: ", "))
    }

    /// One object and a newline.
    public var jsonLine: [UInt8] { JSONWriter.line(self) }
}

extension DeviceSighting: JSONWritable {
    /// Writes the device as an object.
    public func write(to json: inout JSONWriter) {
        json.object { line in
            line.field("address", address.description)
            line.field("name", name)
            line.field("rssi", rssi.map(Int.init))
            line.field("bars", bars.count)
            line.field("signal", bars.rawValue)
            line.field("stale", isStale)
            line.array("roles") { array in
                if services.contains(.heartRate) { array.value("heart") }
                if !services.isDisjoint(with: Self.pedometers) { array.value("pedometer") }
            }
        }
    }
}
