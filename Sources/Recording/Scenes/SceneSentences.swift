package import Events
internal import Projections
internal import Text
internal import Words

/// A recording in plain lines that a person can read: each sentence with its time, and once a
/// minute how the walk goes.
package struct SceneSentences: Sendable {
    /// The minute since 1970 of the scene before.
    private var minute: Int64?
    /// The heart rate's samples and their sum at that minute.
    private var heart: (samples: UInt64, sum: UInt64) = (0, 0)

    /// Makes lines of nothing yet.
    package init() {}

    /// Tells what is new in a scene.
    ///
    /// - Parameter scene: The scene.
    /// - Returns: Lines, each with its time and its end.
    package mutating func lines(of scene: Scene) -> [UInt8] {
        Array(sentences(of: scene).map { "\(scene.now.seconds)  \($0)\n" }.joined().utf8)
    }

    /// The same, as sentences.
    package mutating func sentences(of scene: Scene) -> [String] {
        var lines: [String] = []
        if scene.omitted > 0 {
            lines.append("Events and messages left out here: \(grouped(scene.omitted)).")
        }
        // What was imported meanwhile happened on other walks.
        for event in scene.events where event.header.source == 0 {
            if let sentence = scene.sentence(of: event.event) { lines.append(sentence) }
        }
        lines += scene.news.compactMap(\.sentence)
        let minute = scene.moment.stamp.wallMilliseconds / 60_000
        if self.minute != minute {
            let totals = scene.state.own.sessions.open?.heartRate
            let (samples, sum) = (totals?.samples ?? 0, totals?.sum ?? 0)
            let count = samples.minus(heart.samples)
            let bpm = count > 0 ? (sum.minus(heart.sum) + count / 2) / count : nil
            if self.minute != nil, let words = scene.progress(bpm) { lines.append(words) }
            heart = (samples, sum)
        }
        self.minute = minute
        if scene.phase == .ended(.done), scene.report == nil { lines.append(Scene.noSession) }
        return lines
    }

    /// What stands in the place of sentences that were left out.
    ///
    /// - Parameter count: How many times.
    /// - Returns: A line, with its end.
    package static func omission(of count: UInt64) -> [UInt8] { omission(of: count, "message") }

    /// The same of anything.
    static func omission(of count: UInt64, _ thing: String) -> [UInt8] {
        Array(
            "\(counted(count, thing)) left out because nothing was reading the output.\n".utf8)
    }
}

extension Scene {
    /// What is told of an event of the walk; nil of every other one.
    package func sentence(of event: Event) -> String? {
        guard case .lapMarked = event, let report else { return event.walkSentence(state.units) }
        return report.laps.sentence(state.units)
    }

    /// How the walk goes, in a line, with the mean heart rate of the minute; nil while there is
    /// none.
    fileprivate func progress(_ bpm: UInt64?) -> String? {
        guard let report, report.state != .ended else { return nil }
        var parts: [String] = []
        if report.state == .paused {
            parts.append("paused")
        } else if let bpm {
            let zone = state.own.sessions.open?.zones.zone(ofHundredths: bpm * 100)
            parts.append("\(bpm) BPM" + (zone.map { " " + $0.name } ?? ""))
        } else if strap.device != nil {
            parts.append("no heart rate")
        }
        if let steps = report.knownSteps { parts.append(counted(steps, "step")) }
        parts += report.knownDistanceMillimetres.map { [state.units.distance($0)] } ?? []
        if parts.isEmpty { parts.append("\(TimeText.duration(report.activeMilliseconds)) active") }
        return parts.joined(separator: ", ")
    }
}
