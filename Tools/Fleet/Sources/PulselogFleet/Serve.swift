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
    var port = 8_090

    func run() async throws {
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        let walkers = Walkers(try await Study.logs(in: cluster))
        try cluster.listen(walkers.take)
        var random = SystemRandomNumberGenerator()
        let secret = hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
        let port = port
        do {
            try await PageServer(walkers, of: cluster, secret: secret).run(port: port) {
                tell("Open http://127.0.0.1:\(port)/\(secret)/")
            }
        } catch {
            throw Failure(EX_UNAVAILABLE, "127.0.0.1:\(port): \(error). Choose another --port.")
        }
    }
}
