internal import Events
internal import Projections
package import Recording
internal import Text
internal import Words

/// The front of a recording in a terminal, as a value: scenes and keys in, lines and requests out.
///
/// It has no clock and no terminal. Every key answers: by what it brings about, or by a sentence.
package struct WalkFront: Sendable {
    /// What the last line asks.
    enum Prompt: Hashable, Sendable {
        /// Nothing: it shows the keys.
        case none
        /// Whether the session is to end.
        case finish
        /// Whether the recorder is to end, and leave the session open.
        case leave
        /// What a mark is to say, as far as it was typed.
        case mark(String)
    }

    /// What was shown last; nil before the first scene.
    private(set) var scene: Scene?
    private(set) var trace = HeartTrace()
    private(set) var board = MessageBoard()
    private(set) var prompt = Prompt.none
    /// When the last key was pressed, on the boot clock.
    private(set) var pressedAt: UInt64 = 0
    /// Keys that come sooner after another are pasted, or one that is held.
    private static let burstMilliseconds: UInt64 = 300
    /// An answer that ends something holds unless a key follows so soon: one that is held comes
    /// again within 40 ms, but for the first time after up to a second.
    private static let answerMilliseconds: UInt64 = 100
    /// The answer that waits for that.
    private var answer: Request?
    /// What the last scene's troubles were.
    private var shownTroubles: [String] = []
    /// Whether keys, states and places are explained instead.
    private(set) var showsHelp = false
    /// Whether something came that is to be heard.
    private var rings = false
    /// Where the log is.
    let storeDirectory: String
    /// Where a browser shows the walk; nil for nowhere.
    let pageAddress: String?
    /// What the terminal lets the walker do.
    package var controls: Controls

    /// What a terminal lets the walker do.
    package struct Controls: Hashable, Sendable {
        /// Whether keys can be pressed.
        package var hasKeys: Bool
        /// Whether Ctrl-Z gives the screen to the shell.
        package var canSuspend: Bool
    }

    /// Makes a front that has seen nothing.
    ///
    /// - Parameters:
    ///   - storeDirectory: Where the log is, for the help.
    ///   - pageAddress: Where a browser shows the walk; nil for nowhere.
    ///   - controls: What the terminal lets the walker do.
    init(
        storeDirectory: String, pageAddress: String? = nil,
        controls: Controls = Controls(hasKeys: true, canSuspend: true)
    ) {
        (self.storeDirectory, self.pageAddress) = (storeDirectory, pageAddress)
        self.controls = controls
    }

    /// Whether the bell is to ring: something came that is to be heard; once for each.
    mutating func takeBell() -> Bool {
        defer { rings = false }
        return rings
    }

    /// Takes a scene, with its events and its news.
    package mutating func show(_ scene: Scene) {
        self.scene = scene
        for event in scene.events {
            trace.hear(event, in: scene.state)
            if event.header.source == 0 { answer(event) }
        }
        for news in scene.news {
            switch news {
            case .said(let sentence), .alerted(let sentence):
                if case .alerted = news { rings = true }
                // The page's address stands on the screen all the time.
                if let pageAddress, sentence.contains(pageAddress) { continue }
                if let message = message(sentence) { board.add(message) }
            case .withdrawn(let sentence): board.withdraw(sentence)
            }
        }
        // What holds is shown as long as it holds, and apart from what has happened.
        for sentence in shownTroubles.filter({ !scene.troubles.contains($0) }) + scene.troubles {
            board.withdraw(sentence)
        }
        shownTroubles = scene.troubles
        board.passTime(to: scene.moment.stamp.bootMilliseconds)
        if scene.isEnding { (prompt, answer) = (.none, nil) }
    }

    private var lastLap: RecordedEvent? {
        scene?.events.last { $0.header.kind == .lapMarked }
    }

    /// What a key brought about, where nothing else on the screen shows it.
    private mutating func answer(_ recorded: RecordedEvent) {
        switch recorded.event {
        case .sessionPaused, .sessionResumed, .sessionEnded:
            // What was said to a key before holds no longer.
            board.withdrawAnswer()
        case .lapMarked, .sessionMarked:
            // Of two laps that end at once the scene knows the last.
            if case .lapMarked = recorded.event, recorded != lastLap { return }
            if let sentence = scene?.sentence(of: recorded.event) { say(sentence) }
        case .reconciliationTriggered(let event) where event.trigger.known == .manual:
            guard let scene else { return }
            let today = scene.stepsToday.map { "Today's steps are up to date: \(grouped($0))." }
            say(today ?? "Nothing counts your steps.")
        default: return
        }
    }

    /// Answers a key.
    ///
    /// - Parameter sentence: The answer.
    package mutating func say(_ sentence: String) {
        if let message = message(sentence) { board.answer(message) }
    }

    private func message(_ sentence: String) -> MessageBoard.Message? {
        scene.map {
            MessageBoard.Message(
                text: sentence, bootMilliseconds: $0.moment.stamp.bootMilliseconds,
                wallMilliseconds: $0.moment.stamp.wallMilliseconds)
        }
    }

    // MARK: - Keys

    /// Takes a key.
    ///
    /// - Parameters:
    ///   - key: What was pressed.
    ///   - now: When, on the boot clock.
    /// - Returns: What is asked of the recording, or nil.
    package mutating func press(_ key: Key, at now: UInt64) -> Request? {
        guard let scene else { return nil }
        let isOfBurst = now < pressedAt + Self.burstMilliseconds
        (pressedAt, answer) = (now, nil)
        if scene.isEnding { return refuse("The recording is ending.") }
        if showsHelp {
            showsHelp = false
            return nil
        }
        switch prompt {
        case .none: return act(on: key, scene)
        case .finish where isOfBurst, .leave where isOfBurst: break
        case .finish: confirm(key, as: "s", .command(.end()), else: "The walk goes on.")
        case .leave: confirm(key, as: "q", .leave, else: "The recording goes on.")
        case .mark(let text): return type(key, after: text)
        }
        return nil
    }

    /// The answer that no other key has followed, once.
    mutating func takeAnswer(at now: UInt64) -> Request? {
        guard let answer, now >= pressedAt + Self.answerMilliseconds else { return nil }
        (self.answer, prompt) = (nil, .none)
        return answer
    }

    private mutating func act(on key: Key, _ scene: Scene) -> Request? {
        guard !scene.isReplay || "q?h".contains(where: { key == .character($0) }) else {
            return refuse("This is a replay: only q and ? do something here.")
        }
        let isSettingUp = scene.phase == .settingUp
        switch key {
        case .character("p"):
            guard scene.report?.state != .paused || scene.report?.standsStill == true else {
                return refuse("The walk is already paused; r goes on with it.")
            }
            return .command(.pause)
        case .character("r"):
            guard scene.report?.state != .running else {
                return refuse("The walk is not paused; p pauses it.")
            }
            return .command(.resume)
        case .character("f"): return .command(.refresh())
        case .character("m"):
            guard scene.report != nil else { return refuse("There is no walk to mark yet.") }
            prompt = .mark("")
        case .character("l"):
            guard scene.report?.state == .running else {
                return refuse("Laps are of a walk that is under way.")
            }
            return .command(.lap())
        case .character("s"):
            guard !isSettingUp else { return .command(.end()) }
            prompt = .finish
        case .character("q"):
            guard !isSettingUp, !scene.isReplay else { return .leave }
            prompt = .leave
        case .character("g"):
            guard isSettingUp else { return refuse("A goal is chosen before the walk begins.") }
            return .nextGoal
        case .character("u"):
            guard let offer = scene.substitute else { return refuse("No other strap is offered.") }
            return .useSubstitute(offer.address)
        case .enter:
            guard isSettingUp else { return refuse("The walk has begun.") }
            return .begin
        case .character("?"), .character("h"): showsHelp = true
        case .character, .escape, .backspace, .other:
            return refuse("That key does nothing here; ? lists the keys.")
        }
        return nil
    }

    private mutating func refuse(_ sentence: String) -> Request? {
        say(sentence)
        return nil
    }

    private mutating func confirm(
        _ key: Key, as letter: Character, _ request: Request, else sentence: String
    ) {
        if key == .character(letter) { return answer = request }
        prompt = .none
        say(sentence)
    }

    private mutating func type(_ key: Key, after text: String) -> Request? {
        switch key {
        case .enter:
            prompt = .none
            return .command(.mark(text))
        case .escape:
            prompt = .none
            return refuse("No mark was set.")
        case .backspace: prompt = .mark(String(text.dropLast()))
        case .character(let character):
            let longer = text + String(character)
            let limit = SessionMarked.typedLimit
            guard longer.count <= limit, longer.utf8.count <= 4 * limit else {
                return refuse("A mark holds at most \(limit) characters.")
            }
            prompt = .mark(longer)
        case .other: return refuse("That key does nothing here.")
        }
        return nil
    }

    // MARK: - Drawing

    /// The screen, line by line.
    ///
    /// - Parameters:
    ///   - now: The boot clock, in milliseconds; the heart beats by it.
    ///   - size: The size of the terminal in characters.
    ///   - look: What the terminal can.
    /// - Returns: At most as many lines as there are rows, each within the width.
    package func lines(
        at now: UInt64, size: (columns: Int, rows: Int), look: Look
    ) -> [String] {
        guard let scene else { return [] }
        return WalkScreen(self, scene, at: now, size: size, look).lines
            .map { $0.text(in: look, limit: size.columns) }
    }

    /// Whether the heart is bright now; it is dim in the second half of each beat.
    ///
    /// - Parameters:
    ///   - now: The boot clock, in milliseconds.
    ///   - look: Whether it beats at all; without colours nothing would be seen of it.
    /// - Returns: Whether it is bright.
    package func isHeartBright(at now: UInt64, _ look: Look) -> Bool {
        guard look.beats, look.isColored, let bpm = scene?.strap.heartRateBPM, bpm > 0
        else { return true }
        // Faster than ten times a second nothing is drawn.
        let beat = max(60_000 / UInt64(bpm), 200)
        return now % beat < beat / 2
    }
}

extension Scene {
    /// Whether nothing more can be asked.
    var isEnding: Bool {
        switch phase {
        case .settingUp, .starting, .recording, nil: false
        case .ending, .failed, .ended: true
        }
    }

    /// Whether nobody records this: what was recorded is shown again.
    var isReplay: Bool { phase == nil }
}
