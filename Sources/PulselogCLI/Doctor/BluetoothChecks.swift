internal import BlueZ
internal import BluetoothCentral
internal import DBus
internal import Sensors
internal import Words

/// The checks of `pulselog doctor` that concern Bluetooth, from the bus up to the strap.
///
/// They ask and do not act: the daemon is not started, no device is connected to, and a scan is
/// made only if no recorder runs.
struct BluetoothChecks {
    /// The paired straps that are wanted: what they are called, the primary one first.
    struct Strap: Sendable {
        let address: BluetoothAddress
        /// Harmless in a terminal.
        let title: String
    }

    /// The longest wait for each answer.
    private static let answerMilliseconds: UInt64 = 2_000
    /// The longest time for all of them: a bus may take a connection and never answer.
    private static let limitMilliseconds: UInt64 = 15_000
    /// How long the strap is listened for.
    private static let scanMilliseconds: UInt64 = 4_000

    /// Nil if the store does not tell: then nothing is said of the strap, nor of who else uses it.
    let straps: [Strap]?
    let isRecorderAlive: Bool

    /// Runs them.
    ///
    /// - Returns: What was found; what lies above something that is missing is left out.
    func run() async -> [Diagnosis] {
        let (found, continuation) = AsyncStream.makeStream(of: [Diagnosis].self)
        // libdbus cannot be called off while it opens a connection: then the task ends with the
        // process.
        Task { continuation.yield(await check()) }
        let limit = Task {
            try await Task.sleep(for: .milliseconds(Self.limitMilliseconds))
            continuation.finish()
        }
        defer { limit.cancel() }
        for await diagnoses in found { return diagnoses }
        return [
            .problem(
                .bus, "The system bus took the connection and did not answer in time.",
                "Restart the machine; restarting the bus alone ends the desktop.")
        ]
    }

    private func check() async -> [Diagnosis] {
        do throws(DBusError) {
            let bus = try await Bus(.system)
            let found = await run(on: bus)
            await bus.close()
            return [.ok(.bus, "The system bus answers.")] + found
        } catch {
            let reason = printable(error.message.isEmpty ? error.name : error.message, limit: 160)
            return [
                .problem(
                    .bus, "The system bus cannot be reached: \(reason).",
                    "Start it (systemctl start dbus), or set DBUS_SYSTEM_BUS_ADDRESS.")
            ]
        }
    }

    private func run(on bus: Bus) async -> [Diagnosis] {
        do throws(DBusError) {
            let owned = try await bus.call(
                .bus("NameHasOwner", .string("org.bluez")),
                timeoutMilliseconds: Self.answerMilliseconds)
            guard owned.first?.asBoolean == true else {
                return [
                    .problem(
                        .bluez, "The Bluetooth daemon does not run.",
                        "Start it: systemctl start bluetooth. If there is none: apt install bluez.")
                ]
            }
        } catch {
            return [.problem(.bus, "The system bus does not answer.", "Restart the machine.")]
        }
        let objects: Value?
        do throws(DBusError) {
            let call = MethodCall(
                destination: "org.bluez", path: "/",
                interface: "org.freedesktop.DBus.ObjectManager", member: "GetManagedObjects")
            objects = try await bus.call(call, timeoutMilliseconds: Self.answerMilliseconds).first
        } catch {
            return [refusal(error)]
        }
        let inventory = BluezInventory(objects)
        let running = Diagnosis.ok(
            .bluez, "The Bluetooth daemon answers; `bluetoothctl --version` tells its version.")
        let allowed = Diagnosis.ok(.permissions, "This user may use Bluetooth.")
        let adapter = Self.adapter(inventory)
        guard adapter.result == .ok else { return [running, adapter, allowed] }
        guard let straps else { return [running, adapter, allowed] }
        let strap = await check(straps.first, inventory)
        return [running, adapter, allowed, strap, otherPrograms(straps, inventory)]
    }

    private func refusal(_ error: DBusError) -> Diagnosis {
        let failure = CallFailure(name: error.name, message: error.message)
        switch FailureCause(failure) {
        case .denied:
            return .problem(
                .permissions, "The bus denies this user access to Bluetooth.",
                "Log in at the machine, or join the group that its policy names (bluetooth).")
        case .daemonAway:
            return .problem(
                .bluez, "The Bluetooth daemon has just gone.", "See `journalctl -u bluetooth`.")
        default:
            return .problem(
                .bluez, "The Bluetooth daemon does not answer: \(printable(error.name)).",
                "Restart it: systemctl restart bluetooth.")
        }
    }

