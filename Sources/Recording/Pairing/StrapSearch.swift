internal import BluetoothCentral

/// A recorder's search for a strap while none is paired: one ``PairingFlow`` after the other, until
/// one has paired a strap.
struct StrapSearch: Sendable {
    /// How long a strap that the flow has paired may take to be durable.
    private static let durableSeconds = 10

    private var flow: PairingFlow?
    /// When the flow came to its present state, on the boot clock.
    private var since: UInt64 = 0
    /// The straps that a flow has tried in vain.
    private var tried: Set<BluetoothAddress> = []
    /// The straps that were forgotten while this recorder ran.
    private var shunned: Set<BluetoothAddress> = []
    /// What the last flow that paired a strap came to, whether or not that is durable yet.
    private(set) var pairing: Pairing?

    /// Makes a search that has not begun.
    init() {}

    /// The strap that was chosen, to be connected to; nil for none.
    var choice: BluetoothAddress? { wanted?.address }

    /// The strap that was chosen, with all that it has to notify; nil for none.
    var wanted: WantedDevice? { flow?.wanted }

    /// Begins if a strap is missing, ends if none is.
    mutating func note(isMissing: Bool, at now: UInt64) {
        if !isMissing {
            flow = nil
            tried = []
        } else if flow == nil {
            begin(at: now)
        }
    }

    /// Leaves a strap alone from now on.
    mutating func shun(_ strap: BluetoothAddress, at now: UInt64) {
        let choice = choice
        shunned.insert(strap)
        flow?.shun(strap)
        settle(after: choice, at: now)
    }

    /// Hears a report.
    ///
    /// - Returns: The flow, if it has come to another state.
    mutating func hear(_ report: CentralReport, at now: UInt64) -> PairingFlow? {
        let choice = choice
        guard flow?.hear(report) == true else { return nil }
        since = now
        pairing = flow?.pairing ?? pairing
        settle(after: choice, at: now)
        return flow
    }

    /// Lets time pass.
    mutating func passTime(at now: UInt64) {
        guard let state = flow?.state else { return }
        let isPaired = flow?.pairing != nil
        let limit = isPaired ? Self.durableSeconds : state.limitSeconds(searching: nil)
        guard let limit, now >= since + UInt64(limit) * 1_000 else { return }
        guard !isPaired else { return begin(at: now) }
        let choice = choice
        flow?.passTime(in: state)
        since = now
        settle(after: choice, at: now)
    }

    /// A flow that came to nothing is followed by another one, which tries others first.
    private mutating func settle(after choice: BluetoothAddress?, at now: UInt64) {
        guard case .failed(let failure) = flow?.state else { return }
        switch failure {
        case .noLink, .offersNot, .notifiesNot: if let choice { tried.insert(choice) }
        case .notSeen, .adapter, .interrupted: break
        }
        begin(at: now)
    }

    private mutating func begin(at now: UInt64) {
        flow = PairingFlow(address: nil, tried: tried, shunned: shunned)
        since = now
    }
}
