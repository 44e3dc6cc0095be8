package import BluetoothCentral
internal import Words
internal import Events

/// The pairing of one device as a value, without a clock and without a bus.
///
/// What the central reports goes in, what is wanted of it comes out. Three rules:
///
/// - Only what is there now is taken: what is heard in this scan, or is linked to this machine and
///   therefore silent. What BlueZ merely remembers may lie at home.
/// - Where no device is named, it listens for some seconds after the first one that fits, and takes
///   the strongest.
/// - A device has the roles that its services have, whatever it advertises, and is paired only
///   after it has agreed to notify for them: what merely advertises may be bound to another
///   machine, or be something else.
package struct PairingFlow: Sendable {
    /// How long others are listened for, once one was heard.
    static let listeningSeconds = 5
    /// How long an attempt may take: BlueZ gives it up after 42 s.
    static let connectingSeconds = 45
    /// The most straps among which it chooses.
    private static let candidateLimit = 1_024

    /// How far it has come.
    package enum State: Hashable, Sendable {
        /// Nobody fits yet.
        case scanning
        /// Somebody fits; a stronger one may follow.
        case listening
        /// The device was chosen and scanning has stopped.
        case connecting(DeviceSighting)
        /// Its services were found, and it is asked to notify.
        case subscribing(DeviceSighting)
        /// The device notifies; its services are those that it keeps its word for.
        case paired(DeviceSighting)
        /// It came to nothing.
        case failed(Failure)

        /// How long this state may last.
        ///
        /// - Parameter seconds: How long a device is looked for; nil for as long as it takes.
        /// - Returns: Seconds; nil for as long as it takes, and at the end.
        package func limitSeconds(searching seconds: Int?) -> Int? {
            switch self {
            case .scanning: seconds
            case .listening: PairingFlow.listeningSeconds
            case .connecting, .subscribing: PairingFlow.connectingSeconds
            case .paired, .failed: nil
            }
        }
    }

    /// Why it came to nothing.
    package enum Failure: Hashable, Sendable {
        /// The device was not seen; the last trouble of the adapter, if there was one.
        case notSeen(trouble: String?)
        /// The bus cannot be reached, so nothing can be heard.
        case noBus(CallFailure)
        /// The adapter cannot be used.
        case adapter(AdapterChange)
        /// No connection came about.
        case noLink(FailureCause)
        /// It is connected, and Bluetooth did not find its services.
        case unresolved
        /// It is connected, and none of its services can be recorded.
        case offersNothing(Set<BluetoothUUID>)
        /// It is connected and lacks what its service is to notify.
        case offersNot(BluetoothUUID)
        /// It is connected and does not notify.
        case notifiesNot(FailureCause)
        /// Somebody called it off.
        case interrupted
    }

    /// How far it has come.
    package private(set) var state = State.scanning
    /// The device that is wanted; nil for the strongest strap in range.
    private let address: BluetoothAddress?
    /// Straps that are taken only if there is no other, for they were tried in vain.
    private let tried: Set<BluetoothAddress>
    /// Straps that are left alone.
    private var shunned: Set<BluetoothAddress>
    /// The straps that are there, as they were heard last.
    private var candidates: [BluetoothAddress: DeviceSighting] = [:]
    /// The named device, if BlueZ only remembers it: it may be there and not be heard.
    private var remembered: DeviceSighting?
    private var subscribed: Set<BluetoothUUID> = []
    private var missing: Set<BluetoothUUID> = []
    /// Whether the link is up.
    private var isLinked = false
    /// Whether its services do not come.
    private var isUnresolved = false
    private var trouble: String?
    private var lastCause = FailureCause.noAnswer

    /// Begins to look.
    ///
    /// - Parameters:
    ///   - address: The device that is wanted; nil for the strongest strap in range.
    ///   - tried: Straps that are taken only if there is no other.
    ///   - shunned: Straps that are left alone.
    package init(
        address: BluetoothAddress?, tried: Set<BluetoothAddress> = [],
        shunned: Set<BluetoothAddress> = []
    ) {
        (self.address, self.tried, self.shunned) = (address, tried, shunned)
    }

    /// The device that was chosen, from then on until it comes to nothing.
    package var chosen: DeviceSighting? {
        switch state {
        case .connecting(let device), .subscribing(let device), .paired(let device): device
        case .scanning, .listening, .failed: nil
        }
    }

    /// The chosen device, with all that it has to notify to be paired.
    package var wanted: WantedDevice? {
        chosen.map {
            WantedDevice(address: $0.address, measurements: Self.measurements(of: $0))
        }
    }

    /// What it has come to; nil until a device is paired.
    package var pairing: Pairing? {
        guard case .paired(let device) = state else { return nil }
        let others = candidates.values.filter { $0.address != device.address }
        return Pairing(
            device: device, isNamed: address != nil, others: others.sorted { rank($0) < rank($1) })
    }

    /// What is wanted of the central in this state.
    package var desire: CentralDesire {
        switch state {
        case .scanning, .listening:
            CentralDesire(scanning: address.map { .device($0) } ?? .services([.heartRate]))
        case .connecting, .subscribing: CentralDesire(devices: wanted.map { [$0] } ?? [])
        case .paired, .failed: CentralDesire()
        }
    }

    /// Hears a report.
    ///
    /// - Parameter report: What the central learnt.
    /// - Returns: Whether the state is another one now.
    package mutating func hear(_ report: CentralReport) -> Bool {
        let before = state
        switch state {
        case .scanning, .listening: scan(report)
        case .connecting(let device), .subscribing(let device): connect(device, report)
        case .paired, .failed: break
        }
        return state != before
    }

    /// The time that a state was given is over; it means nothing to the state after it.
    package mutating func passTime(in timed: State) {
        guard state == timed else { return }
        switch state {
        case .scanning:
            state = remembered.map { .connecting($0) } ?? .failed(.notSeen(trouble: trouble))
        case .listening:
            let best = candidates.values.min { rank($0) < rank($1) }
            state = best.map { .connecting($0) } ?? .scanning
        case .connecting(let device), .subscribing(let device):
            let isHeard = !device.isStale || device.isLinked || lastCause != .noAnswer
            state = .failed(
                isUnresolved
                    ? .unresolved
                    : isLinked
                        ? .notifiesNot(lastCause)
                        : isHeard ? .noLink(lastCause) : .notSeen(trouble: trouble))
        case .paired, .failed: break
        }
    }

    /// Somebody calls it off.
    package mutating func interrupt() {
        switch state {
        case .scanning, .listening, .connecting, .subscribing: state = .failed(.interrupted)
        case .paired, .failed: break
        }
    }

    /// Leaves a strap alone from now on.
    mutating func shun(_ strap: BluetoothAddress) {
        if chosen?.address == strap { state = .failed(.interrupted) }
        shunned.insert(strap)
        candidates[strap] = nil
    }

    // MARK: - States

    private mutating func scan(_ report: CentralReport) {
        switch report {
        case .deviceSeen(let device): see(device)
        default: hearTrouble(report)
        }
    }

    private mutating func see(_ device: DeviceSighting) {
        let isThere = !device.isStale || device.isLinked
        if let address {
            guard device.address == address else { return }
            if isThere { state = .connecting(device) } else { remembered = device }
        } else if isThere, device.services.contains(.heartRate), !shunned.contains(device.address) {
            candidates[device.address] = device
            state = .listening
            guard candidates.count > Self.candidateLimit else { return }
            let last = candidates.values.max { rank($0) < rank($1) }
            if let last { candidates[last.address] = nil }
        } else {
            // It went away while others were listened for.
            candidates[device.address] = nil
        }
    }

    /// What was not tried yet goes first, then what is linked to this machine, then the strongest.
    private func rank(_ device: DeviceSighting) -> (Int, Int, Int, UInt64) {
        (
            tried.contains(device.address) ? 1 : 0, device.isLinked ? 0 : 1,
            -Int(device.rssi ?? .min), device.address.value
        )
    }

    private mutating func connect(_ device: DeviceSighting, _ report: CentralReport) {
        // Others may be linked as well, and be heard in the same stream.
        guard [nil, device.address].contains(report.device) else { return }
        switch report {
        case .linkUp: isLinked = true
        case .servicesUnresolved: isUnresolved = true
        case .servicesFound(let found): find(found.services, of: device)
        case .linkLost: isLinked = false
        case .subscribed(_, let uuid), .valueNotified(_, let uuid, _):
            subscribed.insert(uuid)
            conclude(device)
        case .measurementMissing(_, let uuid):
            missing.insert(uuid)
            conclude(device)
        case .connectFailed(_, let failure, _):
            lastCause = FailureCause(failure)
            if [.wantsPairing, .denied, .blocked].contains(lastCause) {
                state = .failed(.noLink(lastCause))
            }
        case .subscribeFailed(_, let uuid, let failure, _)
        where Self.measurements(of: device).contains(uuid):
            lastCause = FailureCause(failure)
            if [.wantsPairing, .denied, .taken, .refused, .staleServices].contains(lastCause) {
                state = .failed(.notifiesNot(lastCause))
            }
        default: hearTrouble(report)
        }
    }

    /// Its services say what it can be paired for.
    private mutating func find(_ services: Set<BluetoothUUID>, of device: DeviceSighting) {
        var device = device
        device.services = services
        (isLinked, isUnresolved) = (true, false)
        // Where none is named a strap is looked for.
        let isFit =
            address == nil
            ? services.contains(.heartRate) : !Self.measurements(of: device).isEmpty
        guard isFit else { return state = .failed(.offersNothing(services)) }
        state = .subscribing(device)
        conclude(device)
    }

    /// Ends it once each measurement is notified, or known to be missing.
    private mutating func conclude(_ device: DeviceSighting) {
        let wanted = Self.measurements(of: device)
        guard !wanted.isEmpty, subscribed.union(missing).isSuperset(of: wanted) else { return }
        var kept = device
        kept.services = device.services.filter {
            $0.measurement.map(subscribed.contains) ?? true
        }
        if let first = wanted.sorted().first, Self.measurements(of: kept).isEmpty {
            state = .failed(.offersNot(first))
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
        case .busUnavailable(let failure, _): state = .failed(.noBus(failure))
        default: break
        }
    }

    private static func measurements(of device: DeviceSighting) -> Set<BluetoothUUID> {
        Set(device.services.compactMap(\.measurement))
    }
}
