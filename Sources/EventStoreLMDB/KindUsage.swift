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

    init(_ kind: EventKind) {
        self.kind = kind
    }
}

/// What the events of all kinds take.
struct KindUsages: Sendable {
    private var all = (UInt8.min...UInt8.max).map { KindUsage(EventKind(rawValue: $0)) }

    /// The kinds that there are, in the order of their numbers.
    var used: [KindUsage] { all.filter { $0.events > 0 } }

    /// The bytes of all entries.
    var entryBytes: Int { all.reduce(0) { $0 + $1.entryBytes } }

    /// Adds the events of a block; changes nothing if the block is damaged.
    ///
    /// - Throws: `DamagedBlock`.
    mutating func add(_ block: Span<UInt8>) throws(DamagedBlock) {
        var all = all
        try BlockReader.forEachEntry(in: block) { event in
            event.header.kind
        } _: { kind, bytes in
            all[Int(kind.rawValue)].events += 1
            all[Int(kind.rawValue)].entryBytes += bytes
        }
        self.all = all
    }
}
