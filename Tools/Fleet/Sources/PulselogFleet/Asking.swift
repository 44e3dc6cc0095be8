internal import ArgumentParser
internal import Deciding
internal import Events
internal import Fleet
internal import FleetClient
internal import JSON
internal import Projections
internal import Text
internal import Words

/// What every question has.
struct AskingOptions: ParsableArguments {
    @OptionGroup var options: ClusterOptions

    @Option(name: .customLong("of"), help: ArgumentHelp("Only this person.", valueName: "person"))
    var person: String?

    @Option(
        help: ArgumentHelp(
            "Only the log whose identity begins so.", valueName: "digits"))
    var log: String?

    @Flag(help: "Write JSON to standard output, a line for each log.")
    var json = false

    /// The cluster, and the logs of interest as it has them now.
    ///
    /// - Throws: `CommandFailure` if there are none; `ClusterError`.
    func logs() async throws -> (cluster: JetStreamCluster, logs: [FoldedLog]) {
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        let logs = try await Study.logs(in: cluster)
            .filter { person == nil || $0.log.person == person }
            .filter { log == nil || $0.log.id.hasPrefix(log ?? "") }
        guard !logs.isEmpty || person == nil && log == nil else {
            let which = log.map { "log \($0)…" } ?? "log"
            throw CommandFailure(.noInput, "There is no \(which) of \(person ?? "anybody") here.")
        }
        return (cluster, logs)
    }

    /// The one log of interest.
    ///
    /// - Throws: `CommandFailure` if there are none or several; `ClusterError`.
    func oneLog() async throws -> (cluster: JetStreamCluster, folded: FoldedLog) {
        let (cluster, logs) = try await logs()
        guard logs.count == 1 else {
            let names = logs.prefix(8).map { "\($0.log.person) \($0.log.id)" }
            throw CommandFailure(
                .usage,
                "There are \(logs.count) logs (\(names.joined(separator: ", "))). Name one with "
                    + "--of and --log.")
        }
        return (cluster, logs[0])
    }

    /// The day that `--day` names.
    ///
    /// - Throws: `CommandFailure` if it is no date.
    static func date(_ text: String?) throws(CommandFailure) -> CivilDate? {
        guard let text else { return nil }
        guard let date = CivilDate(text) else {
            throw CommandFailure(.usage, "“\(text)” is no date. Write 2026-03-08.")
        }
        return date
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
                folded.writeSetAside(to: &json)
            }
        }
        guard !logs.isEmpty else { return print("Nobody has sent anything yet.") }
        print(TextTable(of: logs.map(Glance.init)).text, terminator: "")
        for sentence in logs.flatMap(\.setAsideSentences) { print(sentence) }
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
        let date = try AskingOptions.date(day)
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

extension FoldedLog {
    /// The messages that were set aside, in words.
    var setAsideSentences: [String] {
        var sentences = setAside.map { message in
            "Message \(message.sequence) of \(log.person) was set aside: \(message.reason)."
        }
        let others = setAsideCount - setAside.count
        if others > 0 { sentences.append("So were \(others) more of \(log.person).") }
        return sentences
    }

    /// Writes them as the field `setAsideMessages`.
    func writeSetAside(to json: inout JSONWriter) {
        json.array("setAsideMessages") { json in
            for message in setAside {
                json.object { json in
                    json.field("sequence", message.sequence)
                    json.field("reason", message.reason)
                }
            }
        }
    }
}
