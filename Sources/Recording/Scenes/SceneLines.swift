internal import Interchange
internal import Projections
internal import Words

/// A recording as lines, for people or as JSON: a line for each durable event, as it stands in the
/// log; then the session.
///
/// As JSON there is also a line `{"connection":{…}}` whenever more changes of the strap than its
/// heart rate.
public struct SceneLines: Sendable {
    private let json: Bool
    private var events = EventLines()
    /// The strap as it was told last.
    private var strap: StrapStatus?

    /// Makes lines of nothing yet.
    ///
    /// - Parameter json: Whether they are JSON Lines.
    public init(json: Bool) {
        self.json = json
    }

    /// Tells what is new in a scene.
    ///
    /// - Parameter scene: The scene.
    /// - Returns: Whole lines, each by itself or below the headings that it needs, with their ends.
    public mutating func lines(of scene: Scene) -> [[UInt8]] {
        var lines = scene.events.map { json ? $0.jsonLine : Array(events.add($0).utf8) }
        if json, strap?.isLike(scene.strap) != true {
            lines.append(JSONWriter.line { $0.field("connection", scene.strap) })
            strap = scene.strap
        }
        return lines
    }

    /// What stands in the place of events that were left out.
    ///
    /// - Parameter count: How many.
    /// - Returns: A line, with its end.
    public func omission(of count: UInt64) -> [UInt8] {
        json
            ? JSONWriter.line { $0.field("omitted", count) }
            : Array("\(counted(count, "event")) left out: nobody read.\n".utf8)
    }

    /// The session's totals and the digest of the state.
    ///
    /// - Parameters:
    ///   - scene: The last scene.
    ///   - digest: The digest of its state.
    /// - Returns: Lines, each with its end; nothing if there was no session.
    public func totals(of scene: Scene, digest: String) -> [UInt8] {
        guard let report = scene.report else { return [] }
        guard json else { return Array((scene.totals + digest + "\n").utf8) }
        return JSONWriter.line {
            $0.field("session", report)
            $0.field("digest", digest)
        }
    }
}

extension Scene {
    /// The session's totals as lines for people, each with its end; a sentence if there is none.
    public var totals: String {
        guard let report else { return "No session was begun.\n" }
        return SessionText(report, offsetMinutes: state.live.recorder.zoneOffsetMinutes).text
    }
}
