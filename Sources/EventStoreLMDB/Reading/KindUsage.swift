public import Events

/// What the events of a kind take in the blocks of a log.
public struct KindUsage: Hashable, Sendable {
    /// The kind, known to this program or not.
    public let kind: EventKind
    /// How many events there are.
    public internal(set) var events: UInt64 = 0
    /// The bytes of their entries in the sections of their lane: all that an event takes but for
    /// its byte in the order.
    public internal(set) var entryBytes = 0
    /// How many of them are of version 1 and have a payload that is not of the kind's layout.
    ///
    /// They are carried along, and no fold uses them. 0 for a kind that this program does not know.
    public internal(set) var undecodableEvents: UInt64 = 0
}

/// An event whose kind is known and whose payload cannot be decoded.
public struct UndecodableEvent: Hashable, Sendable {
    /// Its position.
    public let position: Position
    /// What it says it is.
    public let kind: EventKind
}

/// What the events of all kinds take.
struct KindUsages: Sendable {
    private var all = (UInt8.min...UInt8.max).map { KindUsage(kind: EventKind(rawValue: $0)) }

    /// The first events that cannot be decoded.
    private(set) var undecodable: [UndecodableEvent] = []
    /// How many of those are kept.
    private static let keptLimit = 64

    /// The kinds that there are, in the order of their numbers.
    var used: [KindUsage] { all.filter { $0.events > 0 } }

    /// The bytes of all entries.
    var entryBytes: Int { all.reduce(0) { $0 + $1.entryBytes } }

    /// Adds the events of a block; changes nothing if the block is damaged.
    ///
    /// - Throws: `DamagedBlock`.
    mutating func add(_ block: Span<UInt8>) throws(DamagedBlock) {
        var (all, undecodable) = (all, undecodable)
        try BlockReader.forEachEntry(in: block) { event in
            (event.header.kind, event.isUndecodable ? event.header.position : nil)
        } _: { event, bytes in
            let (kind, position) = event
            all[Int(kind.rawValue)].events += 1
            all[Int(kind.rawValue)].entryBytes += bytes
            guard let position else { return }
            all[Int(kind.rawValue)].undecodableEvents += 1
            if undecodable.count < Self.keptLimit {
                undecodable.append(UndecodableEvent(position: position, kind: kind))
            }
        }
        (self.all, self.undecodable) = (all, undecodable)
    }
}

extension EventView {
    /// Whether kind and version are known, and the payload is not of the kind's layout.
    fileprivate var isUndecodable: Bool {
        guard header.version == 1 else { return false }
        // What comes often is read in place.
        if header.kind == .characteristicNotified { return heartFields == nil }
        if header.kind == .pedometerRead { return pedometerFields == nil }
        if header.kind == .positionFixed { return fix == nil }
        guard header.kind.name != nil else { return false }
        do throws(FieldError) {
            _ = try decode()
            return false
        } catch {
            return true
        }
    }
}
