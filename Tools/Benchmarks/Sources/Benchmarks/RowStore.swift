import CReference

/// A store that keeps each event by itself, which closes with its last reference.
///
/// It belongs to one thread at a time.
final class RowStore {
    private let contender: ref_contender
    private let handle: UnsafeMutableRawPointer?

    /// Makes a store in a directory that exists and holds none.
    init(_ contender: ref_contender, directory: String) throws(ReferenceError) {
        self.contender = contender
        var handle: UnsafeMutableRawPointer?
        let result = contender.open(directory, &handle)
        self.handle = handle
        try check(result, "open")
    }

    deinit {
        contender.close(handle)
    }

    /// What keeps the events.
    var name: String { String(cString: contender.name) }

    /// Appends a chunk in one durable transaction.
    func append(_ chunk: borrowing EventChunk) throws(ReferenceError) {
        try check(
            contender.append(handle, chunk.references, chunk.count, chunk.payloads), "append")
    }

    /// Reads every row and adds up the core totals.
    func addUp() throws(ReferenceError) -> ref_core {
        var totals = ref_core()
        var contender = contender
        try check(ref_contender_add_up(&contender, handle, &totals), "add_up")
        return totals
    }

    private func check(_ result: Int32, _ call: String) throws(ReferenceError) {
        try ReferenceError.check(result, "\(name), \(call)")
    }
}
