public import Events
internal import Interchange

/// What a proof of a day's steps proves, for people and for scripts.
public struct DayProofText: Answer {
    private let day: DayClosed
    private let steps: (events: UInt64, sum: UInt64?)?
    private let since: (size: UInt64, of: UInt64)?
    private let key: String

    /// Tells what was proven.
    ///
    /// - Parameters:
    ///   - day: The record of the day.
    ///   - steps: How many steps events lie beside it, and what they add up to; nil if none do.
    ///   - since: How many of the log's blocks an older proof, which was compared, is over; nil if
    ///     none was.
    ///   - key: The vkey that vouches for it.
    public init(
        _ day: DayClosed, steps: (events: UInt64, sum: UInt64?)?,
        since: (size: UInt64, of: UInt64)? = nil, key: String
    ) {
        self.day = day
        self.steps = steps
        self.since = since
        self.key = key
    }

    /// A few lines within 80 columns, but for the key.
    public var text: String {
        var sentence = "\(grouped(day.displayed)) steps were displayed when the day ended"
        let corrected = UInt64(max(0, day.corrected))
        sentence += corrected == day.displayed ? "." : ", \(grouped(corrected)) with corrections."
        if let steps {
            sentence += " The proof lays open the day's \(counted(steps.events, "steps event")); "
            sentence += Self.addition(steps.sum, day)
        }
        var lines = wrapped(sentence, to: 76).map { "    \($0)\n" }
        if let since {
            lines.append(
                "    Nothing before changed since the older proof "
                    + "(\(grouped(since.size)) of \(counted(since.of, "block"))).\n")
        }
        return "\(day.date)  proven\n" + lines.joined() + "    signed by \(key)\n"
    }

    private static func addition(_ sum: UInt64?, _ day: DayClosed) -> String {
        switch sum {
        case day.displayed: "they add up to the same."
        case let sum?:
            "by themselves they add up to \(grouped(sum)). The rest was told before the day began."
        case nil: "they do not say which day they are of."
        }
    }

    /// One object and a newline.
    public var jsonLine: [UInt8] {
        JSONWriter.line { line in
            line.field("date", day.date.description)
            line.field("proven", true)
            line.field("offsetMinutes", day.offsetMinutes)
            line.field("displayed", day.displayed)
            line.field("corrected", day.corrected)
            line.field("stepsEvents", steps?.events)
            line.field("stepsSum", steps?.sum)
            if let since {
                line.object("since") { line in
                    line.field("size", since.size)
                    line.field("consistent", true)
                }
            }
            line.field("key", key)
        }
    }
}
