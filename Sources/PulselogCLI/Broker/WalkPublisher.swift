internal import MQTT
internal import Recording
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
    ///   - options: The broker; nil for none.
    ///   - service: Does what buttons ask for.
    ///   - say: Called with what fails, from any thread; must not wait.
    init?(
        _ options: BrokerOptions?, _ service: WalkService,
        say: @escaping @Sendable (String) -> Void
    ) {
        guard let options else { return nil }
        let topics = WalkTopics(prefix: options.prefix, hasButtons: options.buttons)
        do throws(CommandFailure) {
            (self.topics, client) = (topics, try options.client(topics))
        } catch {
            say("Nothing is published by MQTT: \(error.message)")
            return nil
        }
        answering = Task { [client] in
            var isLost = false
            for await news in client.news {
                switch news {
                case .reached:
                    if isLost { say("\(options.title) is reached again.") }
                    isLost = false
                case .lost(let reason):
                    say("\(options.title) is not reached: \(printable(reason, limit: 120))")
                    isLost = true
                case .received(let topic, let payload):
                    guard payload == "PRESS", let command = topics.buttons[topic] else { continue }
                    do throws(WalkRefusal) {
                        try await service.perform(.ask(.command(command)))
                    } catch {
                        say(error.message)
                    }
                }
            }
        }
    }

    /// Publishes a scene, if it is one of a recorder of this process.
    func take(_ scene: Scene) {
        switch scene.phase {
        case .settingUp, .starting, .recording: client.want(topics.messages(scene))
        case nil, .ending, .failed, .ended: leave()
        }
    }

    private func leave(isLast: Bool = false) {
        client.want(topics.farewell, until: .now + .seconds(3), isLast: isLast)
    }

    /// Leaves the broker for good, also where the task is cancelled.
    func settle() async {
        leave(isLast: true)
        await Task { [answering] in await value(within: .seconds(4)) { await answering.value } }
            .value
    }
}
