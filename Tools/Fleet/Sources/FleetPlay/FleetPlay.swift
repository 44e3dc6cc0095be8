internal import ArgumentParser
internal import Deciding
internal import EventStore
internal import Events
internal import Fleet
internal import FleetClient
internal import JSON
internal import Projections
internal import TestSupport
internal import Walkers

/// Plays recorders by the thousand, and measures how fast the cluster has what they record.
@main
struct FleetPlay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FleetPlay",
        abstract: "Plays recorders, each with a log and a forwarder of its own.",
        subcommands: [Live.self, Burst.self])
}

/// Recorders at one reading a second.
struct Live: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Records at 1 Hz, and writes each log's digest when the cluster has all of it.")

    @OptionGroup var options: ClusterOptions
    @Option(help: "How many recorders.") var recorders = 100
    @Option(help: "For how many seconds.") var seconds = 60
    @Option(help: "Which walks.") var walks: UInt64 = 1

    func run() async throws {
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        let delays = Delays()
        try cluster.listen { delays.take($0) }
        let logs = await withTaskGroup { group in
            for number in 0..<recorders {
                let recorder = PlayedRecorder(
                    number, seed: walks, cluster, number % 100 == 0 ? delays : nil)
                group.addTask {
                    var recorder = recorder
                    return await recorder.play(seconds: seconds)
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for line in logs.sorted() { print(line) }
        say(delays.report)
    }
}

/// A recorder in memory.
struct PlayedRecorder: Sendable {
    private let number: Int
    private let cluster: any Cluster
    private let delays: Delays?
    private var walker: SimulatedWalker
    private var log = InMemoryEventLog()
    private var name: FleetLog
    private var forwarder: Forwarder
    private var retries = 0

    init(_ number: Int, seed: UInt64, _ cluster: any Cluster, _ delays: Delays?) {
        (self.number, self.cluster, self.delays) = (number, cluster, delays)
        walker = SimulatedWalker(seed: seed &+ UInt64(number))
        name = Self.name(number, seed)
        forwarder = Forwarder(of: log, as: name, to: cluster)
    }

    static func name(_ number: Int, _ seed: UInt64) -> FleetLog {
        var random = SeededGenerator(seed: seed &* 0x1_0000_0001 &+ UInt64(number))
        let digits = (0..<32).map { _ in Subjects.shares[Int(random.below(16))] }
        return FleetLog(simulated: "p\(number)", String(digits))
    }

    /// Records and sends; the first recorder is put back to a backup in the middle.
    ///
    /// - Returns: A line of JSON for each of its logs, with the digest of the local fold.
    mutating func play(seconds: Int) async -> [String] {
        do {
            await pause(.milliseconds(1_000 * number / 7 % 1_000))
            try await append(try walker.begin())
            var backup: EventBatch?
            var lines: [String] = []
            let start = ContinuousClock.now
            for second in 0..<seconds {
                if number == 0, second == seconds / 4 { backup = try log.batch() }
                if number == 0, second == seconds / 2, let backup {
                    try await send(patience: .seconds(90))
                    lines.append(try line())
                    try await restore(backup)
                }
                try await append(try walker.second())
                try await send(patience: .zero)
                await pause(start + .seconds(second + 1) - .now)
            }
            try await send(patience: .seconds(90))
            return lines + [try line()]
        } catch {
            return ["{\"person\":\"p\(number)\",\"failure\":\"\(error)\"}"]
        }
    }

    private mutating func append(_ batch: EventBatch) async throws {
        let positions = try await log.append(batch, expecting: nil)
        delays?.note(name, positions.upperBound)
    }

    /// An older state is refused, and goes on as a log of its own, as a restored store does.
    private mutating func restore(_ backup: EventBatch) async throws {
        log = InMemoryEventLog()
        try await append(backup)
        forwarder = Forwarder(of: log, as: name, to: cluster)
        do throws(ForwardingError) {
            try await send(patience: .seconds(600))
            preconditionFailure("An older state was sent on.")
        } catch {
            guard case .olderLog = error else { throw error }
        }
        name = Self.name(number, 0xBAC0)
        forwarder = Forwarder(of: log, as: name, to: cluster)
    }

    /// Sends what there is; without a cluster it tries as long as told.
    private mutating func send(patience: Duration) async throws(ForwardingError) {
        let end = ContinuousClock.now + patience
        while true {
            do throws(ForwardingError) {
                switch try await forwarder.step() {
                case .idle: return
                case .sent: break
                case .overtaken: await pause(.milliseconds(200))
                }
            } catch {
                guard case .cluster(let failure) = error, failure.code == .lost else { throw error }
                retries += 1
                guard ContinuousClock.now < end else { return }
                await pause(.milliseconds(500))
            }
        }
    }

    private func line() throws -> String {
        let state = try log.state
        let line = JSONWriter.line { json in
            json.field("person", name.person)
            json.field("log", name.id)
            json.field("events", state.events)
            json.field("digest", state.digest)
            json.field("retries", Int64(retries))
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}
