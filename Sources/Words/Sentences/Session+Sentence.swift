package import Events
package import Projections
internal import Text

extension SessionMarked {
    /// What the walker is told, harmless in a terminal.
    package var sentence: String {
        text.isEmpty ? "Marked." : "Marked: \(printable(text, limit: 60))"
    }
}

extension SessionReport {
    /// Whether it is so short that it was hardly meant: below 2 minutes and 100 metres.
    package var isFalseStart: Bool {
        activeMilliseconds < 120_000 && (distanceMillimetres ?? 0) < 100_000
    }

    /// What is told once it was thrown away: how long it was, and how far.
    package func thrown(_ units: Units) -> String {
        let way = knownDistanceMillimetres.map {
            $0 < 1_000_000 ? units.climb($0) : units.distance($0)
        }
        let lengths = [spoken(milliseconds: activeMilliseconds), way].compactMap(\.self)
        return "Thrown away: \(lengths.joined(separator: ", "))."
    }
}

extension Laps {
    /// What is told of the lap that ended last: its number, its time, its distance and its pace.
    package func sentence(_ units: Units) -> String {
        let distance = last.millimetres > 0 ? units.distance(last.millimetres) : nil
        let pace = units.pace(last.millimetres, last.milliseconds)
        let parts = [TimeText.duration(last.milliseconds), distance, pace].compactMap(\.self)
        return "Lap \(grouped(ended)): \(parts.joined(separator: ", "))."
    }
}

extension Event {
    /// Whether what is told of it is to be heard: the walker does not look at a screen.
    package var isHeard: Bool { [.goalReached, .turnAroundReached].contains(kind) }

    /// What is told of an event that begins, ends or divides a walk; nil of every other one.
    package func walkSentence(_ units: Units) -> String? {
        switch self {
        case .sessionStarted(let event):
            event.goal.kind == .none
                ? "The walk begins." : "The walk begins; its goal: \(event.goal.text(units))."
        case .sessionPaused: "The walk is paused."
        case .sessionResumed: "The walk goes on."
        case .lapMarked: "A lap ends, and the next begins."
        case .standstillBegan: "You stand still: the walk pauses until you walk."
        case .standstillEnded: "You walk again: the walk goes on."
        case .sessionMarked(let event): event.sentence
        case .sessionEnded(let event):
            switch event.reason.known {
            case .leftOpen, .atLastEvent: "The walk has ended, as of when it was recorded last."
            case .takenOff: "The walk has ended: the strap has not been worn for five minutes."
            case .leftPaused: "The walk has ended: it had been paused for an hour."
            case .requested, .durationReached, .inputEnded, nil: "The walk has ended."
            }
        default: nil
        }
    }
}
