internal import ArgumentParser
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Fleet
internal import FleetClient
internal import Glibc
internal import Interchange
internal import JSON
internal import Projections
internal import Text

/// What every question has.
struct AskingOptions: ParsableArguments {
    @OptionGroup var options: ClusterOptions

    @Option(name: .customLong("of"), help: ArgumentHelp("Only this person.", valueName: "person"))
    var person: String?

    @Flag(help: "Write JSON to standard output, a line for each log.")
    var json = false

    /// The cluster, and the logs of interest as it has them now.
    ///
    /// - Throws: ``Failure`` if there are none; `ClusterError`.
    func logs() async throws -> (cluster: JetStreamCluster, logs: [FoldedLog]) {
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        let logs = try await Study.logs(in: cluster)
            .filter { person == nil || $0.log.person == person }
        if let person, logs.isEmpty { throw Failure(EX_NOINPUT, "\(person) has sent nothing.") }
        return (cluster, logs)
    }

    /// Writes a line of JSON for each log.
    func write(_ logs: [FoldedLog], _ fields: (FoldedLog, inout JSONWriter) -> Void) {
        for folded in logs {
            let line = JSONWriter.line { json in
                json.field("person", folded.log.person)
                json.field("log", folded.log.id)
                fields(folded, &json)
            }
            print(String(decoding: line, as: UTF8.self), terminator: "")
        }
    }
}

/// All walkers at a glance.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows how everybody stands.")

    @OptionGroup var asking: AskingOptions

    func run() async throws {
        let logs = try await asking.logs().logs
        if asking.json {
            return asking.write(logs) { folded, json in
                json.field("digest", folded.state.digest)
                json.field("sequence", folded.sequence)
                Glance(folded).writeFigures(to: &json)
                json.array("setAsideMessages") { json in
                    for message in folded.setAside {
                        json.object { json in
                            json.field("sequence", message.sequence)
                            json.field("reason", message.reason)
                        }
                    }
                }
            }
        }
        guard !logs.isEmpty else { return print("Nobody has sent anything yet.") }
        var table = TextTable(
            .words("Who"), .words("Now"), .numbers("Steps"), .numbers("BPM"),
            .words("Last heard (UTC)"), .numbers("Battery"), .numbers("Events"))
        for glance in logs.map(Glance.init) {
            table.add(
                glance.log.person, glance.activity.words, glance.steps.map(grouped) ?? "",
                glance.heartRateBPM.map { "\($0)" } ?? "",
                TimeText.utc(glance.lastHeardMilliseconds),
                glance.batteryPercent.map { "\($0)%" } ?? "", grouped(glance.events))
        }
        print(table.text, terminator: "")
        for folded in logs {
            for message in folded.setAside {
                print(
                    "Message \(message.sequence) of \(folded.log.person) was set aside: "
                        + message.reason + ".")
            }
        }
    }
}

/// Sessions of everybody.
struct Sessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Lists the sessions of everybody, or of a person.")

    @OptionGroup var asking: AskingOptions

    func run() async throws {
        let logs = try await asking.logs().logs
        if asking.json {
            return asking.write(logs) { folded, json in
                json.field(
                    "sessions", folded.state.sessionReports(at: folded.state.lastMoment))
            }
        }
        var table = TextTable(
            .words("Who"), .words("Began"), .numbers("Active"), .numbers("Steps"),
            .numbers("Average BPM"))
        for folded in logs {
            for session in folded.state.sessionReports(at: folded.state.lastMoment) {
                table.add(
                    folded.log.person,
                    TimeText.local(
                        session.startedAtMilliseconds, offsetMinutes: session.offsetMinutes),
                    TimeText.duration(session.activeMilliseconds), grouped(session.steps),
                    session.heartRate.mean.map { "\(whole(hundredths: $0.value))" } ?? "")
            }
        }
        print(table.text, terminator: "")
    }
}

