internal import BlueZ
internal import Events

/// The pairing of one device (PRODUCT B4) as a value, without a clock and without a bus.
///
/// What the central reports goes in, what is wanted of it comes out. A device is paired only after
/// it has offered what it is paired for and has agreed to notify it: what merely advertises may be
/// bound to another machine, or be something else.
struct PairingFlow {
    /// How far it has come.
    enum State: Hashable {
        /// Nobody fits yet.
        case scanning
        /// The device was chosen and scanning has stopped.
        case connecting(DeviceSighting)
        /// The device notifies; its services are those that it keeps its word for.
        case paired(DeviceSighting)
        /// It came to nothing.
        case failed(Failure)
    }

    /// Why it came to nothing.
    enum Failure: Hashable {
        /// The device was not seen; the last trouble of bus or adapter, if there was one.
        case notSeen(trouble: String?)
        /// The adapter cannot be used.
        case adapter(AdapterChange)
        /// No connection came about.
        case noLink(FailureCause)
        /// It is connected and does not offer what it was chosen for.
        case offersNot(BluetoothUUID)
        /// It is connected and does not notify.
        case notifiesNot(FailureCause)
        /// Somebody called it off.
        case interrupted
    }

    /// How far it has come.
    private(set) var state = State.scanning
    /// The device that is wanted; nil for the first strap in range.
    private let address: BluetoothAddress?
    /// A device that fits and that BlueZ only remembers: it may be linked and therefore silent.
    private var remembered: DeviceSighting?
    private var subscribed: Set<BluetoothUUID> = []
    private var missing: Set<BluetoothUUID> = []
    /// Whether the link stands.
    private var isLinked = false
    private var trouble: String?
    private var lastCause = FailureCause.noAnswer

    /// Begins to look.
    ///
    /// - Parameter address: The device that is wanted; nil for the first strap in range.
    init(address: BluetoothAddress?) {
        self.address = address
    }

    /// What is wanted of the central in this state.
    var desire: CentralDesire {
        switch state {
        case .scanning:
            CentralDesire(scanning: address == nil ? [.heartRate] : BluetoothUUID.roleServices)
        case .connecting(let device):
            CentralDesire(devices: [
                WantedDevice(address: device.address, measurements: Self.measurements(of: device))
            ])
        case .paired, .failed: CentralDesire()
        }
    }

    /// Hears a report.
    ///
    /// - Parameter report: What the central learnt.
    /// - Returns: Whether the state is another one now.
    mutating func hear(_ report: CentralReport) -> Bool {
        let before = state
        switch state {
        case .scanning: scan(report)
        case .connecting(let device): connect(device, report)
        case .paired, .failed: break
        }
        return state != before
    }

    /// The time that a state was given is over; it means nothing to the state behind it.
    mutating func passTime(in timed: State) {
        guard state == timed else { return }
        switch state {
        case .scanning:
            state = remembered.map { .connecting($0) } ?? .failed(.notSeen(trouble: trouble))
        case .connecting:
            state = .failed(isLinked ? .notifiesNot(lastCause) : .noLink(lastCause))
        case .paired, .failed: break
        }
    }

    /// Somebody calls it off.
    mutating func interrupt() {
        switch state {
        case .scanning, .connecting: state = .failed(.interrupted)
        case .paired, .failed: break
        }
    }

    // MARK: - States

    private mutating func scan(_ report: CentralReport) {
        switch report {
        case .deviceSeen(let device) where fits(device):
            if device.isStale { remembered = device } else { state = .connecting(device) }
        default: hearTrouble(report)
        }
    }

    private func fits(_ device: DeviceSighting) -> Bool {
        guard let address else { return device.services.contains(.heartRate) }
        return device.address == address && !Self.measurements(of: device).isEmpty
    }

    private mutating func connect(_ device: DeviceSighting, _ report: CentralReport) {
        switch report {
        case .linkUp: isLinked = true
        case .linkLost: isLinked = false
        case .subscribed(_, let uuid), .valueNotified(_, let uuid, _):
            subscribed.insert(uuid)
            conclude(device)
        case .measurementMissing(_, let uuid):
            missing.insert(uuid)
            conclude(device)
        case .connectFailed(_, let failure, _):
            lastCause = FailureCause(failure)
            if [.wantsPairing, .denied].contains(lastCause) { state = .failed(.noLink(lastCause)) }
        case .subscribeFailed(_, let uuid, let failure, _)
        where Self.measurements(of: device).contains(uuid):
            lastCause = FailureCause(failure)
            if [.wantsPairing, .denied, .taken, .refused].contains(lastCause) {
                state = .failed(.notifiesNot(lastCause))
            }
        default: hearTrouble(report)
        }
    }

