package import BluetoothCentral
package import Events
public import JSON
internal import Text

/// What a scan has heard so far: a value.
package struct ScanList: Sendable {
    /// The most devices that are listed: the strongest.
    package static let limit = 1_024

    /// What is listed.
    package enum Kind: Sendable {
        /// Straps.
        case straps
        /// Straps and pedometers.
        case roles
        /// All that is heard, with what it advertises.
        case any
    }

    private let kind: Kind
    /// The adapter as it was last reported.
    package private(set) var adapter = AdapterState.unknown
    /// What keeps the scan from hearing anything, or nil.
    package private(set) var trouble: String?
    private var found: [BluetoothAddress: DeviceSighting] = [:]

    /// Makes a list of nothing.
    package init(_ kind: Kind) {
        self.kind = kind
    }

    /// What the central is to listen for.
    package var scan: CentralDesire.Scan {
        switch kind {
        case .straps: .services([.heartRate])
        case .roles: .services(BluetoothUUID.roleServices)
        case .any: .all
        }
    }

    /// What was heard, or is linked to this machine: the strongest first, what is only remembered
    /// last.
    package var sightings: [DeviceSighting] { found.values.sorted { $0.rank < $1.rank } }

    /// Hears a report.
    package mutating func hear(_ report: CentralReport) {
        switch report {
        case .deviceSeen(let sighting):
            found[sighting.address] = sighting
            // The weakest goes: addresses can be made up without end.
            guard found.count > Self.limit else { return }
            if let last = found.values.max(by: { $0.rank < $1.rank }) { found[last.address] = nil }
        case .adapterStateChanged(let change):
            adapter = change.state
            trouble = report.sentence
        case .busUnavailable: trouble = report.sentence
        default: return  // It keeps nobody from listening.
        }
    }

    /// What was heard as lines below a heading, without line ends; none if nothing was heard.
    package var lines: [String] {
        guard !found.isEmpty else { return [] }
        var table = TextTable(.words("address"), .words("signal"), .words("name"), .words(""))
        for sighting in sightings { sighting.add(to: &table, as: kind) }
        return table.lines
    }

    /// What is said where nothing was heard.
    package var silence: String {
        switch kind {
        case .straps:
            "No strap is in range. Wear it and moisten it: most advertise only on skin, and not "
                + "while another device is connected. `pulselog scan --any` also shows what does "
                + "not advertise a heart rate."
        case .roles:
            "No strap and no pedometer is in range. Wear it or wake it, and keep other devices off "
                + "it. `pulselog scan --any` also shows what does not advertise its services."
        case .any: "Nothing is in range. Wear it or wake it, and keep other devices off it."
        }
    }

    /// The list as it grows in a terminal.
    ///
    /// - Parameters:
    ///   - left: How long it is still listened.
    ///   - size: The terminal's, in characters.
    /// - Returns: Lines within the terminal's width.
    package func lines(secondsLeft left: Duration, in size: (columns: Int, rows: Int)) -> [String] {
        let columns = max(size.columns, 20) - 1
        let room = max(size.rows - 5, 1)
        let seconds = left.components.seconds + 1
        let advice =
            kind == .straps ? "Wear the strap, and moisten it." : "Wear the devices, or wake them."
        let state = trouble ?? "Listening for \(seconds) s more. \(advice)"
        let shown = lines.prefix(room + 1).map { cut($0, to: columns) }
        let more = found.count > room ? ["and \(found.count - room) more"] : []
        return shown + more + wrapped(state, to: columns)
    }
}

extension DeviceSighting {
    /// The services of pedometers.
    private static let pedometers = BluetoothUUID.roleServices.subtracting([.heartRate])

    fileprivate var bars: SignalBars { SignalBars(rssi: rssi) }

    /// What is there first, then strongest first, then by address.
    fileprivate var rank: (Int, Int, UInt64) {
        (isStale && !isLinked ? 1 : 0, -Int(rssi ?? -127), address.value)
    }

    /// Adds it to a list for people: address, bars, name; then what is to be said of it.
    ///
    /// - Parameters:
    ///   - table: The list.
    ///   - list: What is listed.
    fileprivate func add(to table: inout TextTable, as list: ScanList.Kind) {
        var notes: [String] = []
        switch list {
        case .straps: break
        case .roles: notes.append(Roles(services: services).kind)
        case .any: notes.append(services.serviceWords ?? "advertises no service")
        }
        if isLinked {
            notes.append("linked")
        } else if isStale {
            notes.append("remembered")
        }
        table.add(
            "\(address)", bars.text, printable(named(name) ?? "(no name)", limit: 30),
            notes.joined(separator: ", "))
    }

}

extension DeviceSighting: JSONObject {
    /// Writes the device as an object.
    package func writeFields(to line: inout JSONWriter) {
        line.field("address", address.description)
        line.field("name", name)
        line.field("rssi", rssi.map(Int.init))
        line.field("bars", bars.count)
        line.field("signal", bars.rawValue)
        line.field("stale", isStale)
        line.field("linked", isLinked)
        line.array("roles") { array in
            if services.contains(.heartRate) { array.value("heart") }
            if !services.isDisjoint(with: Self.pedometers) { array.value("pedometer") }
        }
        line.field("services", services.sorted().map(\.description))
    }
}
