public import EventStore
public import Events
internal import Files

/// Why a log was not made; there is nothing in its place then.
public enum LogCreationError<Failure: Error>: Error {
    /// The store failed.
    case log(EventLogError)
    /// What gives the events failed.
    case source(Failure)

    /// Makes a log, and throws these errors.
    static func mapErrors<Result>(
        in directory: String, _ body: () throws -> Result
    ) throws(Self) -> Result {
        do {
            return try body()
        } catch let error as Self {
            throw error
        } catch {
            throw .log(EventLogError(error, in: directory))
        }
    }

    /// Calls what gives the events.
    static func source<Result>(_ body: () throws(Failure) -> Result) throws(Self) -> Result {
        do throws(Failure) {
            return try body()
        } catch {
            throw .source(error)
        }
    }
}

extension LMDBEventLog {
    /// Makes a log of any length out of batches: it exists completely or not at all, whenever the
    /// power fails.
    ///
    /// The log grows in a directory next to its own, `<name>.creating-` and six characters, and
    /// takes its name when every event is on disk. A process that is killed meanwhile leaves that
    /// directory behind, which may be deleted. One batch is in memory at a time.
    ///
    /// - Parameters:
    ///   - directory: The path of the store; nothing, or an empty directory, is there. The
    ///     directories around it are made as well.
    ///   - origin: What the log is and begins with.
    ///   - mapSizeBytes: How far the data file can grow before the map has to.
    ///   - next: Gives the batches that follow, in order; nil at the end.
    /// - Returns: false if something else has the name, or took it meanwhile.
    /// - Throws: ``LogCreationError``.
    public static func create<Failure: Error>(
        directory: String, origin: LogOrigin, mapSizeBytes: Int = defaultMapSizeBytes,
        followedBy next: () throws(Failure) -> EventBatch?
    ) throws(LogCreationError<Failure>) -> Bool {
        let settings = StoreSettings(mapSizeBytes: mapSizeBytes)
        return try LogCreationError<Failure>.mapErrors(in: directory) {
            try settings.create(directory, origin) { try LogCreationError.source(next) }
        }
    }

    /// The directories in which a log of that name is being made, or was when a process died.
    ///
    /// - Parameter directory: The path of the store.
    /// - Returns: Their paths; what a dead process left may be deleted.
    public static func unfinishedCreations(of directory: String) -> [String] {
        StagingDirectory.unfinished(for: directory)
    }
}
