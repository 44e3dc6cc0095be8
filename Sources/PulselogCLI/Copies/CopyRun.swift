internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import JSON
internal import Terminal
internal import Text
internal import Words

/// A walk over a whole store, to copy or to verify it: shows how far it is, and leaves nothing
/// behind when a signal ends it.
struct CopyRun: ~Copyable {
    /// Below this size nothing is shown: it is done in a moment.
    private static let leastBytes = 16 << 20
    /// Below this number of events neither.
    private static let leastEvents: UInt64 = 2_000_000

    private let stop = StopRequest()
    private var line = ProgressLine()

    /// Told how far it is.
    ///
    /// - Returns: Whether to go on.
    mutating func goesOn(_ progress: CopyProgress) -> Bool {
        if progress.allBytes >= Self.leastBytes {
            line.show(progress.step.words, percent: progress.doneBytes * 100 / progress.allBytes)
        }
        return !stop.hasCome
    }

    /// Told how many events it has come to.
    ///
    /// - Returns: Whether to go on.
    mutating func goesOn(_ words: String, doneEvents: UInt64, of all: UInt64) -> Bool {
        if all >= Self.leastEvents { line.show(words, percent: Int(doneEvents * 100 / all)) }
        return !stop.hasCome
    }

    /// Whether a signal has come.
    var isStopped: Bool { stop.hasCome }

    /// Takes away what was shown.
    mutating func clear() {
        line.clear()
    }

    /// Ends the process by the signal that came, or gives the failure of what was stopped.
    ///
    /// - Parameter consequence: What did not happen.
    /// - Returns: The failure, if no signal came.
    func interruption(_ consequence: String) -> CommandFailure {
        let failure = CommandFailure(.tryAgain, "Interrupted. \(consequence)")
        stop.endIfRequested(saying: failure.message)
        return failure
    }
}

extension CopyProgress.Step {
    fileprivate var words: String {
        switch self {
        case .searching: "Looking for blocks"
        case .copying: "Copying"
        case .verifying: "Verifying"
        }
    }
}

extension LogCopy {
    /// How many events there are, what they take, and when the last one was, for people.
    var words: String {
        var words = "\(counted(next, "event")), \(grouped(UInt64(fileBytes))) bytes"
        if let last {
            let time = TimeText.local(
                last.stamp.wallMilliseconds, offsetMinutes: zoneOffsetMinutes)
            words += ", the last event at \(time) \(TimeText.offset(zoneOffsetMinutes))"
        }
        return words
    }

    /// The fields that every copy has, for scripts.
    func writeFields(to line: inout JSONWriter, directory: String) {
        line.field("directory", directory)
        line.field("events", next)
        line.field("head", last?.position)
        line.field("headAt", last.map { TimeText.utc($0.stamp.wallMilliseconds) })
        line.field("blocks", blocks)
        line.field("blockBytes", blockBytes)
        line.field("fileBytes", fileBytes)
    }
}
