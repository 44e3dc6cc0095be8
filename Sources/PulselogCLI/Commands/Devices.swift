internal import ArgumentParser
internal import BlueZ
internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import Synchronization

/// `pulselog devices`.
struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Paired straps and pedometers.",
        subcommands: [List.self, Pair.self, Primary.self, Forget.self],
        defaultSubcommand: List.self)

    /// `pulselog devices list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "The paired devices.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let state = try Store.open(common, for: .existing).state()
            let devices = state.deviceReports().filter(\.isPaired)
            if devices.isEmpty && !common.json {
                Output.standard.write(
                    "No device is paired. `pulselog scan` shows what is in range.\n")
            }
            for device in devices {
                Output.standard.write(common.json ? device.jsonLine : Array(device.text.utf8))
            }
        }
    }

    /// `pulselog devices pair`.
    struct Pair: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Look for a device and pair it; the first of a role becomes primary.")
        @Argument(help: "The address, as `pulselog scan --all` shows it.")
        var address: AddressOption
        @Option(help: "How long to look for it, 1 to 600.")
        var seconds = 30
        @OptionGroup var common: CommonOptions

        func run() async throws {
            guard (1...600).contains(seconds) else {
                throw CommandFailure(.usage, "--seconds goes from 1 to 600.")
            }
            let sighting = try await find()
            let space: DeviceID.Space = sighting.addressType == .public ? .public : .random
            let device = DeviceID(address: address.value, space: space)
            let (events, _) = try await Store.perform(common, .creating) { _ in
                .pair(device, name: sighting.name, roles: Roles(services: sighting.services))
            }
            let name = printable(sighting.name ?? sighting.address.description)
            report(events, common, "Paired \(name).")
        }

        /// Scans until the device is seen.
        private func find() async throws -> DeviceSighting {
            let (sightings, continuation) = AsyncStream.makeStream(
                of: DeviceSighting.self, bufferingPolicy: .bufferingOldest(16))
            let wanted = BluetoothAddress(address.value)
            let trouble = Mutex<String?>(nil)
            let central = Central { report, _ in
                if case .deviceSeen(let sighting) = report, sighting.address == wanted {
                    continuation.yield(sighting)
                } else if let sentence = report.sentence {
                    trouble.withLock { $0 = sentence }
                }
            }
            central.want(CentralDesire(scanning: BluetoothUUID.roleServices))
            let seconds = seconds
            let scanning = Task { await central.run() }
            let limit = Task {
                try await Task.sleep(for: .seconds(seconds))
                continuation.finish()
            }
            var found: DeviceSighting?
            for await sighting in sightings {
                found = sighting
                break
            }
            limit.cancel()
            scanning.cancel()
            await scanning.value
            guard let found else {
                let reason = trouble.withLock { $0 } ?? ""
                throw CommandFailure(
                    .unavailable,
                    "\(wanted) was not seen in \(seconds) s. Wear the strap and moisten it. "
                        + reason
                )
            }
            return found
        }
    }

    /// `pulselog devices primary`.
    struct Primary: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Use this paired device for its roles from now on.")
        @Argument(help: "The address of a paired device.")
        var address: AddressOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let address = address
            let (events, _) = try await Store.perform(common) {
                .makePrimary(address.device(in: $0))
            }
            report(events, common, "It is primary now.")
        }
    }

    /// `pulselog devices forget`.
    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Forget a paired device.")
        @Argument(help: "The address of a paired device.")
        var address: AddressOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let address = address
            let (events, _) = try await Store.perform(common) { .forget(address.device(in: $0)) }
            report(events, common, "Forgotten.")
        }
    }
}

extension AddressOption {
    /// The paired device of this address, or one that will be refused.
    fileprivate func device(in state: LogState) -> DeviceID {
        state.live.devices.paired.first { $0.id.address == value }?.id
            ?? DeviceID(address: value, space: .random)
    }
}

extension DeviceReport {
    /// One object and a newline.
    fileprivate var jsonLine: [UInt8] {
        JSONWriter.line { line in
            line.field("address", id.description)
            line.field("name", name)
            line.array("roles") { array in
                if roles.contains(.heart) { array.value("heart") }
                if roles.contains(.footPod) { array.value("footPod") }
                if roles.contains(.watch) { array.value("watch") }
            }
            line.field("primary", primaryRoles.map(\.name))
            line.field("batteryPercent", batteryPercent)
            line.field("manufacturer", manufacturer)
            line.field("drops", link.drops)
            line.field("longestGapMilliseconds", link.longestGapMilliseconds)
        }
    }

    /// One line for people.
    fileprivate var text: String {
        let primary = primaryRoles.isEmpty ? "" : ", primary"
        let battery = batteryPercent.map { ", battery \($0) %" } ?? ""
        let name = printable(name ?? "(no name)", limit: 32)
        let kind = roles.contains(.heart) ? "strap" : "pedometer"
        return "\(id)  \(name)  \(kind)\(primary)\(battery)\n"
    }
}
