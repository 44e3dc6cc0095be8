internal import Events
internal import Text

extension [Sport] {
    /// What of files was left out because it was not done on foot, in a sentence; nil for nothing.
    var sentence: String? {
        guard !isEmpty else { return nil }
        let words = Sport.allCases.filter(contains).map { sport in
            counted(UInt64(count { $0 == sport }), sport == .other ? "other workout" : sport.name)
        }
        return "\(Text.enumerated(words)) left out, because this is for walks; --anyway imports "
            + (count == 1 ? "it." : "them.")
    }
}
