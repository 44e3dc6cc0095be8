internal import Events
internal import JSON
internal import MQTT
internal import Projections
internal import Recording
internal import Words

/// What a broker is told of a recording, each thing below a topic, and how Home Assistant finds it.
///
/// It is a function of what all fronts show. What is not known is `None`, which Home Assistant shows
/// as unknown.
struct WalkTopics {
    private static let sensors: [(key: String, name: String, fields: [(String, String)])] = [
        ("heart_rate", "Heart rate", [unit("bpm"), measurement]), ("zone", "Zone", []),
        ("steps_today", "Steps today", [unit("steps"), total]),
        ("daily_goal", "Daily goal", [unit("steps")]),
        ("distance", "Distance", [unit("m"), total, ("device_class", "distance")]),
        ("walk", "Walk", []),
        ("strap_battery", "Strap battery", [unit("%"), measurement, ("device_class", "battery")]),
    ]
    private static let commands: [(key: String, name: String, command: Command)] = [
        ("pause", "Pause", .pause), ("resume", "Resume", .resume), ("finish", "Finish", .end()),
    ]
    private static let measurement = ("state_class", "measurement")
    private static let total = ("state_class", "total_increasing")
    private static func unit(_ name: String) -> (String, String) { ("unit_of_measurement", name) }

    private let prefix: String
    /// What Home Assistant is told of its sensors and buttons; nothing of what it is not to have.
    private let discovery: [MQTTMessage]
    /// What is asked for by the topics of buttons.
    let buttons: [String: Command]
    /// What says that nobody tells anything; the broker says it when the recorder is lost.
    var offline: MQTTMessage { ("\(prefix)/availability", "offline") }

    /// Makes the topics below a prefix.
    init(prefix: String, hasButtons: Bool) {
        self.prefix = prefix
        let pressed = Self.commands.map { ("\(prefix)/\($0.key)/press", $0.command) }
        buttons = hasButtons ? Dictionary(uniqueKeysWithValues: pressed) : [:]
        let sensors = Self.sensors.map { key, name, fields in
            let fields = fields + [("state_topic", "\(prefix)/\(key)")]
            return Self.known("sensor", key, name, fields, prefix)
        }
        discovery =
            sensors
            + Self.commands.map { key, name, _ in
                let topic = ("command_topic", "\(prefix)/\(key)/press")
                let message = Self.known("button", key, name, [topic], prefix)
                return hasButtons ? message : (message.topic, "")
            }
    }

    /// What makes a sensor or a button known to Home Assistant.
    private static func known(
        _ component: String, _ key: String, _ name: String, _ fields: [(String, String)],
        _ prefix: String
    ) -> MQTTMessage {
        let id = prefix.replacing("/", with: "_")
        let json = JSONWriter.line { json in
            json.field("name", name)
            json.field("unique_id", "\(id)_\(key)")
            json.field("availability_topic", "\(prefix)/availability")
            for (key, value) in fields { json.field(key, value) }
            json.object("device") { json in
                json.array("identifiers", [id])
                json.field("name", "Pulselog")
                json.field("sw_version", Version.text)
            }
            json.object("origin") { $0.field("name", "Pulselog") }
        }
        let text = String(decoding: json.dropLast(), as: UTF8.self)
        return ("homeassistant/\(component)/\(id)/\(key)/config", text)
    }

    /// What the broker is told of a scene.
    func messages(_ scene: Scene) -> [MQTTMessage] {
        let sessions = scene.state.own.sessions
        let walk = scene.report.flatMap { $0.state == .ended ? nil : $0 }
        let bpm = sessions.isAtRest ? nil : scene.strap.currentBPM
        let zones = sessions.open?.zones ?? .standard
        let battery = scene.strap.status == .disconnected ? nil : scene.strap.batteryPercent
        let values: [String?] = [
            bpm.map(String.init), bpm.map { zones.zone(ofHundredths: UInt64($0) * 100).name },
            scene.stepsToday.map(String.init),
            scene.state.own.recorder.profile.dailyGoalSteps.map(String.init),
            walk?.knownDistanceMillimetres.map { "\($0 / 1_000)" },
            walk.map { $0.state == .paused ? "paused" : "recording" } ?? "idle",
            battery.map(String.init),
        ]
        let states = zip(Self.sensors, values).map { ("\(prefix)/\($0.key)", $1 ?? "None") }
        return discovery + states + [(offline.topic, "online")]
    }

    /// What the broker is told last: nothing of a walk stays there.
    var farewell: [MQTTMessage] { [offline] + Self.sensors.map { ("\(prefix)/\($0.key)", "") } }
}
