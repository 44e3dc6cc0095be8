internal import ArgumentParser
internal import Fleet
internal import FleetClient
internal import Glibc
internal import Text

/// Writes what servers, keeper and people of a study need.
struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a server's configuration, and a key for the keeper and each person.",
        discussion: """
            Run again with more people, it adds them and leaves the others, and nats.conf, as they \
            are. Nobody but the owner of a seed knows it: the configuration holds public keys.
            """)

    @Argument(help: ArgumentHelp("The folder of the study.", valueName: "dir"))
    var folder: String

    @Option(
        parsing: .upToNextOption, help: ArgumentHelp("Who walks.", valueName: "person"))
    var people: [String] = []

    @Option(help: ArgumentHelp("Where the server listens.", valueName: "port"))
    var port = 4_222

    func run() throws {
        for person in people where !FleetLog.isPerson(person) || person == StudyConfiguration.keeper
        {
            throw Failure(
                EX_USAGE,
                "“\(person)” is no name here: 1 to 64 letters, digits, “-” and “_”, and not "
                    + "“\(StudyConfiguration.keeper)”.")
        }
        try TextFile.makeFolder(folder)
        let study = StudyFolder(folder)
        let known = try study.people() + people
        try study.write(Set(known).sorted())
        try study.writeServer(port: port)
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

/// The folder in which a study's keys are.
struct StudyFolder {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// The people who have a key.
    ///
    /// - Throws: ``Failure``.
    func people() throws(Failure) -> [String] {
        guard access("\(path)/people", F_OK) == 0 else { return [] }
        return try TextFile.read("\(path)/people").split(separator: "\n").map(String.init)
    }

    /// The key of somebody, made if there is none.
    ///
    /// - Throws: ``Failure``.
    func key(of person: String) throws(Failure) -> Nkey {
        let file = "\(path)/\(person).seed"
        if access(file, F_OK) == 0 {
            let text = try TextFile.read(file)
            guard let key = Nkey(seedText: text.prefix { !$0.isWhitespace }) else {
                throw Failure(EX_DATAERR, "\(file) holds no seed of a user.")
            }
            return key
        }
        var random = SystemRandomNumberGenerator()
        let seed = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        guard let key = Nkey(seed: seed) else {
            throw Failure(EX_SOFTWARE, "A key could not be made.")
        }
        try TextFile.write(file, key.seedText + "\n", mode: 0o600)
        return key
    }

    /// Writes the server's configuration, unless it is there: a keeper has added to it.
    ///
    /// - Throws: ``Failure``.
    func writeServer(port: Int) throws(Failure) {
        let file = "\(path)/nats.conf"
        guard access(file, F_OK) != 0 else { return }
        try TextFile.write(file, StudyConfiguration.server(port: port), mode: 0o644)
    }

    /// Writes the accounts of these people; whoever is not among them is let in no more.
    ///
    /// - Throws: ``Failure``.
    func write(_ people: [String]) throws(Failure) {
        var users: [(name: String, key: String)] = []
        for person in people { users.append((person, try key(of: person).publicKey)) }
        let configuration = StudyConfiguration(
            keeperKey: try key(of: StudyConfiguration.keeper).publicKey, people: users)
        try TextFile.write("\(path)/accounts.conf", configuration.accounts, mode: 0o644)
        try TextFile.write(
            "\(path)/people", people.map { $0 + "\n" }.joined(), mode: 0o644)
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
            throw Failure(EX_USAGE, "--replicas is 1, 3 or 5.")
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
        guard FleetLog.isPerson(person) else { throw Failure(EX_USAGE, "“\(person)” is no name.") }
        let folder = StudyFolder(study)
        try folder.write(try folder.people().filter { $0 != person })
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
