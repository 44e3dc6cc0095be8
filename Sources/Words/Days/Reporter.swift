internal import Text

/// ` by phone`: who reported a total, made harmless; nothing if nobody said so.
///
/// - Parameters:
///   - reporter: A stranger's text.
///   - verb: What comes before it.
/// - Returns: The words.
func byWhom(_ reporter: String?, before verb: String = "") -> String {
    reporter.map { "\(verb) by \(printable($0, limit: 100))" } ?? ""
}
