import CReference

/// A failure of the C reference, in its words.
struct ReferenceError: Error, CustomStringConvertible {
    let call: String
    let result: Int32

    var description: String { "\(call): \(String(cString: ref_describe(result)))" }

    /// Throws unless a call succeeded.
    static func check(_ result: Int32, _ call: String) throws(ReferenceError) {
        guard result == 0 else { throw ReferenceError(call: call, result: result) }
    }
}

/// The C program's store, which closes with its last reference.
///
/// It belongs to one thread at a time.
final class ReferenceStore {
    private let handle: OpaquePointer

    init(directory: String) throws(ReferenceError) {
        var handle: OpaquePointer?
        try ReferenceError.check(ref_open(directory, &handle), "ref_open")
        guard let handle else { throw ReferenceError(call: "ref_open", result: Int32(REF_DAMAGED)) }
        self.handle = handle
    }

    deinit {
        ref_close(handle)
    }

    /// The position that the next event gets.
    var next: UInt64 { ref_next(handle) }

    /// Appends a chunk in one durable transaction.
    func append(_ chunk: borrowing EventChunk) throws(ReferenceError) {
        try ReferenceError.check(
            ref_append(handle, chunk.references, chunk.count, chunk.payloads), "ref_append")
    }

    /// Checks every block; gives the number of events.
    func verify() throws(ReferenceError) -> UInt64 {
        var events: UInt64 = 0
        try ReferenceError.check(ref_verify(handle, &events), "ref_verify")
        return events
    }

    /// Adds up the core totals of the whole log.
    func addUp() throws(ReferenceError) -> ref_core {
        var totals = ref_core()
        try ReferenceError.check(ref_add_up(handle, &totals), "ref_add_up")
        return totals
    }
}

extension ReferenceStore {
    /// Compares the logs of two stores that are not open, block for block.
    ///
    /// - Returns: The number of blocks.
    /// - Throws: ``LogsDiffer``; ``ReferenceError``.
    static func compare(_ left: String, _ right: String) throws -> UInt64 {
        var equalBlocks: UInt64 = 0
        let result = ref_compare(left, right, &equalBlocks)
        guard result != Int32(REF_DIFFERENT) else { throw LogsDiffer(block: equalBlocks) }
        try ReferenceError.check(result, "ref_compare")
        return equalBlocks
    }
}

/// Two logs of the same events that are not equal: one side does not follow the record format.
struct LogsDiffer: Error, CustomStringConvertible {
    /// The ordinal of the first block that differs.
    let block: UInt64

    var description: String { "The logs of Swift and of C differ from block \(block) on." }
}
