internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Glibc
package import Interchange
internal import Projections
package import Stores
internal import Text
internal import Words

/// Writes each walk into a folder when it has ended, for a script or another program to take it
/// from there.
///
/// Only walks that end from now on are written: what had ended before may have been taken from the
/// folder already. Nothing of it hinders the recording; what fails is said once.
package struct FinishedWalks: Sendable {
    private let store: Store
    private let folder: String
    private let format: WalkFormat
    /// The walks that had ended before, or were written or given up.
    private var known: Set<Position>
    /// Where the log ended when it was looked at last.
    private var next: Position
    private var complaint: String?
    /// How long after a failure the log is read again.
    private static let patience = Duration.seconds(5)

    /// Begins after the walks that have ended.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - folder: The folder; it may come later.
    ///   - format: What to write.
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    package init(of store: Store, to folder: String, as format: WalkFormat) throws {
        (self.store, self.folder, self.format) = (store, folder, format)
        let state = try store.state()
        known = Set(state.walked.sessions.ended.map(\.position))
        next = state.next
    }

    /// Why nothing can be written now, before any walk has ended; nil if it can.
    package var obstacle: String? {
        access(folder, W_OK | X_OK) == 0
            ? nil
            : "\(printable(folder, limit: 200)) is not a folder that can be written to; walks are "
                + "recorded, and not written there."
    }

    /// Writes what has ended since.
    ///
    /// - Returns: What to say: of each failure one sentence, unless the one before was the same.
    package mutating func write() -> [String] {
        do {
            return try writeEnded()
        } catch {
            let words = complain(CommandFailure(error, store: store.directory).message)
            return words.map { [$0] } ?? []
        }
    }

    private mutating func writeEnded() throws -> [String] {
        let ended = try store.state().walked.sessions.ended.map(\.position)
        return ended.filter { known.insert($0).inserted }.compactMap { write($0) }
    }

    /// Writes walks as they end, until the task is cancelled or the log is closed.
    ///
    /// - Parameter say: Called with what fails.
    package mutating func follow(_ say: (String) -> Void) async {
        var hasEnded = false
        while !Task.isCancelled {
            do {
                try await store.log.waitForEvent(at: next)
                try store.log.read(from: next) { event in
                    next = event.header.position + 1
                    if event.header.kind == .sessionEnded { hasEnded = true }
                    return true
                }
                if hasEnded { try writeEnded().forEach(say) }
                hasEnded = false
            } catch {
                if Task.isCancelled || (error as? EventLogError)?.code == .closed { break }
                let words = CommandFailure(error, store: store.directory).message
                if let words = complain(words) {
                    say("Walks are not written for now, which is tried again: \(words)")
                }
                do { try await Task.sleep(for: Self.patience) } catch { break }
            }
        }
        write().forEach(say)
    }

    /// What to say; nil if it was said of the failure before.
    private mutating func complain(_ words: String) -> String? {
        defer { complaint = words }
        return words == complaint ? nil : words
    }

    /// Writes a walk.
    ///
    /// - Returns: Why it was not, unless that was said of the one before.
    private mutating func write(_ position: Position) -> String? {
        do {
            let before = try store.state(until: position)
            let state = try store.state()
            guard let report = state.sessionReport(position, at: state.lastMoment) else {
                return nil
            }
            let series = try store.withLog { try $0.series(of: report, after: before) }
            let walk = WalkFile(report, series)
            if let refusal = walk.refusal(format) {
                return "Walk \(position) was not written. \(refusal)"
            }
            try write(walk)
            complaint = nil
            return nil
        } catch {
            let words = CommandFailure(error, store: store.directory).message
            guard let words = complain(words) else { return nil }
            return "Walk \(position) was not written: \(words) `pulselog export \(position) "
                + "--format \(format.rawValue) --out FILE` writes it later."
        }
    }

    /// Writes a file whole or not at all; of two walks that began in one minute the second has its
    /// position in its name.
    private func write(_ walk: WalkFile) throws {
        var path = "\(folder)/\(walk.fileName)"
        var status = stat()
        if lstat("\(path).\(format.fileExtension)", &status) == 0 {
            path += "-\(walk.report.position)"
        }
        try walk.write(format, to: "\(path).\(format.fileExtension)", besides: store.directory)
    }
}
