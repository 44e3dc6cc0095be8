package import EventStoreLMDB
package import Terminal
package import Words

/// A walk over a whole store, to copy or to verify it: shows how far it is, and leaves nothing
/// behind when a signal ends it.
package struct CopyRun: ~Copyable {
    /// Below this number of events neither.
    private static let leastEvents: UInt64 = 2_000_000

    private let stop = StopRequest()
    private var line = ProgressLine()

    /// Begins with nothing shown.
    package init() {}

    /// Makes a store out of another one.
    ///
    /// - Parameters:
    ///   - folder: Where it is to be.
    ///   - store: The other one.
    ///   - consequence: What did not happen if it fails.
    ///   - body: Copies; is given what reports how far it is, and returns whether to continue.
    /// - Returns: What was made.
    /// - Throws: ``CommandFailure``.
    package static func make<Made>(
        _ folder: NewFolder, from store: String, orElse consequence: String,
        _ body: ((CopyProgress) -> Bool) throws -> CopyOutcome<Made>
    ) throws(CommandFailure) -> Made {
        var run = CopyRun()
        let outcome: CopyOutcome<Made>
        do {
            outcome = try body { run.goesOn($0) }
            run.clear()
        } catch {
            run.clear()
            // What names the new folder is not the store's fault.
            let failure = CommandFailure(error)
            let isTargets = failure.message.contains(folder.path)
            throw (isTargets ? failure : CommandFailure(error, store: store)).saying(consequence)
        }
        switch outcome {
        case .made(let made): return made
        case .nameTaken: throw folder.isTaken
        case .stopped: throw run.interruption(consequence)
        }
    }

    /// Told how far it is.
    ///
    /// - Returns: Whether to continue.
    package mutating func goesOn(_ progress: CopyProgress) -> Bool {
        progress.show(on: &line)
        return !stop.hasCome
    }

    /// Told how many events it has come to.
    ///
    /// - Returns: Whether to continue.
    package mutating func goesOn(_ words: String, doneEvents: UInt64, of all: UInt64) -> Bool {
        if all >= Self.leastEvents { line.show(words, percent: Int(doneEvents * 100 / all)) }
        return !stop.hasCome
    }

    /// Whether a signal has come.
    package var isStopped: Bool { stop.hasCome }

    /// Takes away what was shown.
    package mutating func clear() {
        line.clear()
    }

    /// Ends the process by the signal that came, or gives the failure of what was stopped.
    ///
    /// - Parameter consequence: What did not happen.
    /// - Returns: The failure, if no signal came.
    package func interruption(_ consequence: String) -> CommandFailure {
        let failure = CommandFailure(.tryAgain, "Interrupted. \(consequence)")
        stop.endIfRequested(saying: failure.message)
        return failure
    }
}

extension CopyProgress {
    /// Below this size nothing is shown: it is done in a moment.
    private static let leastBytes = 16 << 20

    /// Shows how far it is, if it is long.
    package func show(on line: inout ProgressLine) {
        guard allBytes >= Self.leastBytes else { return }
        line.show(step.words, percent: doneBytes * 100 / allBytes)
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
