internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import LookingBack
internal import Projections
internal import Recording
internal import Terminal
internal import Text
internal import Words

extension Store {
    /// Lets a copy of a store that is still there go on as a log of its own, and says so.
    ///
    /// Otherwise both would be signed under one name, and whichever is signed later would be an
    /// older state of the other.
    ///
    /// - Returns: The store, opened again if it was a copy.
    /// - Throws: ``CommandFailure`` if the log cannot be folded or written.
    func apartFromOriginal() throws(CommandFailure) -> Store {
        guard let folder = CommonOptions.checkpointFolder(of: log), !isRecorderAlive,
            let original = log.original(in: folder)
        else { return self }
        let end = try withLog { (log) throws(EventLogError) in try log.next }
        let origin = try Self.newOrigin(.restored, after: log, on: .this())
        let id = log.id
        log.close()
        do throws(EventLogError) {
            try LMDBEventLog.beginAnew(in: directory, insteadOf: id, at: end, origin)
            let store = Store(
                directory: directory,
                log: try LMDBEventLog.open(directory: directory, mode: .existing))
            let words =
                "\(printable(directory, limit: 4_096)) is a copy of "
                + "\(printable(original, limit: 4_096)), which is still there. So it goes on as a "
                + "log of its own, with a new origin at position \(end) and a key of its own."
            Output.standardError.write("pulselog: \(words)\n")
            return store
        } catch {
            throw CommandFailure(error, store: directory)
        }
    }
}
