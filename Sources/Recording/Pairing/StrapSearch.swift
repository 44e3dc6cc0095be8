package import BluetoothCentral
internal import Events
internal import Projections

/// A recorder's search for devices: one ``PairingFlow`` after the other while no strap is paired,
/// until one has paired a strap; or one for the device that the walker has picked among those in
/// range.
struct StrapSearch: Sendable {
    /// How long a device that the flow has paired may take to be durable.
    private static let durableSeconds = 10
    /// How long a device that was picked is looked for.
    static let pickedSeconds = 30
    /// How long a device that was forgotten is not taken unasked.
    package static let forgottenMilliseconds: UInt64 = 24 * 3_600_000

    private var flow: PairingFlow?
    /// The device that the walker has picked last, and what came of it.
    private(set) var picked: Pick?
    /// When the flow came to its present state, on the boot clock.
    private var since: UInt64 = 0
    /// The straps that a flow has tried in vain.
    private var tried: Set<BluetoothAddress> = []
    /// The straps that were forgotten less than a day ago, or are not to tell heart rate.
    private var shunned: Set<BluetoothAddress> = []
    /// What the last flow that paired a device came to, whether or not that is durable yet.
    private(set) var pairing: Pairing?
    /// Who is in range; nil unless somebody wants to know.
    private(set) var range: DevicesInRange?

    /// Whether time matters to it: it looks for a device, or for all that are in range.
    var isUnderWay: Bool { flow != nil || range != nil }

    /// The device that was chosen, to be connected to; nil for none.
    var choice: BluetoothAddress? { wanted?.address }

    /// The device that was chosen, with all that it has to notify; nil for none.
    var wanted: WantedDevice? { flow?.wanted }

    /// How strong a device was when it was chosen, in dBm; nil if it was not, or nobody told.
    func strength(of device: BluetoothAddress) -> Int16? {
        flow?.chosen.flatMap { $0.address == device ? $0.rssi : nil }
    }

    /// Which devices are listened for; nil for none.
    ///
    /// Nobody listens while a device is connected to: that takes the radio's time.
    var scanning: CentralDesire.Scan? {
        guard let flow else { return range?.scan }
        // A flow finds its strap also among all that are to be reported.
        guard case .services? = flow.desire.scanning else { return flow.desire.scanning }
        return range?.scan ?? flow.desire.scanning
    }

    /// Begins if a strap is missing, ends if none is.
    ///
    /// - Parameters:
    ///   - isMissing: Whether none is paired.
    ///   - left: The straps that are left alone: `SourceState.leftAlone(at:)`.
    ///   - now: The boot clock.
    mutating func note(
        isMissing: Bool, leaving left: Set<BluetoothAddress> = [], at now: UInt64
    ) {
        guard !isPick else { return }
        if !isMissing {
            flow = nil
            tried = []
        } else if flow == nil {
            shunned.formUnion(left)
            begin(at: now)
        }
    }

    /// Reports who is in range from now on; for nil it stops that.
    mutating func list(_ scan: CentralDesire.Scan?) {
        if scan != range?.scan { range = scan.map { DevicesInRange($0) } }
    }

    /// Whether the flow is about a device that was picked.
    private var isPick: Bool { picked?.outcome == .open }

    /// Looks for a device that was picked, to pair it, unless it does so already.
    mutating func pick(_ pick: Pick?, at now: UInt64) {
        guard let pick else { return conclude(.failed(.interrupted, name: nil)) }
        let goesOn = isPick && picked?.device == pick.device
        picked = pick
        guard !goesOn else { return }
        shunned.remove(pick.device)
        var flow = PairingFlow(address: pick.device)
        since = now
        // Who is in range is told once only.
        if let sighting = range?[pick.device] { _ = flow.hear(.deviceSeen(sighting)) }
        self.flow = flow
    }

    /// Leaves a strap alone from now on.
    mutating func shun(_ strap: BluetoothAddress, at now: UInt64) {
        let chosen = flow?.chosen
        shunned.insert(strap)
        flow?.shun(strap)
        settle(after: chosen, at: now)
    }

    /// A device is paired, and that is durable.
    mutating func conclude(_ device: DeviceID) {
        if picked?.device.value == device.address { conclude(.paired) }
    }

    private mutating func conclude(_ outcome: Pick.Outcome) {
        guard isPick else { return }
        picked?.outcome = outcome
        flow = nil
    }

    /// Hears a report.
    ///
    /// - Returns: The flow, if it has come to another state.
    mutating func hear(_ report: CentralReport, at now: UInt64) -> PairingFlow? {
        range?.hear(report, at: now)
        let chosen = flow?.chosen
        guard flow?.hear(report) == true else { return nil }
        since = now
        pairing = flow?.pairing ?? pairing
        settle(after: chosen, at: now)
        return flow
    }

    /// Lets time pass.
    mutating func passTime(at now: UInt64) {
        range?.passTime(at: now)
        guard let state = flow?.state else { return }
        let isPaired = flow?.pairing != nil
        let seconds = isPick ? Self.pickedSeconds : nil
        let limit = isPaired ? Self.durableSeconds : state.limitSeconds(searching: seconds)
        guard let limit, now >= since + UInt64(limit) * 1_000 else { return }
        guard !isPaired else { return isPick ? conclude(.paired) : begin(at: now) }
        let chosen = flow?.chosen
        flow?.passTime(in: state)
        since = now
        settle(after: chosen, at: now)
    }

    /// A flow that came to nothing is followed by another one, which tries others first; a device
    /// that was picked has had its chance.
    private mutating func settle(after chosen: DeviceSighting?, at now: UInt64) {
        guard case .failed(let reason) = flow?.state else { return }
        guard !isPick else { return conclude(.failed(reason, name: chosen?.name)) }
        switch reason {
        case .noLink, .unresolved, .offersNothing, .offersNot, .notifiesNot:
            if let chosen { tried.insert(chosen.address) }
        case .notSeen, .noBus, .adapter, .interrupted: break
        }
        begin(at: now)
    }

    private mutating func begin(at now: UInt64) {
        flow = PairingFlow(address: nil, tried: tried, shunned: shunned)
        since = now
    }
}

extension SourceState {
    /// The straps that are not taken unasked: those that are not to tell heart rate, and those that
    /// were forgotten less than a day before a moment.
    func leftAlone(at moment: Moment) -> Set<BluetoothAddress> {
        let now = clock.time(at: moment.stamp, moment.flags)
        let left = devices.all.filter { device in
            let age = device.forgottenAt.map { now - min($0, now) }
            return device.declined.contains(.heart)
                || age.map { $0 < StrapSearch.forgottenMilliseconds } ?? false
        }
        return Set(left.compactMap { BluetoothAddress($0.id) })
    }
}

/// A device that the walker has picked to be paired.
package struct Pick: Hashable, Sendable {
    /// What came of it.
    package enum Outcome: Hashable, Sendable {
        /// It is not known yet.
        case open
        /// It is paired.
        case paired
        /// It cannot be paired; with what it calls itself, a stranger's text.
        case failed(PairingFlow.Failure, name: String?)
    }

    /// The device.
    package let device: BluetoothAddress
    /// Counts the picks of a front, so that it knows its own.
    package let number: UInt64
    /// What came of it.
    package internal(set) var outcome = Outcome.open

    /// Picks a device.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - number: A greater one than that of each pick before.
    package init(_ device: BluetoothAddress, number: UInt64) {
        (self.device, self.number) = (device, number)
    }
}
