internal import Events
internal import JSON
internal import MQTT
internal import Projections
internal import Recording
internal import Text
internal import Words

/// What a broker is told of a recording, each thing below a topic, and how Home Assistant finds it.
///
/// It is a function of what all fronts show. What is not known is `None`, which Home Assistant
/// shows as unknown.
struct WalkTopics {
    /// The sensors, and what Home Assistant is told of their values.
    private static let sensors: [(key: String, fields: [String: String])] = [
        ("heart_rate", ["unit_of_measurement": "bpm", "state_class": "measurement"]),
        ("zone", [:]),
        ("steps_today", ["unit_of_measurement": "steps", "state_class": "total_increasing"]),
        ("daily_goal", ["unit_of_measurement": "steps"]),
        ("distance", ["unit_of_measurement": "m", "device_class": "distance"]),
        ("walk", [:]),
        ("strap_battery", ["unit_of_measurement": "%", "device_class": "battery"]),
    ]
    private static let commands: [(key: String, command: Command)] = [
        ("pause", .pause), ("resume", .resume), ("finish", .end()),
    ]

    private let prefix: String
    /// What Home Assistant is told of its sensors and buttons; nothing of what it is not to have.
    private let discovery: [MQTTMessage]
    /// What is asked for by the topics of buttons.
    let buttons: [String: Command]
    /// What says that nothing is told; the broker says it when the recorder is lost.
    let offline: MQTTMessage

    /// Makes the topics below a prefix.
    init(prefix: String, hasButtons: Bool) {
        (self.prefix, offline) = (prefix, ("\(prefix)/availability", "offline"))
        let pressed = Self.commands.map { ("\(prefix)/\($0.key)/press", $0.command) }
        buttons = hasButtons ? Dictionary(uniqueKeysWithValues: pressed) : [:]
        let id = prefix.replacing("/", with: "_")
        func known(_ kind: String, _ key: String, _ fields: [String: String]) -> MQTTMessage {
            let json = JSONWriter.line { json in
                json.field("name", capitalized(key.replacing("_", with: " ")))
                json.field("unique_id", "\(id)_\(key)")
                json.field("availability_topic", "\(prefix)/availability")
                for (name, value) in fields.sorted(by: <) { json.field(name, value) }
                json.object("device") { json in
                    json.array("identifiers", [id])
                    json.field("name", "Pulselog")
                    json.field("sw_version", Version.text)
                }
            }
            let text = String(decoding: json.dropLast(), as: UTF8.self)
            return ("homeassistant/\(kind)/\(id)/\(key)/config", text)
        }
        let sensors = Self.sensors.map { key, fields in
            known("sensor", key, fields.merging(["state_topic": "\(prefix)/\(key)"]) { $1 })
        }
        discovery =
            sensors
            + Self.commands.map { key, _ in
                let button = known("button", key, ["command_topic": "\(prefix)/\(key)/press"])
                return hasButtons ? button : (button.topic, "")
            }
    }

    /// What the broker is told of a scene.
    func messages(_ scene: Scene) -> [MQTTMessage] {
        let (strap, sessions) = (scene.strap, scene.state.own.sessions)
        let walk = scene.report.flatMap { $0.state == .ended ? nil : $0 }
        let bpm = sessions.isAtRest ? nil : strap.currentBPM
        let zones = sessions.open?.zones ?? .standard
        let values: [(any CustomStringConvertible)?] = [
            bpm, bpm.map { zones.zone(ofHundredths: UInt64($0) * 100).name }, scene.stepsToday,
            scene.state.own.recorder.profile.dailyGoalSteps,
            walk?.knownDistanceMillimetres.map { $0 / 1_000 },
            walk.map { $0.state == .paused ? "paused" : "recording" } ?? "idle",
            strap.status == .disconnected ? nil : strap.batteryPercent,
        ]
        let states = zip(Self.sensors, values).map { sensor, value in
            ("\(prefix)/\(sensor.key)", value.map { "\($0)" } ?? "None")
        }
        return discovery + states + [(offline.topic, "online")]
    }

    /// What the broker is told last: nothing of a walk stays there.
    var farewell: [MQTTMessage] { [offline] + Self.sensors.map { ("\(prefix)/\($0.key)", "") } }
}
