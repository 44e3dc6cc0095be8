/// Why no position counts, although a receiver is asked.
package enum PositionLack: String, CaseIterable, Sendable {
    /// The receiver was unplugged.
    case unplugged
    /// What asks it is gone.
    case gone
    /// It is connected and sends nothing.
    case silent
    /// It has no fix.
    case noFix
    /// Its fixes may be off by more than a route can use.
    case inexact
    /// The phone that told it sends nothing.
    case phone

    /// The same in two words.
    package var short: String {
        [
            Self.noFix: "GPS, no fix yet", .silent: "GPS silent", .inexact: "GPS weak",
            .phone: "Phone silent",
        ][self] ?? "No GPS"
    }

    /// What is said when positions count again.
    static func back(isByPhone: Bool) -> String {
        "\(isByPhone ? "The phone sends" : "GPS has") positions again; they count."
    }

    /// What the walker is told: since when, by which app of a phone, by how much the last fix may
    /// be off, and how much one may be that counts.
    package func sentence(
        since: String?, app: String? = nil, error: String, most: String, isWalking: Bool
    ) -> String {
        let end = isWalking ? " The time goes on." : ""
        let at = since.map { " at \($0)" } ?? ""
        let since = since.map { " since \($0)" } ?? ""
        return switch self {
        case .unplugged: "GPS was unplugged\(at). Plug it in again.\(end)"
        case .gone: "GPS is gone\(since): gpsd no longer answers.\(end)"
        case .silent: "GPS is connected but silent\(since). Unplug it and plug it in again.\(end)"
        case .noFix where since.isEmpty:
            "GPS has no fix yet. Your way counts from the first one. Under the open sky it comes "
                + "sooner."
        case .noFix:
            "GPS has had no fix\(since). Your way counts again from the next one.\(end)"
        case .phone:
            "The phone has sent no position\(since). Open \(app ?? "its app") on it; what it has "
                + "kept counts when it comes."
        case .inexact:
            "\(app == nil ? "GPS" : "The phone") is too inexact to count, \(error); up to \(most) "
                + "count. Under the open sky it gets better."
        }
    }
}

extension Narrator {
    /// What was reported of positions that do not come; nil if they do.
    package var positionProblem: String? {
        PositionLack.allCases.lazy.compactMap { standing[.positions($0)] }.first
    }

    /// Tells of positions that do not come, within a minute once, and of those that do again.
    package mutating func hear(
        _ lack: PositionLack?, isByPhone: Bool, isWanted: Bool, at now: UInt64,
        _ sentence: (PositionLack) -> String
    ) -> String? {
        let wasLacking = positionProblem != nil
        for other in PositionLack.allCases where other != lack {
            let topic = Topic.positions(other)
            end(topic)
            if told[topic].map({ now >= $0 + 60_000 }) == true { told[topic] = nil }
        }
        guard let lack else {
            return wasLacking && isWanted ? PositionLack.back(isByPhone: isByPhone) : nil
        }
        guard standing[.positions(lack)] == nil else { return nil }
        return tell(sentence(lack), .positions(lack), at: now)
    }
}
