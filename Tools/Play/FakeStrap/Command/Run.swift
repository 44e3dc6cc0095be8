import Clocks
import DBus
import DaemonModel
import Dispatch
import Synchronization
import TestSupport

/// One run of the program, between the main thread, which waits for its end, and the bus thread.
final class Run: Sendable {
    private let scenario: Scenario
    private let lines: ReportLines
    private let options: Options
    private let end: @Sendable () -> Void
    private let state = Mutex(State())

    /// What the command line says of the run.
    struct Options: Sendable {
        var address: String
        var timing: Timing
        var speed: Double
        var jitterMilliseconds: UInt64
        var endsWithPlay: Bool
    }

    private struct State {
        var playback: Playback?
        var failure: (any Error)?
    }

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - scenario: What is played.
    ///   - lines: Gets what there is to tell.
    ///   - options: What the command line says.
    ///   - end: Called when the run is over or has failed.
    init(
        _ scenario: Scenario, _ lines: ReportLines, _ options: Options,
        end: @escaping @Sendable () -> Void
    ) {
        (self.scenario, self.lines, self.options, self.end) = (scenario, lines, options, end)
    }

    /// Why the run has failed, if it has.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Begins to play.
    ///
    /// Does not wait: the caller is the main thread, which has to wait for signals.
    func begin() {
        Task {
            do {
                try await play()
            } catch {
                fail(error)
            }
        }
    }

    /// Leaves the bus, and waits until that is done.
    func close() {
        let playback = state.withLock { $0.playback }
        guard let playback else { return }
        let done = DispatchSemaphore(value: 0)
        Task {
            await playback.close()
            done.signal()
        }
        done.wait()
    }

    private func play() async throws {
        let (over, mark) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let jitter = JitteringClock(seed: 1, mostMilliseconds: options.jitterMilliseconds)
        let playback = try await Playback(
            scenario, on: .address(options.address), timing: options.timing, speed: options.speed,
            clock: options.jitterMilliseconds == 0 ? Arrival.now : jitter.read
        ) { [self] report in
            if report == .ended { mark.finish() }
            if report == .busLost { fail(ScenarioError("The bus went away.")) }
            do {
                try lines.take(report)
            } catch {
                fail(error)
            }
        }
        state.withLock { $0.playback = playback }
        try lines.ready(address: options.address)
        for await _ in over {}
        try lines.ended()
        guard options.endsWithPlay else { return }
        try await playback.flush()
        end()
    }

    private func fail(_ error: any Error) {
        state.withLock { $0.failure = $0.failure ?? error }
        end()
    }
}
