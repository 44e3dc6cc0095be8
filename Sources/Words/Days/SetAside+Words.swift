internal import Projections
internal import Text

extension SetAside {
    /// What it is, with times of a zone.
    func words(_ offsetMinutes: Int64) -> String {
        switch kind {
        case .reading: return "\(grouped(steps)) steps in a reading"
        case .fall: return "a reading of \(grouped(steps)) steps, fewer than before"
        case .total: return "a total of \(grouped(steps))"
        case .overMidnight:
            let to = LocalTime(toMilliseconds, offsetMinutes: offsetMinutes)
            let from = LocalTime(fromMilliseconds, offsetMinutes: offsetMinutes)
            let isLong = toMilliseconds - fromMilliseconds >= 86_400_000
            return
                "\(grouped(steps)) steps over midnight, \(isLong ? from.dated : from.seconds) to "
                + (isLong ? to.dated : to.seconds)
        }
    }

    /// The same, and why it does not count.
    func wordsWithReason(_ offsetMinutes: Int64) -> String {
        let words = words(offsetMinutes)
        return switch kind {
        case .reading: words + ", more than anyone could walk in that time"
        case .fall: words + ", and too many for a counter that restarted"
        case .total: words + ", more than anyone walks in a day"
        case .overMidnight: words + ", not surely of this day"
        }
    }

    /// What it is, where it stands, and whether it was taken in.
    func wordsWithPosition(_ offsetMinutes: Int64) -> String {
        "\(words(offsetMinutes)), position \(position)" + (isTaken ? "; taken in" : "")
    }
}
