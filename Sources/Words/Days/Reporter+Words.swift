internal import Events
internal import Text

extension Reporter {
    /// Such as `another machine's log, called “pi”`: others chose what is in quotes.
    var words: String {
        guard let name = name.map({ quoted($0) }) else { return kind.rawValue }
        return kind.rawValue + (kind == .earlierProgram ? " (\(name))" : ", called \(name)")
    }
}

/// ` by Apple Health`: who reported a total, in the middle of a sentence; nothing if nobody did.
func byWhom(_ reporter: Reporter?) -> String {
    reporter.map { " by \($0.words)" + ($0.name == nil ? "" : ",") } ?? ""
}
