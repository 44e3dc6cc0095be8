internal import Events
internal import Projections
internal import Text

extension LeftOutFixes {
    /// How many of a phone's positions were left out, and why; nil if none was.
    var words: String? {
        let reasons: [(FixFault, String)] = [
            (.outOfOrder, "again or after later ones"), (.ahead, "dated after now"),
            (.network, "guessed from networks"), (.notValid, "not valid"),
        ]
        let parts = reasons.filter { self[$0.0] > 0 }.map { "\(grouped(self[$0.0])) \($0.1)" }
        guard sum > 0 else { return nil }
        return "\(counted(sum, "position")) of the phone: \(parts.joined(separator: ", "))"
    }
}
