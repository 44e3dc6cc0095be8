internal import Clocks
internal import Dispatch
internal import Glibc
internal import Interchange
internal import Recording
internal import Screen
internal import Synchronization
internal import TamperEvidence
internal import Words

/// The recording on a terminal's alternate screen.
///
/// In the background it draws nothing and takes no keys; Ctrl-Z gives the terminal back, and `fg`
/// takes it again.
struct TerminalView: RecordingView {
    private let screen: DrawnScreen
    private let timer: any DispatchSourceTimer
    /// Nil where nobody could let the process go on after a stop.
    private let stop: (any DispatchSourceSignal)?

    /// Takes the terminal.
    ///
    /// - Parameters:
    ///   - look: What the terminal can.
    ///   - storeDirectory: Where the log is, for the help.
    init(_ look: Look, storeDirectory: String) {
        let screen = DrawnScreen(look, storeDirectory: storeDirectory)
        self.screen = screen
        let queue = DispatchQueue(label: "screen")
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(
            deadline: .now(), repeating: .milliseconds(Int(DrawnScreen.pauseMilliseconds)))
        timer.setEventHandler { screen.draw() }
        timer.activate()
        guard !Interruption.isIgnored(SIGTSTP), getsid(0) != getpid() else {
            stop = nil
            return
        }
        let stop = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: queue)
        self.stop = stop
        signal(SIGTSTP, SIG_IGN)
        stop.setEventHandler { screen.pauseProcess() }
        stop.activate()
    }

    func listen(for recorder: Recorder) {
        screen.listen(for: recorder)
    }

    func show(_ scene: Scene) {
        screen.show(scene)
    }

    func release() {
        timer.cancel()
        if let stop {
            stop.cancel()
            signal(SIGTSTP, SIG_DFL)
        }
        screen.release()
    }

    func finish(_ scene: Scene?) async -> CommandFailure? {
        await screen.finish(scene)
        return nil
    }
}

/// A front and what was drawn of it, at most ten times a second, but at once after a key.
///
/// A terminal that was stopped (Ctrl-S) holds up nothing: it is drawn again when it goes on.
private final class DrawnScreen: Sendable {
    /// Who has the terminal.
    private enum Stage {
        /// Another job, or nobody yet.
        case away
        /// This view.
        case shown
        /// Nobody: the process is about to stop.
        case stopping
        /// Nobody any more: the view has ended.
        case over
    }

    private struct State {
        var front: WalkFront
        var drawing = ScreenDrawing()
        var keys = KeyReader()
        /// When it was drawn last, on the boot clock.
        var drawnAt: UInt64 = 0
        var stage = Stage.away
        var keyboard: Keyboard?
    }

    /// The shortest time between two drawings.
    static let pauseMilliseconds: UInt64 = 100
    /// How long a stop of the process waits for the normal screen; output may be stopped as well.
    private static let stopPatience = DispatchTimeInterval.milliseconds(200)

    private let look: Look
    private let state: Mutex<State>
    private let writer = StreamWriter(.standard) { _ in [] }

    init(_ look: Look, storeDirectory: String) {
        self.look = look
        state = Mutex(State(front: WalkFront(storeDirectory: storeDirectory)))
        AlternateScreen.leaveOnCrash()
    }

    func listen(for recorder: Recorder) {
        let keyboard = Keyboard { [weak self, weak recorder] bytes in
            guard let self, let recorder else { return }
            for request in press(bytes) { recorder.note(.asked(request)) }
        }
        state.withLock { state in
            state.keyboard = keyboard
            if state.stage == .shown { keyboard?.take() }
        }
    }

    func show(_ scene: Scene) {
        state.withLock { $0.front.show(scene) }
        draw()
    }

    /// Takes what the keyboard sent; gives what it asks for.
    private func press(_ bytes: [UInt8]) -> [Request] {
        let requests = state.withLock { state in
            // A key is answered at once.
            state.drawnAt = 0
            return state.keys.keys(of: bytes).compactMap { state.front.press($0) }
        }
        draw()
        return requests
    }

    /// Draws what has changed, unless it was drawn just now or nobody has read that yet.
    func draw() {
        let now = Arrival.now().bootMilliseconds
        state.withLock { state in
            followJob(&state)
            guard state.stage == .shown, writer.isReady,
                now >= state.drawnAt + Self.pauseMilliseconds
            else { return }
            let size = Output.standard.size
            let lines = state.front.lines(at: now, size: size, look: look)
            let bytes = state.drawing.drawing(lines, size: size)
            guard !bytes.isEmpty else { return }
            state.drawnAt = now
            writer.put(bytes)
        }
    }

    /// Takes the terminal when this job comes to the foreground, and leaves it alone otherwise.
    private func followJob(_ state: inout State) {
        switch (state.stage, Self.isForeground) {
        case (.away, true):
            state.stage = .shown
            state.keyboard?.take()
            state.drawing.reset()
            writer.put(Array(ScreenDrawing.begin.utf8))
        case (.shown, false): state.stage = .away
        default: return
        }
    }

    /// Whether no other job has the terminal.
    private static var isForeground: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        return group < 0 || group == getpgrp()
    }

    /// Gives the terminal back, and stops the process; afterwards it is taken again as at first.
    func pauseProcess() {
        state.withLock { giveBack(&$0, to: .stopping) }
        writer.flush(atMost: Self.stopPatience)
        raise(SIGSTOP)
        state.withLock { state in
            if state.stage == .stopping { state.stage = .away }
        }
    }

    private func giveBack(_ state: inout State, to stage: Stage) {
        if state.stage == .shown {
            state.keyboard?.giveBack()
            writer.put(Array(ScreenDrawing.end.utf8))
        }
        state.stage = stage
    }

    /// Shows the normal screen again for good.
    func release() {
        state.withLock { state in
            giveBack(&state, to: .over)
            state.keyboard?.stop()
        }
    }

    /// Writes the session's totals.
    func finish(_ scene: Scene?) async {
        let totals = scene.map { $0.totals + StateDigest.text(of: $0.state) + "\n" } ?? ""
        await writer.finish(with: Array(totals.utf8))
        AlternateScreen.isShown.store(false, ordering: .relaxed)
    }
}

/// The alternate screen, as far as a crash has to leave it.
private enum AlternateScreen {
    static let isShown = Atomic(false)
    private static let end = Array(ScreenDrawing.end.utf8)

    /// Brings the normal screen back before a fault of this program ends it.
    static func leaveOnCrash() {
        // Made now: in a handler nothing may be allocated.
        _ = end.count
        isShown.store(true, ordering: .relaxed)
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            signal(number) { number in
                if AlternateScreen.isShown.load(ordering: .relaxed) {
                    _ = write(STDOUT_FILENO, AlternateScreen.end, AlternateScreen.end.count)
                }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }
}

extension Look {
    /// What the terminal of this process can, by its environment.
    ///
    /// - Parameter isColored: Whether colours are wanted.
    init(isColored: Bool) {
        let locale =
            CommonOptions.variable("LC_ALL") ?? CommonOptions.variable("LC_CTYPE")
            ?? CommonOptions.variable("LANG") ?? ""
        let name = locale.lowercased()
        self.init(
            isColored: isColored, hasUnicode: name.contains("utf-8") || name.contains("utf8"),
            beats: CommonOptions.variable("PULSELOG_MOTION") != "none")
    }
}
