internal import ArgumentParser
internal import BluetoothCentral
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import JSON
internal import Projections
internal import Recording
internal import Sensors
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// `pulselog devices`.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Paired straps and pedometers.",
        subcommands: [List.self, Pair.self, Primary.self, Contact.self, Forget.self],
        defaultSubcommand: List.self)

    /// `pulselog devices list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "The paired devices.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let state = try common.open(.reading).state()
            let devices = state.deviceReports().filter(\.isPaired)
            let sources = state.own.recorder.positions.shown
            let nobody = "No device is paired. `pulselog scan --all` shows what is in range."
            let lines = devices.map(\.jsonLine) + sources.map(\.jsonLine)
            common.write(list: lines, orElse: nobody) {
                var table = DeviceReport.table
                for device in devices { device.add(to: &table) }
                for source in sources { source.add(to: &table, isLeading: source == sources[0]) }
                return table
            }
        }
    }

    /// `pulselog devices pair`.
    struct Pair: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pair",
            abstract: "Look for a device and pair it; the first of a role becomes primary.",
            discussion: """
                A device is paired once it has been seen, connects, and has agreed to notify \
                its measurement. Without an address, the strongest strap heard within 5 s of \
                the first is paired. While a walk is being recorded without its strap, the one \
                that is named becomes primary at once, and the recorder looks for it.
                """)
        @Argument(help: "The address, as `pulselog scan --all` shows it.")
        var address: WrittenAddress?
        @Option(help: "How long to look for it, 1 to 600.")
        var seconds = 30
        @OptionGroup var common: CommonOptions

        func validate() throws { try refuse(seconds, of: "--seconds", outside: 1...600) }

        func run() async throws {
            if let address, address.isKernel { return try await pairCounter(address) }
            if let holder = RecorderLock.holder(in: try common.storeDirectory()) {
                return try await pairBeside(holder)
            }
            let pairing = try await search(
                PairingRun(address: address.map { BluetoothAddress($0.value) }, seconds: seconds))
            let sighting = pairing.device
            let address = sighting.address.value
            try await common.perform(.creating) { state in
                let known = state.own.devices.all.first { $0.id.address == address }
                return .pair(
                    known?.id ?? sighting.id, name: sighting.name,
                    roles: Roles(services: sighting.services))
            } saying: { state in
                let device = state.deviceReports().first { $0.id.address == address }
                return pairing.announcement(primary: device?.primaryRoles ?? [])
            }
        }

        /// Pairs a step counter that was forgotten; a new one is paired by `record`.
        private func pairCounter(_ address: WrittenAddress) async throws {
            let counters = KernelStepCounters(in: Surroundings.stepCounters).found
            guard let counter = counters.first(where: { $0.device.address == address.value })
            else {
                throw CommandFailure(.unavailable, "This machine has no such step counter.")
            }
            let command = Command.pair(counter.device, name: counter.name, roles: .stepCounter)
            try await common.perform(command, .creating) { _ in
                "Paired \(deviceTitle(counter.name, ""))."
            }
        }

        /// Chooses the strap, and says whether the recorder has connected to it.
        private func pairBeside(_ holder: RecorderHolder) async throws {
            guard let address else {
                throw CommandFailure(
                    .tryAgain,
                    "The recorder is used by \(holder), so name the strap: `pulselog devices pair "
                        + "ADDRESS`. `pulselog scan` shows the addresses.")
            }
            let store = try common.open(.existing)
            let title = BluetoothAddress(address.value).description
            let choice = try await store.chooseBesideRecorder(address.value)
            for event in choice.events where common.json { Output.standard.write(event.jsonLine) }
            if Output.standardError.isTerminal {
                Output.standardError.write(
                    "\(title) is paired and primary; the recorder is looking for it. Wear it, or "
                        + "wake it.\n")
            }
            guard await store.isHeard(choice, within: seconds) else {
                throw CommandFailure(
                    .unavailable,
                    "\(title) is paired and primary, but was not heard within \(seconds) s; the "
                        + "recorder keeps looking for it. Wear it or wake it, and come closer, or "
                        + "go back: `\(choice.wayBack)`.")
            }
            let primary = "Paired \(title); it is primary, and the recorder is connected to it."
            if !common.json { Output.standard.write(primary + "\n") }
        }

        /// Looks for the device, and says what is going on to whoever waits at a terminal.
        ///
        /// A terminal that was stopped holds up neither the search nor its end: the device is left.
        private func search(_ run: PairingRun) async throws -> Pairing {
            let name = address.map { BluetoothAddress($0.value).description }
            let isTerminal = Output.standardError.isTerminal
            let messages = StreamWriter.sentences()
            // A program that is killed leaves its links standing, and a strap that is linked is
            // mute.
            let interruption = Interruption { _ in run.interrupt() }
            defer { interruption.stop() }
            do throws(PairingError) {
                let pairing = try await run.run { state in
                    guard isTerminal, let sentence = state.sentence(lookingFor: name) else {
                        return
                    }
                    messages.put(Array("\(sentence)\n".utf8))
                }
                await messages.finish()
                return pairing
            } catch {
                await messages.finish()
                throw CommandFailure(error.failure.code, error.description)
            }
        }
    }

    /// `pulselog devices primary`.
    struct Primary: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "primary", abstract: "Use this paired device for its roles from now on.")
        @Argument(help: "The address of a paired device.")
        var address: WrittenAddress
        @Option(help: "For one of its roles only: heart or steps.")
        var role: RoleOption?
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (address, role) = (address, role?.role)
            try await common.perform {
                .makePrimary($0.paired(address.value), role)
            } saying: { _ in
                "It is now primary\(role.map { " for \($0.words)" } ?? "")."
            }
        }
    }

    /// `pulselog devices contact`.
    struct Contact: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "contact",
            abstract: "Ignore or trust what a paired strap reports about contact with the skin.",
            discussion: """
                Values without contact do not count. Some straps report none although they are on \
                and measure: `ignore` counts what they send from now on, `trust` ends that. What \
                came before stays as it was; `--what-if countNoContact=true` of `replay` counts it.
                """)
        @Argument(help: "ignore or trust.")
        var choice: Choice
        @Argument(help: "The address of a paired strap.")
        var address: WrittenAddress
        @OptionGroup var common: CommonOptions

        /// What becomes of it.
        enum Choice: String, ExpressibleByArgument, CaseIterable {
            case ignore
            case trust
        }

        func run() async throws {
            let (address, isIgnored) = (address, choice == .ignore)
            try await common.perform {
                .ignoreContact($0.paired(address.value), isIgnored)
            } saying: { _ in
                isIgnored
                    ? "Its values count from now on, whatever it reports about contact."
                    : "Its values count only with contact from now on."
            }
        }
    }

    /// `pulselog devices forget`.
    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Forget a paired device.")
        @Argument(help: "The address of a paired device.")
        var address: WrittenAddress
        @Option(help: "Only stop using it for this: heart or steps.")
        var role: RoleOption?
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (address, role) = (address, role?.role)
            try await common.perform {
                .forget($0.paired(address.value), role)
            } saying: { state in
                let isPaired = state.deviceReports().contains {
                    $0.isPaired && $0.id.address == address.value
                }
                return isPaired
                    ? "It is no longer used for \(role?.words ?? "that"); it stays paired."
                    : "Forgotten. For a day no recording pairs it unasked; "
                        + "`pulselog devices pair \(BluetoothAddress(address.value))` does."
            }
        }
    }
}

extension PairingFlow.Failure {
    /// The exit code that tells a script of it.
    var code: CommandFailure.Code {
        switch self {
        case .adapter(let change) where change.state == .unauthorized: .permission
        case .noBus(let failure) where FailureCause(failure) == .denied: .permission
        case .noLink(.denied), .notifiesNot(.denied): .permission
        case .interrupted: .tryAgain
        case .noBus, .adapter, .noLink, .unresolved, .notifiesNot, .notSeen, .offersNothing,
            .offersNot:
            .unavailable
        }
    }
}
