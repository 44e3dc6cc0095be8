public import Events

/// The life of a Bluetooth central on BlueZ, as a value: inputs in, actions out, no clock and no
/// bus.
///
/// It compares what is wanted (``CentralDesire``) with BlueZ's reports, and calls for what is
/// missing. Each input only updates what is known, and reports what it says; then
/// ``handle(_:atMilliseconds:)`` reconciles, in the same way whatever has happened. So there is no
/// order of events that it does not know.
///
/// Two properties hold in every state, and are tested: it never has two `Connect` pending for one
/// device, unless the first was called off or the power cut it off, and without time passing it
/// makes a bounded number of calls.
public struct CentralState: Sendable {
    /// The adapter as it was last reported.
    public var adapterState: AdapterState { adapterChange.state }

    /// When ``CentralInput/timePassed`` is due, if nothing else happens before; nil for never.
    public internal(set) var nextDeadlineMilliseconds: UInt64?

    /// Whether nothing is held: no link, no attempt, no scan.
    ///
    /// The end of leaving.
    public var isAtRest: Bool { links.isEmpty && discovery.phase == .idle }

    var adapterChange = AdapterChange(.unknown, .unknown)
    var desire = CentralDesire()
    var mirror = BluezMirror()
    var service = Service()
    var discovery = Discovery()
    var links: [BluetoothAddress: Link] = [:]

    /// Calls without an answer yet.
    ///
    /// An answer that is not among them is of a former life of bluetoothd.
    var calls: [CallID: PendingCall] = [:]

    /// The time of the present input.
    var now: UInt64 = 0
    /// What the present input has led to so far.
    private var actions: [CentralAction] = []
    private var nextCallNumber: UInt64 = 0
    private var findings: [IntakeFinding: UInt64] = [:]
    private var lastSightings: [BluetoothAddress: ShownSighting] = [:]

    /// Makes a central that wants nothing and knows nothing.
    public init() {}

    /// Takes an input and says what to do.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - milliseconds: When, on the boot clock. A time before the last one counts as the last
    ///     one.
    /// - Returns: The actions, to be done in this order.
    public mutating func handle(
        _ input: CentralInput, atMilliseconds milliseconds: UInt64
    ) -> [CentralAction] {
        now = max(now, milliseconds)
        take(input)
        reconcile()
        defer { actions = [] }
        return actions
    }

    // MARK: - Taking inputs

    private mutating func take(_ input: CentralInput) {
        switch input {
        case .desireChanged(let desire): change(to: desire)
        case .serviceAppeared: serviceAppeared()
        case .serviceVanished: serviceVanished(.daemonGone)
        case .busVanished: serviceVanished(.busClosed)
        case .objectAdded(let object):
            if !mirror.add(object, wanted: wantedAddresses) { count(.tooManyDevices) }
            showDevice(object)
        case .objectChanged(let object):
            mirror.change(object)
            showDevice(object)
        case .valueSignalled(let path, let value): takeValue(value, path: path)
        case .objectRemoved(let path, let interface):
            noteRemoval(path: path, interface)
            mirror.remove(path, interface)
        case .disconnected(let path, let name, let message):
            noteLoss(LinkLoss(bluezName: name, message: message), path: path)
        case .answered(let id, let answer):
            if let call = calls.removeValue(forKey: id) { take(answer, to: call) }
        case .found(let finding): count(finding)
        case .timePassed: break
        }
    }

    private mutating func take(_ answer: CallAnswer, to pending: PendingCall) {
        switch pending.purpose {
        case .service: serviceAnswered(pending.call, answer)
        case .agent: break  // Straps that want no pairing need none.
        case .discovery: discoveryAnswered(pending.call, answer)
        case .link(let address): linkAnswered(address, pending, answer)
        case .channel(let address, let uuid): channelAnswered(address, uuid, pending.call, answer)
        }
    }

    private mutating func change(to desire: CentralDesire) {
        guard desire != self.desire else { return }
        let isNewScan = self.desire.scanning != desire.scanning
        self.desire = desire
        let wanted = Dictionary(desire.devices.map { ($0.address, $0) }) { $1 }
        for address in links.keys { links[address]?.wanted = wanted[address] }
        for (address, device) in wanted where links[address] == nil {
            links[address] = Link(wanted: device)
        }
        // A wanted device may be among those there was no room for.
        if mirror.hasLeftOut { service.wantsList = true }
        if isNewScan {
            lastSightings = [:]
            showDevices()
        }
    }

