internal import Interchange
internal import Text

/// The points of a track that do not count, by reason.
struct LeftOutPoints {
    /// Points that are outside of the times of a recording.
    struct Untimely {
        private(set) var count: UInt64 = 0
        private var latest = Int64.min

        /// Adds a point of a time in milliseconds since 1970.
        mutating func add(_ time: Int64) {
            count += 1
            latest = max(latest, time)
        }

        fileprivate var place: String { count == 0 ? "" : " (up to \(TimeText.utc(latest)))" }
    }

    /// What the reader of the file leaves out.
    var unread: [GPXTrackReader.Reason: UInt64] = [:]
    /// What was before the recording.
    var past = Untimely()
    /// What is too far ahead of the clock.
    var ahead = Untimely()

    /// How many there are of each reason but the past.
    var counts: [UInt64] { GPXTrackReader.Reason.allCases.map { unread[$0] ?? 0 } + [ahead.count] }

    /// All of them in one sentence, and what to do where clocks may differ.
    ///
    /// - Parameter file: The file's name, as it is shown.
    /// - Returns: The sentence; it makes sense only where a point is left out.
    func sentence(on file: String) -> String {
        let parts: [(count: UInt64, reason: String)] = [
            (unread[.withoutTime] ?? 0, "without a time"),
            (unread[.unreadableTime] ?? 0, "with a time that cannot be read"),
            (past.count, "before this recording\(past.place)"),
            (ahead.count, "more than 5 minutes ahead of this clock\(ahead.place)"),
            (unread[.nowhere] ?? 0, "at no place on Earth"),
            (unread[.withoutFix] ?? 0, "without a fix"),
        ]
        let total = parts.reduce(0) { $0 + $1.count }
        let reasons = parts.filter { $0.count > 0 }.map { "\(grouped($0.count)) \($0.reason)" }
        return "\(file): \(counted(total, "point")) \(total == 1 ? "is" : "are") left out, "
            + "\(reasons.joined(separator: ", "))."
            + (past.count + ahead.count > 0 ? " Compare the clocks." : "")
    }
}
