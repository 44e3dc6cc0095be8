internal import ArgumentParser
internal import EventStore
internal import Fleet
internal import FleetClient
internal import Walkers

/// Logs that are there already, as fast as the cluster takes them.
struct Burst: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "burst", abstract: "Sends recorded walks as fast as it goes.")

    @OptionGroup var options: ClusterOptions
    @Option(help: "How many logs.") var logs = 1_000
    @Option(help: "How many seconds of walking each.") var seconds = 600
    @Option(help: "How many seconds a message holds.") var portion = 10
    @Option(help: "Which walks.") var walks: UInt64 = 1_000_000

    func run() async throws {
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        var (messages, events) = (0, UInt64(0))
        var spent = Duration.zero
        // The logs grow between the measured parts, so that each part sends small messages.
        var all: [(log: InMemoryEventLog, forwarder: Forwarder, walker: SimulatedWalker)] = []
        for number in 0..<logs {
            var walker = SimulatedWalker(seed: walks &+ UInt64(number))
            let log = try await walker.log()
            let name = PlayedRecorder.name(number, walks)
            all.append((log, Forwarder(of: log, as: name, to: cluster), walker))
        }
        for _ in 0..<(seconds / portion) {
            for index in all.indices {
                try await all[index].walker.walk(seconds: portion, into: all[index].log)
            }
            let start = ContinuousClock.now
            try await withThrowingTaskGroup { group in
                for (index, item) in all.enumerated() {
                    group.addTask {
                        var forwarder = item.forwarder
                        return (index, sent: try await forwarder.sendAll(), forwarder)
                    }
                }
                for try await (index, sent, forwarder) in group {
                    messages += sent
                    all[index].forwarder = forwarder
                }
            }
            spent += .now - start
        }
        for item in all { events += try item.log.next }
        print(
            """
            \(events) events in \(messages) messages, in \(spent): \
            \(Int(Double(messages) / (spent / .seconds(1)))) messages/s, \
            \(Int(Double(events) / (spent / .seconds(1)))) events/s
            """)
    }
}
