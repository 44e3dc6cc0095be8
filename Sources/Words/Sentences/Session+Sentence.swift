public import Events
internal import Text

extension SessionMarked {
    /// What the walker is told, harmless in a terminal.
    public var sentence: String {
        text.isEmpty ? "Marked." : "Marked: \(printable(text, limit: 60))"
    }
}

extension Event {
    /// What is told of an event that begins, ends or divides a walk; nil of every other one.
    public var walkSentence: String? {
        switch self {
        case .sessionStarted(let event):
            event.goal.kind == .none
                ? "The walk begins." : "The walk begins; its goal: \(event.goal.text)."
        case .sessionPaused: "The walk is paused."
        case .sessionResumed: "The walk goes on."
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
