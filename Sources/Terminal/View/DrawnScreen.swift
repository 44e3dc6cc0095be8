internal import Deciding
internal import Dispatch
internal import Glibc
internal import Recording
internal import Synchronization

/// A front and what was drawn of it, at most ten times a second, but at once after a key.
///
/// A terminal that was stopped (Ctrl-S) holds up nothing: it is drawn again when it continues.
final class DrawnScreen: Sendable {
    /// Who has the terminal.
    private enum Stage {
        /// Another job, or nobody yet.
        case away
        /// This view.
        case shown
        /// Nobody: the process is about to stop.
        case stopping
        /// Nobody now: the view has ended.
        case over
    }

    /// What a drawing showed that changes without a scene.
    private struct Shown: Equatable {
        var second: UInt64 = 0
        var isHeartBright = true
        var columns = 0
        var rows = 0
    }

    private struct State {
        var front: WalkFront
        var drawing = ScreenDrawing()
        var keys = KeyReader()
        /// Whether something has come that was not drawn yet.
        var hasNews = true
        var shown = Shown()
        var stage = Stage.away
        var keyboard: Keyboard?
        var ask: Asking?
    }

    /// The time between two looks at what has changed.
    static let drawingIntervalMilliseconds: UInt64 = 100
    /// How long giving the screen back waits for a terminal that does not read.
    private static let patience = DispatchTimeInterval.milliseconds(200)

    private let look: Look
    private let now: @Sendable () -> UInt64
    private let state: Mutex<State>
    private let writer = StreamWriter(.standard) { _ in [] }

    /// Makes a screen that has not taken the terminal.
    ///
    /// - Parameters:
    ///   - look: What the terminal can.
    ///   - storeDirectory: Where the log is, for the help.
    ///   - pageAddress: Where a browser shows the walk; nil for nowhere.
    ///   - canSuspend: Whether Ctrl-Z gives the screen to the shell.
    ///   - now: Tells the boot clock of the scenes, in milliseconds.
    init(
        _ look: Look, storeDirectory: String, pageAddress: String?, canSuspend: Bool,
        now: @escaping @Sendable () -> UInt64
    ) {
        (self.look, self.now) = (look, now)
        let controls = WalkFront.Controls(hasKeys: false, canSuspend: canSuspend)
        let front = WalkFront(
            storeDirectory: storeDirectory, pageAddress: pageAddress, controls: controls)
        state = Mutex(State(front: front))
        TerminalRescue.prepare()
    }

    /// Passes on what keys ask for, if there is a keyboard.
    package func listen(_ ask: @escaping Asking) {
        let keyboard = Keyboard { [weak self] bytes in
            guard let self else { return }
            for request in press(bytes) { pass(request, to: ask) }
        }
        state.withLock { state in
            state.ask = ask
            state.keyboard = keyboard
            state.front.controls.hasKeys = keyboard != nil
            if state.stage == .shown { keyboard?.take() }
        }
    }

    /// At once, so that what is asked stays in order.
    private func pass(_ request: Request, to ask: @escaping Asking) {
        Task.immediate {
            if let refusal = await ask(request) { self.say(refusal) }
        }
    }

    /// Takes a scene; it is drawn when it is time.
    package func show(_ scene: Scene) {
        state.withLock { state in
            state.front.show(scene)
            state.hasNews = true
        }
    }

    /// Answers whoever pressed a key.
    private func say(_ sentence: String) {
        state.withLock { state in
            state.front.say(sentence)
            state.hasNews = true
        }
    }

    /// Takes what the keyboard sent; gives what it asks for.
    private func press(_ bytes: [UInt8]) -> [Request] {
        state.withLock { state in
            let now = now()
            let requests = state.keys.keys(of: bytes).compactMap { state.front.press($0, at: now) }
            state.hasNews = true
            draw(&state)
            return requests
        }
    }

    /// Draws what has changed, and follows this job to the foreground and back.
    func passTime() {
        let (request, ask) = state.withLock { state in
            let request = state.front.takeAnswer(at: now())
            if request != nil { state.hasNews = true }
            draw(&state)
            return (request, state.ask)
        }
        if let request, let ask { pass(request, to: ask) }
    }

