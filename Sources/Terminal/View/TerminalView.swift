internal import Clocks
internal import Dispatch
internal import Glibc
package import Recording

/// The recording on a terminal's alternate screen.
///
/// In the background it draws nothing and takes no keys; Ctrl-Z gives the terminal back, and `fg`
/// takes it again.
package struct TerminalView: RecordingView {
    private let screen: DrawnScreen
    private let timer: any DispatchSourceTimer
    /// Hears of Ctrl-Z; nil where the parent process wanted it ignored.
    private let suspension: (any DispatchSourceSignal)?
    /// Hears that the process continues after a stop.
    private let continuation: any DispatchSourceSignal

    /// Takes the terminal.
    ///
    /// - Parameters:
    ///   - look: What the terminal can.
    ///   - storeDirectory: Where the log is, for the help.
    ///   - pageAddress: Where a browser shows the walk; nil for nowhere.
    ///   - now: Tells the boot clock of the scenes, in milliseconds.
    package init(
        _ look: Look, storeDirectory: String, pageAddress: String? = nil,
        now: @escaping @Sendable () -> UInt64 = { Arrival.now().bootMilliseconds }
    ) {
        let canSuspend = !Interruption.isIgnored(SIGTSTP)
        let screen = DrawnScreen(
            look, storeDirectory: storeDirectory, pageAddress: pageAddress,
            canSuspend: canSuspend && Self.hasShell, now: now)
        self.screen = screen
        let queue = DispatchQueue(label: "screen")
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(
            deadline: .now(),
            repeating: .milliseconds(Int(DrawnScreen.drawingIntervalMilliseconds)))
        timer.setEventHandler { screen.passTime() }
        timer.activate()
        continuation = DispatchSource.makeSignalSource(signal: SIGCONT, queue: queue)
        continuation.setEventHandler { screen.goOn() }
        continuation.activate()
        guard canSuspend else {
            suspension = nil
            return
        }
        let suspension = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: queue)
        self.suspension = suspension
        signal(SIGTSTP, SIG_IGN)
        suspension.setEventHandler { screen.suspend() }
        suspension.activate()
    }

    /// Whether the parent process may let this one go on after a stop: it is in another process
    /// group of the same session, as a shell with job control is.
    private static var hasShell: Bool {
        let parent = getppid()
        return getsid(parent) == getsid(0) && getpgid(parent) != getpgrp()
    }

    package func listen(_ ask: @escaping Asking) {
        screen.listen(ask)
    }

    package func show(_ scene: Scene) {
        screen.show(scene)
    }

    package func release() {
        timer.cancel()
        continuation.cancel()
        screen.release()
        if let suspension {
            suspension.cancel()
            signal(SIGTSTP, SIG_DFL)
        }
    }

    package func finish(_ scene: Scene?) async -> String? {
        await screen.finish(scene)
    }
}

extension Look {
    /// What the terminal of this process can, by its environment.
    ///
    /// - Parameter isColored: Whether colours are wanted.
    package init(isColored: Bool) {
        self.init(
            isColored: isColored, hasUnicode: isUTF8,
            beats: environment("PULSELOG_MOTION") != "none")
    }
}
