internal import Events
internal import Projections
internal import Text

extension LeftOutFixes {
    /// How many of a phone's positions were left out, and why.
    var words: String {
        let reasons: [(FixFault, String)] = [
            (.outOfOrder, "again or after later ones"), (.ahead, "dated after now"),
            (.network, "guessed from networks"), (.notValid, "not valid"),
        ]
        let parts = reasons.filter { self[$0.0] > 0 }.map { "\(grouped(self[$0.0])) \($0.1)" }
        return "\(counted(sum, "position")) of the phone: \(parts.joined(separator: ", "))"
    }
}
