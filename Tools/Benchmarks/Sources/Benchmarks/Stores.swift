import Events
import EventStore
import EventStoreLMDB
import FoundationEssentials

/// A directory for the stores of one run, removed with the last reference to it.
final class Workspace {
    let path: String

    init(in directory: String) throws {
        path = directory + "/pulselog-benchmarks-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("The directory \(path) is left over: \(error)")
        }
    }

    /// A new directory within.
    func directory(_ name: String) throws -> String {
        let directory = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        return directory
    }

    /// The two stores of a measure.
    func stores(_ name: String) throws -> StorePair {
        try StorePair(swift: "\(path)/\(name)-swift", reference: "\(path)/\(name)-c")
    }
}

/// Where the two sides of a measure keep the same log.
struct StorePair: Sendable {
    let swift: String
    let reference: String

    fileprivate init(swift: String, reference: String) throws {
        (self.swift, self.reference) = (swift, reference)
        try FileManager.default.createDirectory(
            atPath: reference, withIntermediateDirectories: true)
    }

    /// Makes both stores with the first events of the input.
    func create(
        _ prologue: EventChunk
    ) throws -> (swift: LMDBEventLog, reference: ReferenceStore) {
        let origin = LogOrigin(
            id: [UInt8](repeating: 0, count: LogOrigin.idBytes), createdMilliseconds: 0,
            events: prologue.batch)
        let log = try LMDBEventLog.open(directory: swift, mode: .create(origin))
        let store = try ReferenceStore(directory: reference)
        try store.append(prologue)
        return (log, store)
    }

    /// Compares the logs, which are not open, block for block.
    ///
    /// - Returns: The number of blocks.
    /// - Throws: ``LogsDiffer``.
    func compare() throws -> UInt64 { try ReferenceStore.compare(swift, reference) }
}
