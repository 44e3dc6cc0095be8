package import ArgumentParser
internal import Fleet
internal import Glibc
package import NATS
internal import Words

/// Where the cluster is, and who connects.
package struct ClusterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A server, as nats://host:port or tls://host:port; may be repeated.",
            valueName: "url"))
    package var to: [String] = ["nats://127.0.0.1:4222"]

    @Option(help: ArgumentHelp("The file of your seed, as `init` wrote it.", valueName: "file"))
    package var seed: String?

    @Option(help: ArgumentHelp("A NATS credentials file, instead of --seed.", valueName: "file"))
    package var creds: String?

    @Option(
        help: ArgumentHelp("The certificates that the servers are known by.", valueName: "file"))
    package var ca: String?

    /// Without an argument.
    package init() {}

    /// Connects.
    ///
    /// - Parameter user: Who connects: a person, or the keeper.
    /// - Returns: The cluster.
    /// - Throws: `CommandFailure` if a file cannot be read; `ClusterError`.
    package func cluster(as user: String) throws -> JetStreamCluster {
        try JetStreamCluster(to: credentials(), as: "pulselog-fleet \(user)")
    }

    /// Where, and who.
    ///
    /// - Throws: `CommandFailure` if a file cannot be read.
    package func credentials() throws -> Credentials {
        for url in to where !url.hasPrefix("nats://") && !url.hasPrefix("tls://") {
            throw CommandFailure(.usage, "“\(url)” is no server. Write nats://host:4222.")
        }
        var credentials = Credentials(servers: to)
        credentials.credentialsFile = creds
        credentials.authorityFile = ca
        for file in [creds, ca].compactMap(\.self) where access(file, R_OK) != 0 {
            throw CommandFailure(.noInput, "\(file): \(String(cString: strerror(errno))).")
        }
        guard let seed else { return credentials }
        credentials.seedFile = seed
        credentials.publicKey = try Nkey(seedFile: seed).publicKey
        return credentials
    }
}
