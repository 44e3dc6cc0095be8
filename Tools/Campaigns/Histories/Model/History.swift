package import Events
package import Projections

/// Something that happens in the world at one moment.
package struct Happening: Sendable {
    /// What it is.
    package enum What: Sendable {
        /// A person, a device or a timer asks or gives something.
        case command(Command)
        /// An import, source 1 or more, appends an event as it is.
        case imported(Event, source: UInt32)
        /// The machine boots: another boot clock.
        case reboot
        /// From now on the wall clock is this many milliseconds ahead, and is trusted or not.
        case clock(aheadMilliseconds: Int64, isTrusted: Bool)
        /// From now on local time is this many minutes east of UTC.
        case zone(offsetMinutes: Int64)
        /// Somebody looks at today's count.
        case look(Truth?)
    }

    /// What is true of a local date at a moment, where a world has no liar in it.
    package struct Truth: Sendable {
        /// The date.
        package var date: CivilDate
        /// Steps of the walker on this date so far, all devices: never is more displayed.
        package var most: UInt64
        /// Steps that totals and heard readings prove together: with the rule `carryOverlap` never
        /// is less displayed; without it less is what T2 drops.
        package var least: UInt64
    }

    /// True time in UTC milliseconds.
    package var at: Int64
    /// How much older the stamp is, because another process was slow to append.
    package var lagMilliseconds: UInt64 = 0
    /// Which process appends.
    package var process = 0
    /// What it is.
    package var what: What
}

/// What happens to a walker and a recorder over some days; all of it follows from the seed.
///
/// Times and values are absolute, so that a history from which happenings were removed still makes
/// sense.
package struct History: Sendable {
    /// What is true in the end.
    package struct Truth: Sendable {
        /// By date.
        var days: [CivilDate: Day] = [:]
        /// In order.
        var sessions: [Session] = []
    }

    /// What was walked on a date.
    struct Day {
        /// Steps of the walker, all devices.
        var walked: UInt64
        /// Never is more displayed.
        var most: UInt64
        /// Steps between the readings of the chosen pedometer.
        var heard: UInt64
        /// Those of them that are set aside if no total has them; nil if that is not known.
        var held: UInt64?
    }

    /// What was walked in a session.
    struct Session {
        /// The date of its start.
        var date: CivilDate
        /// Steps between the readings that it heard.
        var heard: UInt64 = 0
    }

    /// What it was made from.
    package var seed: UInt64
    /// The rules to fold by.
    package var rules: Rules
    /// What happens, in order.
    package var happenings: [Happening]
    /// What is true at the end, where the world has no liar in it.
    package var truth: Truth?
    /// The most that pedometers have counted, where none shows just anything.
    package var ownSteps: UInt64?
    /// Whether a clock that is trusted tells the time here.
    package var areTrustedClocksRight: Bool
}

// MARK: - For people

extension History: CustomStringConvertible {
    /// One line for each happening.
    package var description: String {
        let first = happenings.first?.at ?? 0
        let head =
            "seed \(seed)" + (rules.carryOverlap ? ", carryOverlap" : "")
            + (rules.countStandstill ? ", countStandstill" : "")
        return ([head] + happenings.map { $0.line(since: first) }).joined(separator: "\n")
    }
}

extension Happening {
    func line(since first: Int64) -> String {
        let milliseconds = at - first
        let time = "+\(milliseconds / 1_000).\(String(milliseconds % 1_000 + 1_000).dropFirst()) s"
        let who = process == 0 ? "" : " by process \(process)"
        let lag = lagMilliseconds == 0 ? "" : " stamped \(lagMilliseconds) ms early"
        return "  \(time)  \(what)\(who)\(lag)"
    }
}

extension Happening.What: CustomStringConvertible {
    /// The happening in words.
    package var description: String {
        switch self {
        case .command(.record(.pedometerRead(let event))): "read \(event.device): \(event.reading)"
        case .command(let command): "\(command)"
        case .imported(let event, let source): "import \(source): \(event)"
        case .reboot: "the machine boots"
        case .clock(let ahead, let isTrusted):
            "the clock is set \(ahead) ms ahead, \(isTrusted ? "trusted" : "not trusted")"
        case .zone(let offset): "the zone is \(offset) min east"
        case .look(let truth):
            truth.map { "look: \($0.date) has \($0.most) steps, at least \($0.least) proven" }
                ?? "look"
        }
    }
}