    static func adapter(_ inventory: BluezInventory) -> Diagnosis {
        guard let adapter = inventory.adapter else {
            return inventory.adapters.isEmpty
                ? .problem(
                    .adapter, "There is no Bluetooth adapter.",
                    "Plug one in; `dmesg` tells whether the kernel knows it.")
                : .problem(
                    .adapter, "No Bluetooth adapter here can connect to straps (Low Energy).",
                    "Plug in one of Bluetooth 4.0 or later.")
        }
        let name = printable(adapter.name, limit: 16)
        guard adapter.isPowered else {
            return .problem(
                .adapter, "The Bluetooth adapter \(name) is switched off.",
                "Switch it on: bluetoothctl power on.")
        }
        return .ok(.adapter, "The Bluetooth adapter \(name) is on and can connect to straps.")
    }
}

// MARK: - The strap, and who else uses it

extension BluetoothChecks {
    private func check(_ strap: Strap?, _ inventory: BluezInventory) async -> Diagnosis {
        guard let strap else {
            return .warning(
                .strap, "No strap is paired yet.",
                "`pulselog record` pairs the strongest, `pulselog devices pair` a chosen one."
            )
        }
        let known = inventory.device(strap.address)
        if known?.isConnected == true { return .ok(.strap, "\(strap.title) is connected.") }
        if known?.isHeard == true { return .ok(.strap, "\(strap.title) is in range.") }
        if isRecorderAlive {
            return .warning(
                .strap, "\(strap.title) is not connected; the recorder looks for it.",
                "Wear it, moisten it, and keep other devices off it.")
        }
        guard await isInRange(strap.address) else {
            return .warning(
                .strap, "\(strap.title) was not heard in \(Self.scanMilliseconds / 1_000) s.",
                "Wear it and moisten it: most straps are silent without skin, or while another "
                    + "device is connected.")
        }
        return .ok(.strap, "\(strap.title) is in range.")
    }

    /// Listens until the device is heard, or the time is over.
    private func isInRange(_ address: BluetoothAddress) async -> Bool {
        let (heard, continuation) = AsyncStream.makeStream(
            of: Bool.self, bufferingPolicy: .bufferingOldest(1))
        let central = Central { report, _ in
            if case .deviceSeen(let sighting) = report, sighting.address == address,
                !sighting.isStale
            {
                continuation.yield(true)
            }
        }
        central.want(CentralDesire(scanning: [.heartRate]))
        let scanning = Task { await central.run() }
        let limit = Task {
            try await Task.sleep(for: .milliseconds(Self.scanMilliseconds))
            continuation.finish()
        }
        var isHeard = false
        for await _ in heard {
            isHeard = true
            break
        }
        limit.cancel()
        scanning.cancel()
        await scanning.value
        return isHeard
    }

    private func otherPrograms(_ straps: [Strap], _ inventory: BluezInventory) -> Diagnosis {
        guard !isRecorderAlive else {
            return .ok(.otherPrograms, "The recorder uses Bluetooth; its log tells of others.")
        }
        for strap in straps {
            guard let device = inventory.device(strap.address) else { continue }
            if device.isConnected && device.isNotifying {
                return .warning(
                    .otherPrograms, "Another program is subscribed to \(strap.title).",
                    "Close it: every value would arrive twice. Each would be counted once.")
            }
            if device.isConnected {
                return .warning(
                    .otherPrograms, "\(strap.title) is connected, though no recorder runs.",
                    "Close the other program, or run "
                        + "`bluetoothctl disconnect \(strap.address)`.")
            }
        }
        if inventory.adapter?.isDiscovering == true {
            return .warning(
                .otherPrograms, "Another program is scanning.",
                "Close it if connecting takes long: beside a scan it takes up to 10 s.")
        }
        return .ok(.otherPrograms, "No other program uses the adapter or the strap.")
    }
}

// MARK: - Radio switches

extension Diagnosis {
    /// Judges the radio switches: a problem if every adapter is blocked, a warning if some are.
    init(_ switches: RadioSwitches) {
        let (count, blocks) = (switches.count, switches.blocks)
        guard !blocks.isEmpty else {
            self = .ok(
                .rfkill,
                count == 0 ? "There is no radio switch here." : "No radio switch blocks it.")
            return
        }
        // What a command can unblock is told first.
        let advice =
            blocks.contains(.software)
            ? "Run `rfkill unblock bluetooth`."
            : "Switch the radio on: a key or a slider of the case, or the firmware's settings."
        guard let block = switches.block else {
            self = .warning(.rfkill, "\(blocks.count) of \(count) adapters are blocked.", advice)
            return
        }
        self = .problem(
            .rfkill,
            block == .software
                ? "Bluetooth is blocked." : "A switch of the machine blocks Bluetooth.", advice)
    }
}
