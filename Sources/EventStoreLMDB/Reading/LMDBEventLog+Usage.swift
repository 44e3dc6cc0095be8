public import EventStore
public import Events
internal import Files
internal import Glibc
internal import LMDB

/// What a store takes on the disk, and of what its log consists.
public struct LogUsage: Sendable {
    /// The number of blocks.
    public internal(set) var blocks = 0
    /// How many of them are damaged: nothing is believed of what they say.
    public internal(set) var damagedBlocks = 0
    /// The bytes of the blocks.
    public internal(set) var blockBytes = 0
    /// The bytes of the blocks' headers.
    public internal(set) var headerBytes = 0
    /// The bytes of the sections that give the order of the events.
    public internal(set) var orderBytes = 0
    /// The length of the data file, in bytes.
    public internal(set) var fileSizeBytes = 0
    /// The size of a page, in bytes.
    public internal(set) var pageSizeBytes = 0
    /// The number of pages, free ones included.
    public internal(set) var pages = 0
    /// How many of them are free.
    public internal(set) var freePages = 0
    /// The number of the last commit.
    public internal(set) var commits = 0
    /// The number of reader slots, for all processes together.
    public internal(set) var readerSlots = 0
    /// The views that are open now, of all processes.
    public internal(set) var openViews = 0
    /// How many commits the oldest of them is behind; nil if there is none.
    public internal(set) var oldestViewCommits: Int?
    /// The envelope of the last good event; nil if there is none.
    public internal(set) var last: EventHeader?
    /// The local zone at the last event, as the log has it: minutes east of UTC; 0 if a block is
    /// damaged.
    public internal(set) var zoneOffsetMinutes: Int64 = 0

    private var laneBytes = InlineArray<7, Int>(repeating: 0)
    private var kindUsages = KindUsages()

    /// What the events of each kind take that there is, in the order of the kinds' numbers.
    public var kinds: [KindUsage] { kindUsages.used }

    /// The first 64 events whose payload cannot be decoded, though their kind is known.
    public var undecodable: [UndecodableEvent] { kindUsages.undecodable }

    /// The bytes of the lane sections' heads: with the entries of all kinds they are the lanes'.
    public var sectionHeadBytes: Int {
        Lane.allCases.reduce(0) { $0 + bytes(in: $1) } - kindUsages.entryBytes
    }

    /// The bytes of a lane's sections, their heads included.
    public func bytes(in lane: Lane) -> Int { laneBytes[Int(lane.rawValue)] }

    /// The most that so many blocks could hold, in bytes.
    public var blockRoomBytes: Int { blocks * BlockHead.maximumBytes }

    /// Adds what a block says, unless it is damaged.
    fileprivate mutating func add(_ block: Span<UInt8>, isGood: Bool) {
        blocks += 1
        blockBytes += block.count
        guard isGood, isRead(block) else {
            damagedBlocks += 1
            return
        }
        guard let head = BlockHead(block) else { return }
        orderBytes += head.orderBytes
        var rest = block.count - head.orderBytes
        for lane in Lane.allCases {
            laneBytes[Int(lane.rawValue)] += head.bytes(of: lane)
            rest -= head.bytes(of: lane)
        }
        headerBytes += rest
    }

    /// Adds the events of a block, unless it is damaged.
    ///
    /// - Returns: Whether it is not.
    private mutating func isRead(_ block: Span<UInt8>) -> Bool {
        do {
            try kindUsages.add(block)
            return true
        } catch {
            return false
        }
    }
}

extension LMDBEventLog {
    /// What the store takes on the disk now; each block is checked as those that are read, and its
    /// events are read, so it takes as long as walking the log.
    ///
    /// - Throws: ``EventLogError``.
    public func usage() throws(EventLogError) -> LogUsage {
        var usage = LogUsage()
        // The position after the last event that is good.
        var next: Position = 0
        try readEntries(from: 0) { judged, block in
            do throws(EventLogError) {
                next = try judged.readable().next
                usage.add(block, isGood: true)
            } catch {
                usage.add(block, isGood: false)
            }
            return true
        }
        if next > 0 {
            try read(from: next - 1) { event in
                usage.last = event.header
                return false
            }
            // It lies anywhere before this, and damage there is counted already.
            if usage.damagedBlocks == 0 {
                usage.zoneOffsetMinutes = try zoneOffsetMinutes(at: next - 1)
            }
        }
        // Before this process opens one.
        let views = try store.withEnvironment { try $0.openViews() }
        usage.openViews = views.count
        usage.freePages = try store.read { transaction, environment in
            let info = try environment.info
            usage.pageSizeBytes = info.pageSizeBytes
            usage.pages = info.lastPageNumber + 1
            usage.commits = info.lastTransactionID
            usage.readerSlots = info.readerSlots
            return try transaction.freePageCount
        }
        usage.oldestViewCommits = views.compactMap(\.transactionID).min().map {
            max(0, usage.commits - Int(clamping: $0))
        }
        var status = stat()
        guard stat("\(directory)/data.mdb", &status) == 0 else {
            throw EventLogError(SystemCallError("stat", directory))
        }
        usage.fileSizeBytes = Int(status.st_size)
        return usage
    }
}
