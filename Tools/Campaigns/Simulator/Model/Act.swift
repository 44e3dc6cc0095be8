import Events
import Projections

/// Something that a person, a device or the world does, at a moment that does not depend on what
/// came before.
enum Act: Hashable {
    // A person at the recorder.
    case record(SessionStart)
    /// A page prepares a walk for so long.
    case prepare(milliseconds: UInt64)
    case press(Key)
    /// Somebody presses a key on a page, and leaves before the answer.
    case leave(Key, afterMilliseconds: UInt64)
    case interrupt, terminate, kill
    /// The recorder is ended, in whatever way is left, and nobody records.
    case endAll

    // A person elsewhere.
    case command(Command)
    case forget(strap: Int)
    case pair(strap: Int)
    case health(steps: UInt64, ageMilliseconds: Int64)

    // The machine.
    /// Without a clock that is kept it boots long ago, as far as it knows.
    case losePower(downMilliseconds: UInt64, losesClock: Bool)
    case sleep(milliseconds: UInt64)
    case setClock(byMilliseconds: Int64, isTrusted: Bool)
    case travel(minutesEast: Int64)
    case disk(Disk.Mood)
    case slowDisk(syncMilliseconds: UInt64)
    case holdWriter(milliseconds: UInt64)

    // Bluetooth.
    case daemon(isUp: Bool)
    case restartDaemon
    /// Another program removes a device from bluetoothd.
    case remove(strap: Int)
    case stopScan
    case loseBus
    case power(Bool)
    /// All links are lost, and a moment later the adapter is off for so long.
    case cyclePower(downMilliseconds: UInt64)
    case plug(Bool)
    case range(strap: Int, isIn: Bool)
    case dropLink(strap: Int)
    /// A strap is almost out of range: its next links come to nothing.
    case weaken(strap: Int, attempts: Int)
    case contact(strap: Int, Bool)
    /// Another program hears the strap as well, or no longer: then each value is signalled twice.
    case copies(strap: Int, Bool)
    case illFormed(strap: Int)
    /// A strap, or who pretends to be one, sends all at once.
    case flood(strap: Int, count: Int)
    case mood(Bluetooth.Mood)

    /// Everything that is not a person becomes well.
    case heal

    /// A key at the recorder's terminal.
    enum Key: String, CaseIterable {
        case pause, resume, mark, end, refresh, begin, nextGoal
    }
}

/// How a person starts the recorder.
struct SessionStart: Hashable {
    var goal: Goal
    var waitsForStrap: Bool
    var endsOpenSession: Bool
    var isWatched: Bool
    var durationMilliseconds: UInt64?
    /// The strap that is named; nil for the primary one.
    var strap: Int?
    /// How long the front looks at each scene.
    var frontPauseMilliseconds: UInt64
    /// Whether the strap begins and ends each walk.
    var isHandsFree = false
}

/// An act at a moment, in milliseconds since the beginning.
struct TimedAct: Hashable {
    var at: UInt64
    var act: Act
}

extension TimedAct: CustomStringConvertible {
    var description: String { "  \(Self.time(at))  \(act)" }

    /// A time since the beginning, as hours, minutes and seconds.
    static func time(_ milliseconds: UInt64) -> String {
        let (hours, rest) = milliseconds.quotientAndRemainder(dividingBy: 3_600_000)
        let (minutes, remainder) = rest.quotientAndRemainder(dividingBy: 60_000)
        let seconds = String(remainder / 1_000 + 100).dropFirst()
        let part = String(remainder % 1_000 + 1_000).dropFirst()
        return "\(hours):\(String(minutes + 100).dropFirst()):\(seconds).\(part)"
    }
}
