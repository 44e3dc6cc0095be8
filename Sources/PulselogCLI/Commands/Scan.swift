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
        let found = Mutex<[BluetoothAddress: DeviceSighting]>([:])
        let adapter = Mutex(BlueZ.AdapterState.unknown)
        let trouble = Mutex<String?>(nil)
        let central = Central { report, _ in
            switch report {
            case .deviceSeen(let sighting): found.withLock { $0[sighting.address] = sighting }
            case .adapterStateChanged(let change):
                adapter.withLock { $0 = change.state }
                trouble.withLock { $0 = report.sentence }
            default: if let sentence = report.sentence { trouble.withLock { $0 = sentence } }
            }
        }
        central.want(CentralDesire(scanning: all ? BluetoothUUID.roleServices : [.heartRate]))
        let task = Task { await central.run() }
        try await Task.sleep(for: .seconds(seconds))
        task.cancel()
        await task.value
        let sightings = found.withLock { $0.values.sorted { $0.rank < $1.rank } }
        let state = adapter.withLock { $0 }
        guard state == .poweredOn || !sightings.isEmpty else {
            let reason =
                trouble.withLock { $0 }
                ?? "No Bluetooth adapter was found in \(seconds) s; plug one in, or see "
                + "`bluetoothctl list`."
            throw CommandFailure(state == .unauthorized ? .permission : .unavailable, reason)
        }
        guard !sightings.isEmpty else {
            throw CommandFailure(
                .unavailable,
                "Nothing is in range. Wear the strap and moisten it: most advertise only on skin, "
                    + "and not while another device is connected.")
        }
        show(sightings)
    }

    private func show(_ sightings: [DeviceSighting]) {
        if common.json {
            for sighting in sightings { Output.standard.write(sighting.jsonLine) }
            return
        }
        for sighting in sightings {
            let name = printable(sighting.name ?? "(no name)", limit: 32)
            Output.standard.write("\(sighting.address)  \(sighting.bars.text)  \(name)\n")
        }
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

    /// Strongest first; then by address.
    fileprivate var rank: (Int, UInt64) { (-Int(rssi ?? -127), address.value) }

    fileprivate var jsonLine: [UInt8] {
        JSONWriter.line { line in
            line.field("address", address.description)
            line.field("name", name)
            line.field("rssi", rssi.map(Int.init))
            line.field("bars", bars.count)
            line.field("signal", bars.rawValue)
            line.array("roles") { array in
                let roles = Roles(services: services)
                if roles.contains(.heart) { array.value("heart") }
                if !roles.isDisjoint(with: [.footPod, .watch]) { array.value("pedometer") }
            }
        }
    }
}