/// Steps of a day.
struct Steps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "steps", abstract: "Lists everybody's steps of a day.")

    @OptionGroup var asking: AskingOptions

    @Option(help: ArgumentHelp("The day; without it each log's last one.", valueName: "date"))
    var day: String?

    func run() async throws {
        let date = try day.map { text in
            guard let date = CivilDate(text) else {
                throw Failure(EX_USAGE, "“\(text)” is no date. Write 2026-03-08.")
            }
            return date
        }
        let logs = try await asking.logs().logs
        let days = logs.map { folded in
            let days = folded.state.dayReports()
            return (folded, date.map { date in days.first { $0.date == date } } ?? days.last)
        }
        if asking.json {
            for (folded, day) in days {
                asking.write([folded]) { _, json in json.field("day", day) }
            }
            return
        }
        var table = TextTable(.words("Who"), .words("Day"), .numbers("Steps"))
        for (folded, day) in days {
            table.add(
                folded.log.person, day?.date.description ?? date?.description ?? "",
                day.map { grouped($0.displayed) } ?? "none counted")
        }
        print(table.text, terminator: "")
    }
}

/// Holds every log against what vouches for it.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks that nobody's history was rewritten since it was sent.",
        discussion: """
            Leaves are computed from the sealed blocks, and each checkpoint must vouch for them: \
            a log that continues differently than it was signed before is found. Exit code 1 \
            means that something was found.
            """)

    @OptionGroup var asking: AskingOptions

    func run() async throws {
        let (cluster, logs) = try await asking.logs()
        var isFound = false
        for folded in logs {
            let evidence = try await CollectedLog(folded.log, from: cluster).evidence
            let setAside = folded.setAsideCount
            isFound = isFound || !evidence.faults.isEmpty || setAside > 0
            if asking.json {
                asking.write([folded]) { _, json in
                    json.field("blocks", evidence.blocks)
                    json.field("signedBlocks", evidence.signedBlocks)
                    json.field("checkpoints", Int64(evidence.checkpoints))
                    json.field("vkey", evidence.vkey)
                    json.array("faults", evidence.faults)
                }
                continue
            }
            let isWhole = evidence.faults.isEmpty && setAside == 0
            print(
                "\(folded.log.person), log \(folded.log.id): \(isWhole ? "sound" : "NOT SOUND"); "
                    + "\(counted(UInt64(evidence.checkpoints), "checkpoint")) over "
                    + "\(counted(evidence.signedBlocks, "block")) of \(grouped(evidence.blocks))")
            for fault in evidence.faults { print("  \(fault)") }
        }
        if isFound { throw ExitCode(1) }
    }
}

/// Makes a store of a log in the cluster, for all commands of the recorder.
struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Makes a store of a person's log, in which `pulselog` can look.",
        discussion: """
            It holds the same events, so that sessions, replays and audits of a day are those of \
            the walker's machine: `pulselog audit day 2026-03-08 --store DIR`. Nothing vouches \
            for it: the key stays with the walker.
            """)

    @OptionGroup var asking: AskingOptions

    @Argument(help: ArgumentHelp("The folder of the new store.", valueName: "dir"))
    var folder: String

    func run() async throws {
        let (cluster, logs) = try await asking.logs()
        guard logs.count == 1, let folded = logs.first else {
            throw Failure(EX_USAGE, "There are \(logs.count) such logs. Name a person with --of.")
        }
        let collected = try await CollectedLog(folded.log, from: cluster)
        var events = EventBatch()
        try collected.log.read { event in
            do throws(FieldError) {
                try events.append(event)
            } catch {
                preconditionFailure("What a log holds can be appended: \(error)")
            }
            return true
        }
        guard events.headers.first?.kind == .originBegan else {
            throw Failure(EX_DATAERR, "The beginning of the log is not in the cluster.")
        }
        let id = stride(from: 0, to: 32, by: 2).compactMap { offset in
            UInt8(folded.log.id.dropFirst(offset).prefix(2), radix: 16)
        }
        let origin = LogOrigin(
            id: id, createdMilliseconds: events.headers[0].stamp.wallMilliseconds, events: events)
        do throws(EventLogError) {
            try LMDBEventLog.open(directory: folder, mode: .create(origin)).close()
        } catch {
            throw Failure(EX_CANTCREAT, "\(folder): \(error).")
        }
        print("\(folder) holds \(counted(UInt64(events.count), "event")) of \(folded.log.person).")
    }
}

extension Glance.Activity {
    /// For people.
    fileprivate var words: String {
        switch self {
        case .atRest: "at rest"
        case .walking: "walking"
        case .paused: "paused"
        }
    }
}
