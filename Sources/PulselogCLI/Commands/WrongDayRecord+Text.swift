public import Events
public import JSON
internal import Text

/// A record of a day that is not what the events give, for people and for scripts.
public struct WrongDayRecordText: Answer, JSONObject {
    private let date: CivilDate
    private let recorded: UInt64
    private let expected: UInt64?
    private let position: Position

    /// Tells of a record.
    ///
    /// - Parameters:
    ///   - date: Whose it is.
    ///   - recorded: The count that it says was displayed.
    ///   - expected: The count that the events give; nil if the day had no record to be made.
    ///   - position: Where it stands.
    public init(of date: CivilDate, recorded: UInt64, expected: UInt64?, at position: Position) {
        self.date = date
        self.recorded = recorded
        self.expected = expected
        self.position = position
    }

    /// A few lines within 80 columns.
    public var text: String {
        var sentence = "The record at position \(position) says \(grouped(recorded)) steps"
        switch expected {
        case nil: sentence += ", and the day was not over then, or already had its record."
        case recorded: sentence += ", as the events do; its other fields are not what they give."
        case let count?: sentence += "; the events give \(grouped(count))."
        }
        return "\(date)  not certified: a wrong record\n" + labelled(indent: 4, sentence)
    }

    /// Writes the fields into an object that is open.
    public func writeFields(to line: inout JSONWriter) {
        line.field("date", date.description)
        line.field("certified", false)
        line.field("fault", "wrongRecord")
        line.field("position", position)
        line.field("recorded", recorded)
        line.field("expected", expected)
    }
}
