internal import ArgumentParser
internal import CNATS
internal import EventStore
internal import Events
internal import Fleet
internal import FleetClient
internal import NATS
internal import Synchronization
internal import Walkers

/// Logs that are there already, as fast as the cluster takes them, beside a plain publisher of the
/// same messages.
struct Burst: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "burst",
        abstract: "Sends recorded walks as fast as it goes, and the same bytes by libnats alone.")

    @OptionGroup var options: ClusterOptions
    @Option(help: "How many logs.") var logs = 1_000
    @Option(help: "How many seconds of walking each.") var seconds = 600
    @Option(help: "How many seconds a message holds.") var portion = 10
    @Option(help: "Which walks.") var walks: UInt64 = 1_000_000

    func run() async throws {
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        let kept = KeptMessages(cluster)
        let (portion, seconds, seed) = (portion, seconds, walks)
        var events: UInt64 = 0
        let clock = ContinuousClock()
        var spent = Duration.zero
        // The logs grow between the measured parts, so that each part sends small messages.
        var all: [(log: InMemoryEventLog, forwarder: Forwarder, walker: MadeUpWalker)] = []
        for number in 0..<logs {
            let log = InMemoryEventLog()
            let name = PlayedRecorder.name(number, seed)
            let forwarder = Forwarder(of: log, as: name, to: kept)
            all.append((log, forwarder, MadeUpWalker(seed: seed &+ UInt64(number))))
        }
        for part in 0..<(seconds / portion) {
            for index in all.indices {
                if part == 0 {
                    let first = try all[index].walker.begin()
                    _ = try await all[index].log.append(first, expecting: nil)
                }
                for _ in 0..<portion {
                    let batch = try all[index].walker.second()
                    _ = try await all[index].log.append(batch, expecting: nil)
                }
            }
            let start = clock.now
            let forwarders = await withTaskGroup { group in
                for (index, item) in all.enumerated() {
                    group.addTask {
                        var forwarder = item.forwarder
                        do {
                            while case .sent = try await forwarder.step() {}
                        } catch {
                            preconditionFailure("\(error)")
                        }
                        return (index, forwarder)
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            spent += clock.now - start
            for (index, forwarder) in forwarders { all[index].forwarder = forwarder }
        }
        for item in all { events += try item.log.next }
        let messages = kept.messages
        let plain = try Self.plain(messages, try options.credentials())
        print(
            """
            \(events) events in \(messages.count) messages of \
            \(messages.reduce(0) { $0 + $1.payload.count }) bytes
            forwarders: \(spent), \(Int(Double(messages.count) / spent.seconds)) messages/s, \
            \(Int(Double(events) / spent.seconds)) events/s
            plain libnats: \(plain), \(Int(Double(messages.count) / plain.seconds)) messages/s
            ratio: \(plain.seconds / spent.seconds)
            """)
    }

    /// Publishes the same messages by the library alone, many at once, and waits for all answers.
    private static func plain(
        _ messages: [NewMessage], _ credentials: Credentials
    ) throws -> Duration {
        var options: OpaquePointer?
        natsOptions_Create(&options)
        natsOptions_SetURL(options, credentials.servers[0])
        if let seed = credentials.seedFile, let key = credentials.publicKey {
            natsOptions_SetNKeyFromSeed(options, key, seed)
        }
        var connection: OpaquePointer?
        guard natsConnection_Connect(&connection, options) == NATS_OK else {
            throw ValidationError("No connection.")
        }
        var stream: OpaquePointer?
        natsConnection_JetStream(&stream, connection, nil)
        let start = ContinuousClock.now
        for message in messages {
            let subject = message.subject.replacing(".events", with: ".plain")
            let status = message.payload.withUnsafeBytes { bytes in
                js_PublishAsync(stream, subject, bytes.baseAddress, Int32(bytes.count), nil)
            }
            guard status == NATS_OK else { throw ValidationError("Not published: \(status)") }
        }
        js_PublishAsyncComplete(stream, nil)
        let spent = ContinuousClock.now - start
        jsCtx_Destroy(stream)
        natsConnection_Destroy(connection)
        natsOptions_Destroy(options)
        return spent
    }
}

/// Keeps what is published, besides publishing it.
private final class KeptMessages: Cluster {
    private let cluster: any Cluster
    private let kept = Mutex<[NewMessage]>([])

    var messages: [NewMessage] { kept.withLock { $0 } }

    init(_ cluster: any Cluster) {
        self.cluster = cluster
    }

    func publish(_ message: NewMessage) async throws(ClusterError) -> UInt64 {
        kept.withLock { $0.append(message) }
        return try await cluster.publish(message)
    }

    func tell(_ subject: String, _ payload: [UInt8]) { cluster.tell(subject, payload) }

    func lastMessage(
        of subject: String, in stream: String
    ) async throws(ClusterError) -> StoredMessage? {
        try await cluster.lastMessage(of: subject, in: stream)
    }

    func identity(of stream: String) async throws(ClusterError) -> String {
        try await cluster.identity(of: stream)
    }

    func reader(
        of stream: String, _ filter: String, after sequence: UInt64
    ) async throws(ClusterError) -> any MessageReader {
        try await cluster.reader(of: stream, filter, after: sequence)
    }
}

extension Duration {
    /// In seconds.
    fileprivate var seconds: Double { self / .seconds(1) }
}
