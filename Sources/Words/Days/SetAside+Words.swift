internal import Projections
internal import Text

extension SetAside {
    /// What it is.
    var words: String {
        switch kind {
        case .reading: "\(grouped(steps)) steps in a reading"
        case .fall: "a reading of \(grouped(steps)) steps, fewer than before"
        case .total: "a total of \(grouped(steps))"
        }
    }

    /// The same, and why it does not count.
    var wordsWithReason: String {
        switch kind {
        case .reading: words + ", more than anyone could walk in that time"
        case .fall: words + ", and too many for a counter that restarted"
        case .total: words + ", more than anyone walks in a day"
        }
    }

    /// What it is, where it stands, and whether it was taken in.
    var wordsWithPosition: String {
        "\(words), position \(position)" + (isTaken ? "; taken in" : "")
    }
}
