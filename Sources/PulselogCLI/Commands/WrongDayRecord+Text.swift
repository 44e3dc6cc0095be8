internal import Deciding
internal import Events
public import JSON
internal import Text
internal import Words

/// A record of a day that is not what the events give, for people and for scripts.
extension WrongDayRecord: Answer, JSONObject {
    /// A few lines within 80 columns.
    public var text: String {
        var sentence = "The record at position \(position) says \(grouped(displayed)) steps"
        switch expected {
        case nil: sentence += ", and the day was not over then, or already had its record."
        case displayed: sentence += ", as the events do; its other fields are not what they give."
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
        line.field("recorded", displayed)
        line.field("expected", expected)
    }
}
