internal import Events
internal import Projections
internal import Text

/// What became of the strap's connection in a session.
struct LinkText {
    /// Sentences; there is one at least.
    private(set) var parts: [String]

    /// Tells a session's connection, and what is odd about what came over it.
    init(_ link: SessionLink, _ conservation: RRConservation) {
        parts = [Self.connections(link)]
        let losses = Self.losses(link)
        if !losses.isEmpty { parts.append(losses) }
        if link.deliveryFactor > 1 {
            let factor = link.deliveryFactor
            parts.append(
                "Every value came \(factor == 2 ? "twice" : "\(grouped(factor)) times") for "
                    + "\(TimeText.duration(link.multipliedMilliseconds)): another program is "
                    + "subscribed; each was counted once.")
        }
        if conservation.isOff, let percent = conservation.percent {
            parts.append(
                "The RR intervals fill \(percent) % of the clock: "
                    + (percent.value < 100_00 ? "beats are missing." : "too many came."))
        }
    }

    private static func connections(_ link: SessionLink) -> String {
        var text = "never up"
        if link.connects > 0 {
            let up = TimeText.duration(link.upMilliseconds)
            text = "up \(up) in \(counted(link.connects, "span"))"
        }
        let connecting = link.connecting
        if connecting.count > 0 {
            text += ", connected in \(seconds(connecting.firstMilliseconds))"
            if connecting.longestMilliseconds > connecting.firstMilliseconds {
                text += " (at most \(seconds(connecting.longestMilliseconds)))"
            }
        }
        guard link.failedAttempts > 0 else { return text }
        return text + ", \(grouped(link.failedAttempts)) failed"
    }

    /// How often the link was lost and why, and the longest gap; empty if there was none.
    private static func losses(_ link: SessionLink) -> String {
        let causes = zip(LinkEnd.drops, link.drops).filter { $0.1 > 0 }
        let drops = causes.reduce(0) { $0 + $1.1 }
        var parts: [String] = []
        if drops > 0 {
            let words = causes.map { "\(grouped($0.1)) \($0.0.words)" }.joined(separator: ", ")
            parts.append("\(counted(drops, "drop")) (\(words))")
        }
        if link.longestGapMilliseconds > 0 {
            parts.append("longest gap \(seconds(link.longestGapMilliseconds))")
        }
        return parts.joined(separator: ", ")
    }

    /// `0.6 s`, rounded half up, or minutes and hours from a minute on.
    private static func seconds(_ milliseconds: UInt64) -> String {
        let tenths = (milliseconds + 50) / 100
        return tenths < 600
            ? "\(tenths / 10).\(tenths % 10) s" : TimeText.duration(milliseconds)
    }
}

extension LinkEnd {
    /// The end in words that follow a number.
    fileprivate var words: String { self == .remote ? "by the strap" : inWords(name) }
}
