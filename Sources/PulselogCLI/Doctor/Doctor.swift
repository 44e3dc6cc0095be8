internal import ArgumentParser
internal import BluetoothCentral
internal import Clocks
internal import Events
internal import Glibc
internal import Projections
internal import Recording
internal import Sensors
internal import Words

/// `pulselog doctor`: looks at all that a recording needs, and changes nothing.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check bus, Bluetooth, strap, store, disk and clock; say what to do.",
        discussion: """
            Changes nothing. If no recorder runs and the primary strap is not connected, it is \
            listened for, for four seconds. Exit code 0 without a problem, 69 if Bluetooth cannot \
            be used, 1 with any other problem; warnings do not count.
            """)
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let machine = MachineChecks(directory: try common.storeDirectory())
        let store = machine.store()
        let straps = store.state.map { Self.straps($0.live.devices) }
        let bluetooth = BluetoothChecks(straps: straps, isRecorderAlive: machine.isRecorderAlive)
        var found = await bluetooth.run()
        found.append(Diagnosis(RadioSwitches(in: CommonOptions.radioSwitchFolder)))
        found += [store.diagnosis, machine.disk()]
        if let recorder = machine.recorder(store.state) { found.append(recorder) }
        let now = Arrival.now()
        found.append(MachineChecks.clock(now))
        found.append(
            MachineChecks.zone(
                LocalZone.zone(atWallMilliseconds: now.wallMilliseconds),
                variable: CommonOptions.variable("TZ"),
                hasZoneFile: access("/etc/localtime", R_OK) == 0))
        found.append(
            MachineChecks.terminal(
                columns: Output.standard.isTerminal ? Output.standard.size.columns : nil,
                isUTF8: Self.isUTF8))
        let order = Diagnosis.Check.allCases
        for diagnosis in order.flatMap({ check in found.filter { $0.check == check } }) {
            Output.standard.write(
                common.json
                    ? diagnosis.jsonLine
                    : Array(diagnosis.text(isColored: common.isColored(.standard)).utf8))
        }
        guard let code = found.failure else { return }
        throw ExitCode(code.rawValue)
    }

    /// The paired straps, the primary one first.
    private static func straps(_ devices: Projections.Devices) -> [BluetoothChecks.Strap] {
        let hearts = devices.paired.filter { $0.roles.contains(.heart) }
        let primary = devices.primary(.heart)
        let ordered = hearts.filter { $0.id == primary } + hearts.filter { $0.id != primary }
        return ordered.compactMap { device in
            BluetoothAddress(device.id).map {
                BluetoothChecks.Strap(address: $0, title: deviceTitle(device.name, device.id))
            }
        }
    }

    /// Whether the locale's characters are those of Unicode.
    private static var isUTF8: Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let name = names.compactMap { CommonOptions.variable($0) }.first ?? ""
        let end = name.split(separator: ".").last?.lowercased() ?? ""
        return end.hasPrefix("utf-8") || end.hasPrefix("utf8")
    }
}
