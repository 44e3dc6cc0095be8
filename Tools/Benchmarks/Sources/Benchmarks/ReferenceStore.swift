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
        try ReferenceError.check(ref_open(directory, 16 << 30, &handle), "ref_open")
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

    /// Folds the whole log.
    func fold() throws(ReferenceError) -> ReferenceTotals {
        var totals = ref_totals()
        let result = ref_fold(handle, &totals)
        let owned = ReferenceTotals(owning: totals)
        try ReferenceError.check(result, "ref_fold")
        return owned
    }
}

extension ReferenceStore {
    /// The size of a store that is not open.
    static func measure(_ directory: String) throws(ReferenceError) -> ref_usage {
        var usage = ref_usage()
        try ReferenceError.check(ref_measure(directory, &usage), "ref_measure")
        return usage
    }

    /// Compares the logs of two stores that are not open, block for block.
    ///
    /// - Returns: How many blocks are equal, and whether that is all.
    static func compare(
        _ left: String, _ right: String
    ) throws(ReferenceError) -> (equalBlocks: UInt64, differs: Bool) {
        var equalBlocks: UInt64 = 0
        var differs: Int32 = 0
        try ReferenceError.check(
            ref_compare(left, right, &equalBlocks, &differs), "ref_compare")
        return (equalBlocks, differs != 0)
    }
}

/// What the reference's fold gave; its arrays are freed with it.
final class ReferenceTotals {
    private var totals: ref_totals

    init(owning totals: ref_totals) {
        self.totals = totals
    }

    deinit {
        ref_totals_free(&totals)
    }

    /// The figures of the log as a whole.
    var figures: ref_totals { totals }
    /// The sessions, in order.
    var sessions: [ref_session] {
        Array(UnsafeBufferPointer(start: totals.sessions, count: totals.session_count))
    }
    /// The days, in order.
    var days: [ref_day] {
        Array(UnsafeBufferPointer(start: totals.days, count: totals.day_count))
    }
}
