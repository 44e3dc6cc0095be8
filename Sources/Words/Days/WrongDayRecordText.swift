public import Events
internal import Interchange

/// A record of a day that is not what the events give, for people and for scripts.
public struct WrongDayRecordText: Answer {
    private let recorded: DayClosed
    private let expected: DayClosed?
    private let position: Position

    /// Tells of a record.
    ///
    /// - Parameters:
    ///   - recorded: What it says.
    ///   - expected: What the events give; nil if no day was over that had no record yet.
    ///   - position: Where it stands.
    public init(_ recorded: DayClosed, _ expected: DayClosed?, at position: Position) {
        self.recorded = recorded
        self.expected = expected
        self.position = position
    }

    /// A few lines within 80 columns.
    public var text: String {
        let told = "\(grouped(recorded.displayed)) steps"
        var sentence = "The record at position \(position) says \(told)"
        switch expected {
        case nil: sentence += ", and no day was over then that had no record yet."
        case let day? where day.date != recorded.date:
            sentence += ", and the day that was over then is \(day.date)."
        case let day? where day.displayed != recorded.displayed:
            sentence += "; the events give \(grouped(day.displayed))."
        case .some: sentence += ", as the events do; its other fields are not what they give."
        }
        let lines = wrapped(sentence, to: 76).map { "    \($0)\n" }
        return "\(recorded.date)  not certified: a wrong record\n" + lines.joined()
    }

    /// One object and a newline.
    public var jsonLine: [UInt8] {
        JSONWriter.line { line in
            line.field("date", recorded.date.description)
            line.field("certified", false)
            line.field("fault", "wrongRecord")
            line.field("position", position)
            line.field("recorded", recorded.displayed)
            line.field("expected", expected?.displayed)
        }
    }
}