    /// Draws what has changed, unless nobody has read what was drawn before.
    private func draw(_ state: inout State) {
        followJob(&state)
        guard state.stage == .shown, writer.isReady else { return }
        let now = now()
        let size = Output.standard.size
        let shown = Shown(
            second: now / 1_000, isHeartBright: state.front.isHeartBright(at: now, look),
            columns: size.columns, rows: size.rows)
        guard state.hasNews || shown != state.shown else { return }
        (state.hasNews, state.shown) = (false, shown)
        var bytes = state.drawing.drawing(
            state.front.lines(at: now, size: size, look: look), size: size)
        if state.front.takeBell() { bytes.append(0x07) }
        if !bytes.isEmpty { writer.put(bytes) }
    }

    // MARK: - Who has the terminal

    /// Takes the terminal when this job comes to the foreground, and leaves it alone otherwise.
    private func followJob(_ state: inout State) {
        switch (state.stage, Self.isForeground) {
        case (.away, true):
            state.stage = .shown
            state.keyboard?.take()
            state.drawing.reset()
            state.hasNews = true
            TerminalRescue.mayBeShown.store(true, ordering: .relaxed)
            writer.put(Array(ScreenDrawing.begin.utf8))
        case (.shown, false): lose(&state)
        case (.away, false), (.shown, true), (.stopping, _), (.over, _): return
        }
    }

    /// Another job has the terminal.
    private func lose(_ state: inout State) {
        state.keyboard?.lose()
        TerminalRescue.mayBeShown.store(false, ordering: .relaxed)
        state.stage = .away
    }

    /// Whether no other job has the terminal.
    private static var isForeground: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        return group < 0 || group == getpgrp()
    }

    /// Gives the terminal back, and stops the process; afterwards it is taken again as at first.
    func suspend() {
        let isOver = state.withLock { state in
            guard state.stage != .over else { return true }
            giveBack(&state, to: .stopping)
            return false
        }
        guard !isOver else { return }
        if writer.flush(atMost: Self.patience) {
            TerminalRescue.mayBeShown.store(false, ordering: .relaxed)
        }
        Self.stopProcess()
        state.withLock { state in
            if state.stage == .stopping { state.stage = .away }
            draw(&state)
        }
    }

    /// Stops the process as Ctrl-Z does by default: not where no shell could let it go on
    /// (POSIX, 2.4.3, of an orphaned process group).
    private static func stopProcess() {
        var (byDefault, former) = (sigaction(), sigaction())
        var (stop, blocked) = (sigset_t(), sigset_t())
        sigaction(SIGTSTP, &byDefault, &former)
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        // Threads of libdispatch block signals; this one is to take its own.
        pthread_sigmask(SIG_UNBLOCK, &stop, &blocked)
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        sigaction(SIGTSTP, &former, nil)
    }

    /// The process continues after a stop: whatever stopped it, the screen may hold anything.
    func goOn() {
        state.withLock { state in
            if state.stage == .shown { lose(&state) }
            draw(&state)
        }
    }

    private func giveBack(_ state: inout State, to stage: Stage) {
        if state.stage == .shown {
            state.keyboard?.giveBack()
            writer.put(Array(ScreenDrawing.end.utf8))
        }
        state.stage = stage
    }

    /// Shows the normal screen again for good, also on a terminal whose output was stopped.
    package func release() {
        let wasShown = state.withLock { state in
            let wasShown = state.stage == .shown
            giveBack(&state, to: .over)
            state.keyboard?.stop()
            return wasShown
        }
        guard wasShown else { return }
        // A stop by Ctrl-S ends only with one of our own.
        tcflow(STDOUT_FILENO, TCOOFF)
        tcflow(STDOUT_FILENO, TCOON)
        if writer.flush(atMost: Self.patience) {
            TerminalRescue.mayBeShown.store(false, ordering: .relaxed)
        }
    }

    /// Writes the session's totals.
    ///
    /// - Parameter scene: The end of the recording; nil if there are no totals.
    /// - Returns: Why they were not written, or nil if they were.
    package func finish(_ scene: Scene?) async -> String? {
        var totals: [UInt8] = []
        if let scene {
            totals = SceneLines(json: false)
                .totals(of: scene.session, in: scene, digest: scene.state.digest)
            if totals.isEmpty { totals = Array("\(Scene.noSession)\n".utf8) }
            // What was said at the very end could not be read on the screen.
            for news in scene.news { totals += Array((news.sentence.map { "\($0)\n" } ?? "").utf8) }
            if let address = state.withLock({ $0.front.pageAddress }) {
                // Without its token, which has ended with the recorder.
                let place = address.prefix { $0 != "?" }
                let sentence = "The page was at \(place); `pulselog serve` opens one again."
                totals += Array("\(sentence)\n".utf8)
            }
        }
        return await writer.finish(with: totals) ? nil : writer.missingEnd
    }
}
