internal import ArgumentParser
internal import BlueZ
internal import BluetoothCentral
internal import Clocks
internal import Deciding
internal import Events
internal import Glibc
internal import JSON
internal import MQTT
internal import Projections
internal import Recording
internal import Sensors
internal import Stores
internal import Terminal
internal import Web
internal import Words

/// `pulselog doctor`: looks at all that a recording needs, and changes nothing.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check bus, Bluetooth, strap, store, disk and clock; say what to do.",
        discussion: """
            Changes nothing. If no recorder is running and the primary strap is not connected, it \
            listens for the strap for 4 s. Exit code 0 without a problem, 69 if Bluetooth cannot \
            be used, 1 with any other problem; warnings do not count.
            """)
    @OptionGroup var common: CommonOptions

    /// How long the strap is listened for.
    private static let scanSeconds = 4

    func run() async throws {
        let found = await Self.found(in: try common.storeDirectory())
        for diagnosis in found {
            Output.standard.write(
                common.json
                    ? diagnosis.jsonLine
                    : Array(diagnosis.text(isColored: common.isColored(.standard)).utf8))
        }
        guard let code = found.failure else { return }
        throw ExitCode(code.rawValue)
    }

    /// Looks at everything.
    ///
    /// - Parameter directory: The store's folder.
    /// - Returns: What was found, in the order in which it is told.
    static func found(in directory: String) async -> [Diagnosis] {
        let checks = StoreChecks(directory: directory)
        let store = checks.store()
        let devices = store.state.map(\.own.devices)
        let straps = devices.flatMap { $0.areOnlyPedometers ? nil : Self.straps($0) }
        var found = await bluetooth(straps, isRecorderAlive: checks.isRecorderAlive)
        let switches = RadioSwitches(in: Surroundings.radioSwitches)
        found += [
            .radioSwitches(switches.count, switches.blocks),
            .store(store.finding, in: checks.directory), .signature(checks.signature()),
            checks.disk(),
        ]
        let isSessionOpen = store.state.map { $0.own.sessions.open != nil }
        if let recorder = Diagnosis.recorder(
            isAlive: checks.isRecorderAlive, isSessionOpen: isSessionOpen)
        {
            found.append(recorder)
        }
        found += Self.surroundings()
        if let broker = await Self.broker() { found.append(broker) }
        if let state = store.state {
            let now = Arrival.now()
            // The clock as it is, whatever was trusted before in this boot.
            let moment = now.moment(bootNumber: state.own.recorder.bootNumber(for: []))
            let phone = Diagnosis.positions(
                of: state, at: Self.phoneAddress(in: directory), PhoneOffer.nobodyListens)
            found += [Diagnosis.day(of: state, at: moment), phone].compactMap(\.self)
        }
        let order = Diagnosis.Check.allCases
        return order.flatMap { check in found.filter { $0.check == check } }
    }

    /// Where phones reach what is served; nil if they do not, or their file cannot be read, which
    /// lets nobody in.
    private static func phoneAddress(in directory: String) -> String? {
        do throws(CommandFailure) {
            return try PhoneFile(inStore: directory).book().address
        } catch {
            return nil
        }
    }

    /// Looks at Bluetooth, from the bus up to the strap; asks, and does not act.
    ///
    /// The daemon is not started, no device is connected to, and a scan is made only if no recorder
    /// runs.
    ///
    /// - Parameters:
    ///   - straps: The paired straps, the primary one first; nil if the store does not say, or
    ///     has pedometers only: then nothing is said of a strap, nor of its other users.
    ///   - isRecorderAlive: Whether a recorder runs.
    /// - Returns: What was found.
    private static func bluetooth(
        _ straps: [NamedStrap]?, isRecorderAlive: Bool
    ) async -> [Diagnosis] {
        let look = await BluezInventory.look(wanted: Set((straps ?? []).map(\.address)))
        let found = Diagnosis.bluetooth(look)
        guard let straps, case .success(let inventory) = look,
            !found.contains(where: { $0.result == .problem })
        else { return found }
        return found + [
            await strap(straps.first, inventory, isRecorderAlive: isRecorderAlive),
            .otherPrograms(straps, inventory, isRecorderAlive: isRecorderAlive),
        ]
    }

    private static func strap(
        _ strap: NamedStrap?, _ inventory: BluezInventory, isRecorderAlive: Bool
    ) async -> Diagnosis {
        guard let strap else { return .noStrap }
        if let known = Diagnosis.strap(strap, inventory, isRecorderAlive: isRecorderAlive) {
            return known
        }
        let isHeard = await Central.hears(strap.address, within: .seconds(Self.scanSeconds))
        return .strap(strap, isHeard: isHeard, in: Self.scanSeconds)
    }

    /// Looks at clock, zone, terminal and what the page needs.
    private static func surroundings() -> [Diagnosis] {
        let now = Arrival.now()
        return [
            .clock(now),
            .zone(
                LocalZone.zone(atWallMilliseconds: now.wallMilliseconds),
                variable: environment("TZ"),
                hasZoneFile: access("/etc/localtime", R_OK) == 0,
                unknownName: LocalZone.unknownName),
            .terminal(
                columns: Output.standard.isTerminal ? Output.standard.size.columns : nil,
                isUTF8: isUTF8),
            .page(hasMap: !LibraryFile.isMissing, mapComplaint()),
        ]
    }

    /// Why a map that the configuration file names cannot be shown; nil if all of them can.
    private static func mapComplaint() -> String? {
        do {
            let file = try ConfigurationFile()
            _ = try file?.parsed(Serve.self)?.site.openTiles()
            _ = try file?.parsed(Record.self)?.site.openTiles()
            return nil
        } catch {
            // What is wrong with that file is said of the broker, which stands in it as well.
            let failure = CommandFailure(error)
            return failure.exitCode == .configuration ? nil : failure.message
        }
    }

    /// Looks at the broker that the configuration file names; nil if it names none.
    private static func broker() async -> Diagnosis? {
        do {
            guard let options = try ConfigurationFile()?.parsed(BrokerOptions.self) else {
                return nil
            }
            let client = try options.client()
            client.want([])
            let news = await value(within: .seconds(scanSeconds)) {
                await client.news.first { _ in true }
            }
            client.want([], until: .now, isLast: true)
            var reason = "it does not answer."
            switch news {
            case .reached??: return .ok(.mqtt, "\(options.title) is reached.")
            case .lost(let words)??: reason = words
            default: break
            }
            throw CommandFailure(.unavailable, "\(options.title) is not reached: \(reason)")
        } catch {
            return .warning(
                .mqtt, CommandFailure(error).message,
                "Walks are recorded, but not published; see [mqtt] in the configuration file.")
        }
    }

    /// The paired straps, the primary one first.
    private static func straps(_ devices: Projections.Devices) -> [NamedStrap] {
        let hearts = devices.paired.filter { $0.roles.contains(.heart) }
        let primary = devices.primary(.heart)
        let ordered = hearts.filter { $0.id == primary } + hearts.filter { $0.id != primary }
        return ordered.compactMap { device in
            BluetoothAddress(device.id).map { ($0, title: DeviceTitle(device)) }
        }
    }
}

extension Diagnosis {
    /// Judges the wall clock of a moment.
    static func clock(_ now: Arrival) -> Diagnosis {
        clock(
            wallMilliseconds: now.wallMilliseconds,
            isSet: now.wallMilliseconds >= Arrival.earliestTrustedMilliseconds,
            isTrusted: now.isWallTrusted)
    }
}

extension [Diagnosis] {
    /// The exit code: 69 if Bluetooth cannot be used, else 1 with any problem, else nil for 0.
    var failure: CommandFailure.Code? {
        let problems = filter { $0.result == .problem }
        if problems.contains(where: \.check.isBluetooth) { return .unavailable }
        return problems.isEmpty ? nil : .finding
    }
}
