public import Events

/// A store that was made out of another one, and verified before it got its name.
public struct LogCopy: Sendable {
    /// The position after the last event.
    public let next: Position
    /// The number of blocks.
    public let blocks: Int
    /// The bytes of the blocks.
    public let blockBytes: Int
    /// The bytes of the data file.
    public let fileBytes: Int
    /// The envelope of the last event; nil if there is none.
    public let last: EventHeader?
    /// The local zone at the last event, as the log has it: minutes east of UTC.
    public let zoneOffsetMinutes: Int64
}

/// How the making of a store out of another one ended.
public enum CopyOutcome<Made: Sendable>: Sendable {
    /// The store is there.
    case made(Made)
    /// Something else has its name, or took it meanwhile; nothing was made.
    case nameTaken
    /// `progress` ended it; nothing was made.
    case stopped
}

/// How far the making of a store out of another one has come.
public struct CopyProgress: Hashable, Sendable {
    /// What is being done.
    public enum Step: Sendable {
        /// The file is looked through for blocks.
        case searching
        /// Pages or blocks are copied.
        case copying
        /// The copy is verified.
        case verifying
    }

    /// What is being done.
    public let step: Step
    /// How many bytes of it are done.
    public let doneBytes: Int
    /// How many bytes it has, about.
    public let allBytes: Int
}

/// What a backup came to.
public struct LogBackup: Sendable {
    /// The copy.
    public let copy: LogCopy
    /// The bytes of all pages of the store, free ones included.
    public let storeBytes: Int
    /// How many pages of the store are free.
    public let freePages: Int
    /// The size of a page, in bytes.
    public let pageSizeBytes: Int
}

/// What a damaged file says of the end of its log.
public enum LogEnd: String, Sendable {
    /// Pages that all hold lead to no event after these.
    case whole
    /// Nothing shows that there were more events, but what would have led to them is damaged.
    case doubtful
    /// There were more events.
    case cut
}

/// What a recovery came to.
public struct LogRecovery: Sendable {
    /// The new store; its last events are those of the new origin.
    public let copy: LogCopy
    /// The position after the last event that was kept, where the new origin begins.
    public let keptEvents: Position
    /// The number of blocks that were kept.
    public let keptBlocks: Int
    /// Whether there were events after the kept ones, as far as the file says.
    public let end: LogEnd
    /// The positions of events that were found beyond the first that is missing, in order.
    public let beyond: [Range<Position>]
    /// How many bytes of the file the disk did not give.
    public let unreadableBytes: Int

    /// The number of events beyond the first that is missing.
    public var eventsBeyond: UInt64 { beyond.reduce(0) { $0 + UInt64($1.count) } }
}
