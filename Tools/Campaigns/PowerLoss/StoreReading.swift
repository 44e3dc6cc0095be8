internal import CampaignRuns
import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events

/// What a store tells of itself.
struct StoreReading {
    /// A number for each event, made of all its bytes.
    private(set) var events: [UInt64] = []
    let blocks: Int
    /// The bytes of the data file in use.
    let fileBytes: Int
    let evidence: EvidenceReport
    /// The end of the snapshot that is used; nil if none is.
    private(set) var snapshotEnd: Position?

    /// Reads everything, and holds it against what vouches for it.
    ///
    /// - Parameters:
    ///   - store: The folder of the store.
    ///   - state: The folder in which the key and the last checkpoint are kept.
    /// - Throws: ``EventLogError``, also for what does not hold.
    init(_ store: String, state: String) throws(EventLogError) {
        let log = try LMDBEventLog.open(directory: store, mode: .readOnly)
        defer { log.close() }
        let statistics = try log.statistics()
        blocks = statistics.blocks
        fileBytes = statistics.fileBytes
        var events: [UInt64] = []
        try log.read(from: 0) { event in
            events.append(Self.number(of: event))
            return true
        }
        self.events = events
        let found = try log.verify(comparingWith: CheckpointFolder("\(state)/\(log.origin)"))
        if let damage = found.damage { throw damage }
        evidence = found.evidence
        let snapshots = SnapshotFile(of: log)
        let (refolded, worth) = try log.refolded(against: snapshots)
        let folded = try log.folded(from: snapshots).state
        if case .holds(let next) = worth { snapshotEnd = next }
        if worth.holds == false || folded != refolded.state {
            throw EventLogError(.damaged, detail: "its snapshot gives other totals")
        }
    }

    private static func number(of event: borrowing EventView) -> UInt64 {
        var fingerprint = Fingerprint()
        fingerprint.add(event)
        return fingerprint.value
    }
}
