internal import EventStore
internal import Events
internal import Projections
internal import Recording
internal import Text
internal import Words

/// How the recorder is, for a program that watches over it: OpenMetrics 1.0, text form.
///
/// There are no counters, whose names differ in Prometheus' older form: so the text is the same in
/// both. What a log holds is a gauge anyway, for another log may take its place.
struct MetricsText {
    /// The media type.
    static let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// The lines, but for the last one.
    private var text = ""

    /// The whole text.
    var bytes: [UInt8] { Array((text + "# EOF\n").utf8) }

    /// Tells what there is to tell of a recorder and its store.
    ///
    /// - Parameters:
    ///   - scene: The current state.
    ///   - store: What the store tells of itself.
    ///   - waiting: What waits in this process; nil without a recorder.
    ///   - withHeartRate: Whether the heart rate is told too.
    init(
        _ scene: Scene, _ store: StoreFigures, _ waiting: (happenings: Int, inputs: Int)?,
        withHeartRate: Bool
    ) {
        let (own, strap) = (scene.state.own, scene.strap)
        gauge("build_info", "The program.", [("version=\"\(Version.text)\"", "1")])
        gauge("recording", "Whether a recorder runs.", scene.isRecording ? 1 : 0)
        gauge("session_open", "Whether a walk is open.", own.sessions.open == nil ? 0 : 1)
        gauge("session_paused", "Whether the walk is paused.", own.sessions.isPaused ? 1 : 0)
        gauge(
            "strap_connected", "Whether the strap is connected.", strap.word == .connected ? 1 : 0)
        gauge(
            "strap_battery_ratio", "The charge that the strap reported last.",
            strap.batteryPercent.map { [("", decimal(hundredths: UInt64($0)))] } ?? [])
        gauge(
            "strap_drops", "How often the strap's link was lost, of all that the log holds.",
            strap.device.flatMap { own.devices[$0]?.link.drops })
        if withHeartRate {
            gauge(
                "heart_rate_bpm", "The heart rate that holds now, in beats per minute.",
                strap.currentBPM)
        }
        gauge("steps_today", "The steps of the day.", own.stepsToday(at: scene.moment))
        gauge("steps_daily_goal", "The day's goal.", own.recorder.profile.dailyGoalSteps)
        gauge("log_events", "The events of the log.", scene.state.next)
        gauge("log_size_bytes", "What the log takes on the disk.", store.sizeBytes)
        gauge(
            "log_lost_inputs", "Inputs that found no room, of all that the log holds.",
            own.recorder.lostInputs)
        gauge(
            "log_unsigned_events", "The events that no checkpoint vouches for yet.",
            store.signedEvents.map { scene.state.next - min($0, scene.state.next) })
        gauge(
            "log_damaged", "Whether the log is known to be damaged.",
            store.selfCheck.map { $0.damagePosition == nil ? 0 : 1 })
        gauge(
            "checkpoint_timestamp_seconds", "When the last checkpoint was made.",
            store.checkpointAtMilliseconds.map { $0 / 1_000 })
        let queues = [
            ("happenings", waiting?.happenings), ("inputs", waiting?.inputs),
            ("appends", store.commits?.waiting),
        ]
        gauge(
            "queue_depth", "What waits in this process.",
            queues.compactMap { name, depth in depth.map { ("queue=\"\(name)\"", "\($0)") } })
        guard let commits = store.commits else { return }
        histogram(
            "commit_seconds", "How long commits of this process took.",
            [("durable", commits.durable), ("failed", commits.failed)])
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: (some BinaryInteger)?) {
        gauge(name, help, value.map { [("", "\($0)")] } ?? [])
    }

    /// Adds a gauge, unless nothing is known of it.
    private mutating func gauge(
        _ name: String, _ help: String, _ samples: [(labels: String, value: String)]
    ) {
        guard !samples.isEmpty else { return }
        begin(name, "gauge", help)
        for (labels, value) in samples { add(name, labels, value) }
    }

    private mutating func histogram(
        _ name: String, _ help: String, _ results: [(name: String, times: CommitFigures.Times)]
    ) {
        begin(name, "histogram", help)
        for (result, times) in results {
            let label = "result=\"\(result)\""
            let bounds = CommitFigures.Times.boundsMicroseconds.map(Self.seconds) + ["+Inf"]
            var count: UInt64 = 0
            for (bound, more) in zip(bounds, times.counts) {
                count += more
                add(name + "_bucket", "\(label),le=\"\(bound)\"", "\(count)")
            }
            add(name + "_count", label, "\(count)")
            add(name + "_sum", label, Self.seconds(times.totalMicroseconds))
        }
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        text += "# TYPE pulselog_\(name) \(type)\n"
        let unit = ["seconds", "bytes", "ratio"].first { name.hasSuffix("_\($0)") }
        if let unit { text += "# UNIT pulselog_\(name) \(unit)\n" }
        text += "# HELP pulselog_\(name) \(help)\n"
    }

    private mutating func add(_ name: String, _ labels: String, _ value: String) {
        text += "pulselog_\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
    }

    /// Microseconds as seconds, with a point and no zeros to spare, as bounds are written there.
    private static func seconds(_ microseconds: UInt64) -> String {
        var decimals = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
        while decimals.count > 1, decimals.last == "0" { decimals.removeLast() }
        return "\(microseconds / 1_000_000).\(decimals)"
    }
}
