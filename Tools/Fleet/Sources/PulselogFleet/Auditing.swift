internal import ArgumentParser
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Fleet
internal import FleetClient
internal import Glibc
internal import JSON
internal import Projections
internal import Text
internal import Words

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
            let isSound = evidence.faults.isEmpty && folded.setAsideCount == 0
            isFound = isFound || !isSound
            if asking.json {
                asking.write([folded]) { _, json in
                    json.field("isSound", isSound)
                    json.field("blocks", evidence.blocks)
                    json.field("signedBlocks", evidence.signedBlocks)
                    json.field("checkpoints", Int64(evidence.checkpoints))
                    json.field("vkey", evidence.vkey)
                    json.array("faults", evidence.faults)
                    folded.writeSetAside(to: &json)
                }
                continue
            }
            print("\(folded.log.person), log \(folded.log.id): \(isSound ? "sound" : "NOT SOUND")")
            for fault in evidence.faults { print("  \(fault)") }
            for sentence in folded.setAsideSentences { print("  \(sentence)") }
            if evidence.faults.isEmpty { print("  \(evidence.sentence)") }
        }
        if isFound { throw ExitCode(1) }
    }
}

/// Why a day's count is what it is.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Shows how a person's count of a day came about, and certifies it.",
        discussion: """
            The staircase and the certificate are those of `pulselog audit` on the walker's \
            machine. Exit code 1 means that the count is not certified.
            """)

    @OptionGroup var asking: AskingOptions

    @Option(help: ArgumentHelp("The day; without it the log's last one.", valueName: "date"))
    var day: String?

    func run() async throws {
        let date = try AskingOptions.date(day)
        let (cluster, folded) = try await asking.oneLog()
        let days = folded.state.dayReports()
        guard let day = days.last(where: { date == nil || $0.date == date }) else {
            let what = date.map { "steps of \($0)" } ?? "steps"
            throw CommandFailure(.noInput, "The log of \(folded.log.person) has no \(what).")
        }
        let log = try await CollectedLog(folded.log, from: cluster).log
        if !asking.json {
            print("\(day.date): \(grouped(day.displayed)) steps displayed")
            print(StaircaseText.heading, terminator: "")
        }
        var text = StaircaseText()
        var (certifiers, changes) = (log.certifiers(in: nil), [StepsChange]())
        let certified = try log.certify(
            day.date, until: folded.state, from: EarlierStates(), &certifiers
        ) { changes.add($0) }
        for change in changes {
            print(
                asking.json
                    ? String(decoding: JSONWriter.line(change), as: UTF8.self) : text.add(change),
                terminator: "")
        }
        print(text.flush(), terminator: "")
        switch certified {
        case .success(let certificates):
            for certificate in certificates { write(certificate) }
        case .failure(let example):
            write(example)
            throw ExitCode(1)
        }
    }

    private func write(_ answer: some Answer & JSONObject) {
        print(
            asking.json ? String(decoding: answer.jsonLine, as: UTF8.self) : "\n" + answer.text,
            terminator: "")
    }
}

/// Makes a store of a log in the cluster, for all commands of the recorder.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Makes a store of a person's log, in which `pulselog` can look.",
        discussion: """
            It holds the same events, so that sessions, replays and files of walks are those of \
            the walker's machine: `pulselog sessions --store DIR`, or on the page of \
            `pulselog serve --store DIR`. Nothing vouches for it: the key stays with the walker.
            """)

    @OptionGroup var asking: AskingOptions

    @Argument(help: ArgumentHelp("The folder of the new store.", valueName: "dir"))
    var folder: String

    func run() async throws {
        guard access("\(folder)/data.mdb", F_OK) != 0 else {
            throw CommandFailure(
                .cannotCreate, "There is a store in \(folder) already. Name a new folder.")
        }
        let (cluster, folded) = try await asking.oneLog()
        let collected = try await CollectedLog(folded.log, from: cluster)
        let events = try collected.log.batch()
        guard events.headers.first?.kind == .originBegan else {
            throw CommandFailure(.badData, "The beginning of the log is not in the cluster.")
        }
        let id = stride(from: 0, to: 32, by: 2).compactMap { offset in
            UInt8(folded.log.id.dropFirst(offset).prefix(2), radix: 16)
        }
        let origin = LogOrigin(
            id: id, createdMilliseconds: events.headers[0].stamp.wallMilliseconds, events: events)
        do throws(EventLogError) {
            try LMDBEventLog.open(directory: folder, mode: .create(origin)).close()
        } catch {
            throw CommandFailure(.cannotCreate, "\(folder): \(error)")
        }
        print("\(folder) holds \(counted(UInt64(events.count), "event")) of \(folded.log.person).")
        for fault in collected.evidence.faults { say("Not in it, or not vouched for: \(fault)") }
    }
}
