internal import ArgumentParser
internal import Fleet
internal import FleetClient
internal import Text
internal import Words

/// Writes what servers, keeper and people of a study need.
struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a server's configuration, and a key for the keeper and each person.",
        discussion: """
            Run again with more people, it adds them and leaves the others, and nats.conf, as they \
            are. Nobody but the owner of a seed knows it: the configuration holds public keys, and \
            a seed that was handed over need not stay.
            """)

    @Argument(help: ArgumentHelp("The folder of the study.", valueName: "dir"))
    var folder: String

    @Option(
        parsing: .upToNextOption, help: ArgumentHelp("Who walks.", valueName: "person"))
    var people: [String] = []

    @Option(help: ArgumentHelp("Where the server listens.", valueName: "port"))
    var port: UInt16 = 4_222

    func run() throws {
        try StudyFolder(folder).add(people)
        try StudyFolder(folder).writeServer(port: Int(port))
        print(
            """
            Start the server:      nats-server -c \(folder)/nats.conf
            Make the streams:      pulselog-fleet streams --seed \(folder)/keeper.seed
            Fold the logs:         pulselog-fleet work --seed \(folder)/keeper.seed
            A person's recorder:   pulselog-fleet forward --as PERSON --seed PERSON.seed
            Give each person the file \(folder)/PERSON.seed, and nobody else.
            """)
    }
}

/// Makes the streams of a study.
struct Streams: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams",
        abstract: "Makes the study's streams, or changes how many servers keep them.")

    @OptionGroup var options: ClusterOptions

    @Option(
        help: ArgumentHelp(
            "How many servers keep each message: 1, 3 or 5; without it 1 for new streams, and "
                + "those that are there stay as they are.", valueName: "n"))
    var replicas: Int?

    func run() async throws {
        guard [1, 3, 5].contains(replicas ?? 1) else {
            throw CommandFailure(.usage, "--replicas is 1, 3 or 5.")
        }
        try await options.cluster(as: StudyConfiguration.keeper).makeStreams(replicas: replicas)
        print(
            "The streams are there. What is sent is kept until a person leaves; a full cluster "
                + "refuses what is new, and the recorders send it later.")
    }
}

/// Forgets a person.
struct Leave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Removes all that a person has sent, and lets him in no more.")

    @OptionGroup var options: ClusterOptions

    @Argument(help: ArgumentHelp("Who leaves.", valueName: "person"))
    var person: String

    @Option(help: ArgumentHelp("The folder of the study, as `init` made it.", valueName: "dir"))
    var study: String

    func run() async throws {
        try StudyFolder(study).remove(person, as: options.seed)
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        let count = try await cluster.remove(person)
        // A worker may have been about to keep a state.
        await pause(ShareFolder.keepInterval + .seconds(1))
        _ = try await cluster.remove(person)
        print(
            """
            \(counted(count, "message")) of \(person) \(count == 1 ? "is" : "are") removed from \
            the cluster.
            What stays elsewhere: the log on \(person)'s own machine, backups of the servers' \
            disks, and what was exported.
            \(study)/accounts.conf does not name \(person) any more: copy it to all servers, and \
            have them read it (nats-server --signal reload). Then run this once more, for \
            \(person)'s machine may have sent its log again until then.
            """)
    }
}
