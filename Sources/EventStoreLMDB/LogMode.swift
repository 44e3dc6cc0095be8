public import Events

/// What may be done with a store.
public enum LogMode: Sendable {
    /// Read and append; make the store if there is none.
    case create(LogOrigin)
    /// Read and append; the store exists.
    case existing
    /// Read only: `data.mdb` is not opened for writing; `lock.mdb` is, and made if it is missing.
    ///
    /// On a medium or in a directory that is not writable, reading works as long as no other
    /// process has the store open: without a lock a writer would not know of the reader.
    case readOnly
}

/// What a new log begins with; randomness and time come from the caller.
public struct LogOrigin: Sendable {
    /// The bytes of a log's identity.
    public static let idBytes = 16

    /// The identity of the log: 16 random bytes.
    public let id: [UInt8]
    /// When the log was made: UTC in milliseconds since 1970-01-01.
    public let createdMilliseconds: Int64
    /// The first events; `originBegan` comes first.
    public let events: EventBatch

    /// Puts together what a new log begins with.
    ///
    /// It is a programmer error if `id` has not 16 bytes, or the first event is not `originBegan`.
    ///
    /// - Parameters:
    ///   - id: 16 random bytes.
    ///   - createdMilliseconds: UTC in milliseconds since 1970-01-01.
    ///   - events: `originBegan`, and what else the new log begins with.
    public init(id: [UInt8], createdMilliseconds: Int64, events: EventBatch) {
        precondition(id.count == LogOrigin.idBytes, "The log's identity is not 16 bytes.")
        precondition(
            events.headers.first?.kind == .originBegan, "The first event is not originBegan.")
        (self.id, self.createdMilliseconds, self.events) = (id, createdMilliseconds, events)
    }
}
