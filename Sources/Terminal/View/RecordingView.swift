internal import Deciding
internal import Events
internal import Files
internal import Glibc
package import Recording
internal import Text

/// Does what somebody at the keyboard asks for; gives the sentence that says why not.
package typealias Asking = @Sendable (Request) async -> String?

/// How a recording is shown.
package protocol RecordingView {
    /// Starts passing on what keys ask for, if there is a keyboard.
    ///
    /// - Parameter ask: Does it, and gives the sentence that says why not.
    func listen(_ ask: @escaping Asking)
    /// Shows a scene, with its events and its news.
    mutating func show(_ scene: Scene)
    /// Gives the terminal back, if the view has taken it: nothing more is shown.
    func release()
    /// Ends the view, with the session's totals; it waits a second for a reader who is slow.
    ///
    /// - Parameter scene: The end of the recording; nil if the log failed and there are no totals.
    /// - Returns: Why what somebody relies on was not written, or nil if it was.
    mutating func finish(_ scene: Scene?) async -> String?
}

/// How a recording is to be shown.
package enum OutputMode: Sendable {
    /// A full screen, with keys.
    case terminal(Look)
    /// Sentences, and a line a minute.
    case sentences
    /// A line for each event.
    case events
    /// The events as JSON Lines, then the session.
    case json

    /// Whether a person watches it.
    package var isWatched: Bool {
        if case .terminal = self { true } else { false }
    }

    /// Makes the view.
    ///
    /// - Parameters:
    ///   - storeDirectory: Where the log is.
    ///   - pageAddress: Where a browser shows the walk; nil for nowhere.
    /// - Returns: The view, which has taken the terminal if it needs one.
    package func view(storeDirectory: String, pageAddress: String?) -> any RecordingView {
        switch self {
        case .terminal(let look):
            TerminalView(look, storeDirectory: storeDirectory, pageAddress: pageAddress)
        case .sentences: LineView(SceneLines(json: false), SceneSentences())
        case .events: LineView(SceneLines(json: false))
        case .json: LineView(SceneLines(json: true))
        }
    }
}

/// The lines of a recording, written to a reader who holds up nothing: what does not fit is left
/// out, and a line, as JSON `{"omitted":N}`, stands in its place.
struct LineView: RecordingView {
    private var told: SceneLines
    /// Sentences, and how the walk goes; nil where events are shown, and sentences go to standard
    /// error.
    private var spoken: SceneSentences?
    /// The session of the scene before.
    private var session: Position?
    /// The session whose totals were written.
    private var concluded: Position?
    private let lines: StreamWriter
    /// The journal that takes standard output; nil if it goes elsewhere.
    private let journal: ServiceJournal?
    private let sentences = StreamWriter.sentences()
    /// Whether it was said that the output cannot be written.
    private var isFailureTold = false

    /// Makes a view that has shown nothing.
    ///
    /// - Parameters:
    ///   - told: Tells events, and a walk's totals.
    ///   - spoken: Tells of the walk in place of events.
    ///   - journal: The journal that takes standard output; nil if it goes elsewhere.
    package init(
        _ told: SceneLines, _ spoken: SceneSentences? = nil,
        journal: ServiceJournal? = Output.standard.journal
    ) {
        (self.told, self.spoken, self.journal) = (told, spoken, journal)
        lines = StreamWriter(
            .standard, omission: spoken == nil ? told.omission : SceneSentences.omission)
    }

    package func listen(_ ask: @escaping Asking) {}

    package func release() {}

    package mutating func show(_ scene: Scene) {
        let walk = scene.session ?? session
        if let journal, let sentences = spoken?.sentences(of: scene) {
            for sentence in sentences {
                let isTrouble = scene.troubles.contains(sentence)
                tell(sentence, isTrouble ? .warning : .information, of: walk, to: journal)
            }
        } else if let said = spoken?.lines(of: scene) {
            if !said.isEmpty { lines.put(said) }
        } else {
            // What was written stays: nothing is withdrawn.
            for news in scene.news { news.sentence.map(sentences.say) }
            if scene.omitted > 0 {
                sentences.say("Events and messages left out here: \(grouped(scene.omitted)).")
            }
            told.tell(scene, to: lines.put)
        }
        // A recorder that goes on after a walk tells of each.
        if let session, session != scene.session { lines.put(conclude(session, in: scene)) }
        session = scene.session
        tellFailure()
    }

    /// Tells the journal of a service, which knows the time by itself.
    private func tell(
        _ text: String, _ priority: ServiceJournal.Priority, of walk: Position?,
        to journal: ServiceJournal
    ) {
        let fields = walk.map { ["PULSELOG_SESSION": "\($0)"] } ?? [:]
        if !journal.put(text, priority, fields) { lines.put(Array("\(text)\n".utf8)) }
    }

    /// The totals of a session, once; none where they go to the journal.
    private mutating func conclude(_ session: Position?, in scene: Scene) -> [UInt8] {
        guard session != concluded else { return [] }
        concluded = session
        let totals = told.totals(of: session, in: scene, digest: scene.state.digest)
        guard let journal, spoken != nil, !totals.isEmpty else { return totals }
        let text = String(decoding: totals.dropLast(), as: UTF8.self)
        tell(text, .information, of: session, to: journal)
        return []
    }

    private mutating func tellFailure() {
        guard !isFailureTold, let failure = lines.failure else { return }
        isFailureTold = true
        let reason =
            failure == EPIPE ? "The output is no longer read." : Output.failure(failure)
        sentences.say("\(reason) Recording continues.")
    }

    package mutating func finish(_ scene: Scene?) async -> String? {
        if spoken == nil, let scene, scene.report == nil { sentences.say(Scene.noSession) }
        let totals = scene.map { conclude($0.session, in: $0) }
        // Both at once: two readers who stopped reading take no longer than one.
        let sentences = sentences
        async let said = sentences.finish()
        let isWritten = await lines.finish(with: totals ?? [])
        _ = await said
        return isWritten ? nil : lines.missingEnd
    }
}

extension StreamWriter {
    /// That the end of a recording's output was not written; nil if nobody wants it: a reader
    /// that closes a pipe has had enough.
    var missingEnd: String? {
        guard failure != EPIPE else { return nil }
        let reason = failure.map(Output.failure) ?? "Nobody read the output."
        return "\(reason) Its end is missing; the recording is complete: see `pulselog sessions`."
    }
}
