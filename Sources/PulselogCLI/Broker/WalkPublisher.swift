internal import MQTT
internal import Projections
internal import Recording
internal import Stores
internal import Text
internal import WalkService
internal import Words

/// Tells a broker what this process records, and does what its buttons ask for.
///
/// It never waits for the broker, and neither does the recording.
struct WalkPublisher {
    private let topics: WalkTopics
    private let client: MQTTClient
    private let answering: Task<Void, Never>

    /// Makes one, if the configuration file names a broker.
    ///
    /// - Parameters:
    ///   - service: Does what buttons ask for.
    ///   - say: Called with what fails, from any thread; must not wait.
    init?(_ service: WalkService, say: @escaping @Sendable (String) -> Void) {
        do {
            guard let broker = try ConfigurationFile()?.parsed(BrokerOptions.self) else {
                return nil
            }
            topics = WalkTopics(prefix: broker.prefix, hasButtons: broker.buttons)
            client = try broker.client(topics)
            answering = Task { [client, buttons = topics.buttons] in
                for await news in client.news {
                    switch news {
                    case .reached(let again):
                        if again { say("\(broker.title) is reached again.") }
                    case .lost(let reason):
                        say("\(broker.title) is not reached: \(printable(reason, limit: 120))")
                    case .received(let topic, let payload):
                        guard payload == "PRESS", let command = buttons[topic] else { continue }
                        do throws(WalkRefusal) {
                            try await service.perform(.ask(.command(command)))
                        } catch {
                            say(error.message)
                        }
                    }
                }
            }
        } catch {
            say("Nothing is published by MQTT: \(CommandFailure(error).message)")
            return nil
        }
    }

    /// Publishes a scene, if it is one of a walk that this process records.
    func take(_ scene: Scene) {
        switch scene.phase {
        case .settingUp, .starting, .recording:
            // What is made up is nobody's heart rate.
            if !scene.state.isSimulated { client.want(topics.messages(scene)) }
        case nil, .ending, .failed, .ended:
            client.want(topics.farewell, until: .now + .seconds(3))
        }
    }

    /// Leaves the broker for good, also where the task is cancelled.
    func settle() async {
        client.want(topics.farewell, until: .now + .seconds(3), isLast: true)
        await Task { [answering] in await value(within: .seconds(4)) { await answering.value } }
            .value
    }
}
