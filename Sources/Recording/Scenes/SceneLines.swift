package import Events
internal import Interchange
internal import JSON
internal import Words

/// A recording as lines, for people or as JSON: a line for each durable event, as it is in the
/// log; then the session.
///
/// As JSON there is also a line `{"connection":{…}}` whenever more changes of the strap than its
/// heart rate.
package struct SceneLines: Sendable {
    private let json: Bool
    private var events = EventLines()
    /// The strap as it was reported last.
    private var strap: StrapStatus?

    /// Makes lines of nothing yet.
    ///
    /// - Parameter json: Whether they are JSON Lines.
    package init(json: Bool) {
        self.json = json
    }

    /// Tells what is new in a scene.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - take: Gets whole lines, with their ends: each event by itself, below the headings that
    ///     it needs, before the next one is made.
    package mutating func tell(_ scene: Scene, to take: ([UInt8]) -> Void) {
        for event in scene.events { take(json ? event.jsonLine : Array(events.add(event).utf8)) }
        guard json, strap?.isLike(scene.strap) != true else { return }
        take(JSONWriter.line { $0.field("connection", scene.strap) })
        strap = scene.strap
    }

    /// What stands in the place of events that were left out.
    ///
    /// - Parameter count: How many.
    /// - Returns: A line, with its end.
    package func omission(of count: UInt64) -> [UInt8] {
        json
            ? JSONWriter.line { $0.field("omitted", count) }
            : SceneSentences.omission(of: count, "event")
    }

    /// A session's totals and the digest of the state.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - scene: A scene after its end.
    ///   - digest: The digest of its state.
    /// - Returns: Lines, each with its end; nothing if there was no session.
    package func totals(of session: Position?, in scene: Scene, digest: String) -> [UInt8] {
        guard let report = scene.report(of: session) else { return [] }
        guard json else {
            return Array((SessionText(report, units: scene.state.units).text + digest + "\n").utf8)
        }
        return JSONWriter.line {
            $0.field("session", report)
            $0.field("digest", digest)
        }
    }
}

extension Scene {
    /// What is said at the end of a recording without a session.
    package static var noSession: String { "No session was started." }
}
