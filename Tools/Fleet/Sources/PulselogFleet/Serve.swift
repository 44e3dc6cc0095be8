internal import ArgumentParser
internal import Fleet
internal import FleetClient
internal import FleetPage
internal import Glibc
internal import Text

/// Everybody at a glance, in a browser.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves a page of all walkers, to this machine only.")

    @OptionGroup var options: ClusterOptions

    @Option(help: ArgumentHelp("The port on 127.0.0.1.", valueName: "port"))
    var port: UInt16 = 8_090

    func run() async throws {
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        let walkers = Walkers()
        try cluster.listen(walkers.take)
        walkers.replace(with: try await Study.logs(in: cluster))
        var random = SystemRandomNumberGenerator()
        let secret = hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
        let port = Int(port)
        let looking = Task { await Self.look(at: cluster, for: walkers) }
        defer { looking.cancel() }
        do {
            try await PageServer(walkers, of: cluster, secret: secret).run(port: port) {
                tell("Open http://127.0.0.1:\(port)/\(secret)/")
            }
        } catch {
            throw Failure(EX_UNAVAILABLE, "127.0.0.1:\(port): \(error). Choose another --port.")
        }
    }

    /// Glances may get lost, and people leave: the whole is looked at each minute.
    private static func look(at cluster: JetStreamCluster, for walkers: Walkers) async {
        var complaint: String?
        while !Task.isCancelled {
            await pause(.seconds(60))
            do throws(ClusterError) {
                walkers.replace(with: try await Study.logs(in: cluster))
                complaint = nil
            } catch {
                if complaint != error.description { say(error.description) }
                complaint = error.description
            }
        }
    }
}
