import Clocks
import Deciding
import Recording
import Synchronization
import TestSupport

/// The machine that records: its boots, its clocks and the zone it is in.
final class Computer: Sendable {
    private struct State {
        /// When it was booted, in milliseconds of the timeline.
        var bootedAt: UInt64 = 0
        var bootID: [UInt8] = []
        /// UTC milliseconds, as it believes, at the beginning of the timeline.
        var wallAtBeginning: Int64 = 0
        var isWallTrusted = true
        /// How far it is behind, since a boot without a clock.
        var lostMilliseconds: Int64 = 0
        var zoneMinutes: Int64 = 60
    }

    /// 2026-03-28 05:00 UTC: the first night brings summer time to Europe.
    private static let beginning: Int64 = 1_774_674_000_000
    /// 2026-03-29 01:00 UTC.
    private static let summerTime: Int64 = 1_774_746_000_000

    /// Eight months: a machine without a clock begins with the time of its last update.
    private static let lost: Int64 = 20_736_000_000

    private let timeline: Timeline
    private let state = Mutex(State())

    init(_ timeline: Timeline) {
        self.timeline = timeline
        state.withLock { $0.wallAtBeginning = Self.beginning }
    }

    /// This moment on its clocks.
    func arrival() -> Arrival {
        let now = timeline.now
        return state.withLock { state in
            Arrival(
                bootMilliseconds: now - state.bootedAt,
                wallMilliseconds: state.wallAtBeginning + Int64(now),
                isWallTrusted: state.isWallTrusted)
        }
    }

    /// When a time of the boot clock comes, in milliseconds of the timeline.
    func time(ofBootMilliseconds boot: UInt64) -> UInt64 {
        state.withLock { $0.bootedAt + boot }
    }

    /// What it says of itself to a process that begins now.
    var machine: Machine {
        Machine(bootID: state.withLock { $0.bootID }) { [self] wall in
            let minutes = state.withLock { $0.zoneMinutes }
            return wall < Self.summerTime
                ? (minutes, "UTC+\(minutes)") : (minutes + 60, "UTC+\(minutes)S")
        }
    }

    /// What its processes run on.
    var runtime: Runtime {
        Runtime(
            now: { [self] in arrival() },
            sleep: { [timeline] duration in
                let (seconds, attoseconds) = duration.components
                await timeline.sleep(
                    milliseconds: UInt64(seconds) * 1_000
                        + UInt64(attoseconds / 1_000_000_000_000_000))
                try Task.checkCancellation()
            }, executor: timeline)
    }

    /// Boots it: the boot clock begins again.
    ///
    /// - Parameters:
    ///   - generator: What its number is made from.
    ///   - losesClock: Whether it does not know the time until somebody sets it.
    func boot(_ generator: inout SeededGenerator, losesClock: Bool = false) {
        let bootID = (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let now = timeline.now
        state.withLock { state in
            // The kernel needs some seconds before anything of ours runs.
            state.bootedAt = now >= 20_000 ? now - 20_000 : now
            state.bootID = bootID
            guard losesClock, state.lostMilliseconds == 0 else { return }
            state.lostMilliseconds = Self.lost
            state.wallAtBeginning -= Self.lost
            state.isWallTrusted = false
        }
    }

    /// Sets the wall clock.
    func setClock(by milliseconds: Int64, isTrusted: Bool) {
        state.withLock { state in
            state.wallAtBeginning += milliseconds
            if isTrusted {
                state.wallAtBeginning += state.lostMilliseconds
                state.lostMilliseconds = 0
            }
            state.isWallTrusted = isTrusted
        }
    }

    /// Goes to another zone.
    func travel(toMinutesEast minutes: Int64) {
        state.withLock { $0.zoneMinutes = minutes }
    }
}