    /// Ends it once each measurement is notified, or known to be missing.
    private mutating func conclude(_ device: DeviceSighting) {
        let wanted = Self.roles.filter { device.services.contains($0.service) }
        guard wanted.allSatisfy({ (subscribed.union(missing)).contains($0.measurement) }) else {
            return
        }
        var kept = device
        for role in wanted where !subscribed.contains(role.measurement) {
            kept.services.remove(role.service)
        }
        let first = wanted.first { missing.contains($0.measurement) }
        if let first, Self.measurements(of: kept).isEmpty {
            state = .failed(.offersNot(first.measurement))
        } else {
            state = .paired(kept)
        }
    }

    /// What the walker must mend first ends it; what may pass is kept in mind.
    private mutating func hearTrouble(_ report: CentralReport) {
        switch report {
        case .adapterStateChanged(let change):
            switch change.state {
            case .poweredOff, .unsupported, .unauthorized: state = .failed(.adapter(change))
            case .resetting: trouble = report.sentence
            case .unknown, .poweredOn: trouble = nil
            }
        case .busUnavailable: trouble = report.sentence
        default: break
        }
    }

    /// The services by which a device fills a role, and what it is to notify for each.
    private static let roles: [(service: BluetoothUUID, measurement: BluetoothUUID)] = [
        (.heartRate, .heartRateMeasurement), (.runningSpeedAndCadence, .rscMeasurement),
        (.infiniTimeMotion, .infiniTimeStepCount),
    ]

    private static func measurements(of device: DeviceSighting) -> Set<BluetoothUUID> {
        Set(roles.filter { device.services.contains($0.service) }.map(\.measurement))
    }
}

// MARK: - Words

extension PairingFlow.Failure {
    /// What happened and what to do.
    ///
    /// - Parameters:
    ///   - name: What the device is called, harmless in a terminal.
    ///   - address: Its address, if it is known.
    ///   - seconds: How long it was looked for.
    /// - Returns: The failure of the command.
    func commandFailure(
        of name: String, _ address: BluetoothAddress?, seconds: Int
    ) -> CommandFailure {
        let pair = address.map { "bluetoothctl pair \($0)" } ?? "bluetoothctl pair"
        switch self {
        case .notSeen(let trouble):
            return CommandFailure(
                .unavailable,
                "\(name) was not seen in \(seconds) s. "
                    + (trouble ?? "Wear it and moisten it, and keep other devices off it."))
        case .adapter(let change):
            let code: CommandFailure.Code =
                change.state == .unauthorized ? .permission : .unavailable
            let report = CentralReport.adapterStateChanged(change)
            return CommandFailure(code, report.sentence ?? "Bluetooth cannot be used.")
        case .interrupted:
            return CommandFailure(.tryAgain, "Nothing was paired: it was called off.")
        case .noLink(.denied), .notifiesNot(.denied):
            return CommandFailure(
                .permission, "The bus denies access to \(name). Run as a user who may use it.")
        case .noLink(.wantsPairing), .notifiesNot(.wantsPairing):
            return CommandFailure(
                .unavailable, "\(name) wants a bond with this machine first. Run `\(pair)`.")
        case .notifiesNot(.taken):
            return CommandFailure(
                .unavailable,
                "Another program keeps the values of \(name) to itself. Close that program.")
        case .noLink:
            return CommandFailure(
                .unavailable,
                "\(name) was seen and does not answer. Come closer, and keep other devices off "
                    + "it: most straps talk to one or two at a time.")
        case .offersNot(let uuid):
            return CommandFailure(
                .unavailable,
                "\(name) does not offer \(uuid): it gives nothing to record. Is it the right one?")
        case .notifiesNot:
            return CommandFailure(
                .unavailable,
                "\(name) is connected and does not send. It may want a bond first: `\(pair)`.")
        }
    }
}