    // MARK: - Reconciling

    /// Compares and acts, until nothing more is to be done now.
    private mutating func reconcile() {
        // Each round does something that waits for an answer or for time, so a few are enough.
        for _ in 0..<8 {
            let count = actions.count
            nextDeadlineMilliseconds = nil
            reconcileService()
            let isConnectDue = reconcileLinks()
            reconcileDiscovery(isConnectDue: isConnectDue)
            if actions.count == count { return }
        }
        assertionFailure("reconciling must come to rest")
    }

    /// The devices that are remembered however many others there are.
    var wantedAddresses: Set<BluetoothAddress> {
        var addresses = Set(links.keys)
        if case .device(let address)? = desire.scanning { addresses.insert(address) }
        return addresses
    }

    /// Whether the device with this object path is wanted, and may be paired with.
    public func isWanted(path: String) -> Bool {
        mirror.devices[path].map { links[$0.address]?.wanted != nil } ?? false
    }
}

// MARK: - What the parts use

extension CentralState {
    /// A call that waits for its answer.
    struct PendingCall: Sendable {
        enum Purpose: Sendable {
            case service
            case agent
            case discovery
            case link(BluetoothAddress)
            case channel(BluetoothAddress, BluetoothUUID)
        }

        let call: CentralCall
        let purpose: Purpose
        let sinceMilliseconds: UInt64
    }

    mutating func send(_ call: CentralCall, for purpose: PendingCall.Purpose) -> CallID {
        let id = CallID(nextCallNumber)
        nextCallNumber += 1
        calls[id] = PendingCall(call: call, purpose: purpose, sinceMilliseconds: now)
        actions.append(.call(id, call))
        return id
    }

    mutating func report(_ report: CentralReport) {
        actions.append(.report(report))
    }

    /// Whether the time has come; if not, asks to be woken then.
    mutating func isDue(orWakeAt milliseconds: UInt64) -> Bool {
        if milliseconds <= now { return true }
        nextDeadlineMilliseconds = min(nextDeadlineMilliseconds ?? .max, milliseconds)
        return false
    }

    mutating func count(_ finding: IntakeFinding) {
        let count = findings[finding, default: 0] + 1
        findings[finding] = count
        // A message that was dropped may have held a reading: each is reported.
        let isTold = count.nonzeroBitCount == 1 || finding == .droppedMessage
        if isTold { report(.intakeFinding(finding, count: count)) }
    }

    /// The pause after so many failures in a row: 1, 2, 4, 8, 16, then 30 s.
    public static func backOffMilliseconds(failures: Int) -> UInt64 {
        failures > 5 ? 30_000 : 1_000 << UInt64(max(failures, 1) - 1)
    }
}

// MARK: - Showing devices

extension CentralState {
    /// At most one sighting a second for each device, and one more if more than the signal changed.
    private static let sightingIntervalMilliseconds: UInt64 = 1_000

    private mutating func showDevice(_ object: LocatedObject) {
        guard object.interface == .device else { return }
        showDevice(atPath: object.path)
    }

    /// Shows what is remembered already.
    mutating func showDevices() {
        for path in mirror.devices.keys.sorted() { showDevice(atPath: path) }
    }

    private mutating func showDevice(atPath path: String) {
        guard let scanning = desire.scanning, let device = mirror.devices[path] else { return }
        let sighting = device.sighting
        // BlueZ merges the filters of all programs, so its choice is not ours.
        guard scanning.shows(sighting) else { return }
        var shown = ShownSighting(sighting: sighting, atMilliseconds: now)
        if let last = lastSightings[sighting.address] {
            var sameButSignal = sighting
            sameButSignal.rssi = last.sighting.rssi
            let isSoon = now < last.atMilliseconds + Self.sightingIntervalMilliseconds
            let isSame = sameButSignal == last.sighting
            if sighting == last.sighting || isSoon && (isSame || last.isExtra) { return }
            shown.isExtra = isSoon
        }
        // Addresses can be made up without end.
        if lastSightings.count > 2 * BluezMirror.deviceLimit { lastSightings = [:] }
        lastSightings[sighting.address] = shown
        report(.deviceSeen(sighting))
    }
}

/// What was last shown of a device.
private struct ShownSighting: Sendable {
    let sighting: DeviceSighting
    let atMilliseconds: UInt64
    /// Whether it was shown within a second of another one.
    var isExtra = false
}
