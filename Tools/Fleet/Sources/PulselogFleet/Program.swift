internal import ArgumentParser
internal import Fleet
internal import FleetClient
internal import Glibc
internal import Words

/// The command line of a study.
@main
struct PulselogFleet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pulselog-fleet",
        abstract: "Follows the logs of many walkers through a NATS JetStream cluster.",
        discussion: """
            Each recorder stays complete alone: what is sent here are copies, and all figures are \
            folded from them as on the walker's machine. Exit codes follow sysexits(3).
            """,
        groupedSubcommands: [
            CommandGroup(name: "For a walker", subcommands: [Forward.self]),
            CommandGroup(
                name: "For a study's keeper",
                subcommands: [
                    Init.self, Streams.self, Work.self, Status.self, Watch.self, Sessions.self,
                    Steps.self,
                    Audit.self, Verify.self, Export.self, Leave.self,
                ]),
        ])

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            say(failure.message)
            Glibc.exit(failure.exitCode.rawValue)
        } catch let error as ClusterError {
            say(error.description)
            let code =
                switch error.code {
                case .lost, .conflict: EX_UNAVAILABLE
                case .shutOut: EX_NOPERM
                case .refused: EX_CONFIG
                }
            Glibc.exit(code)
        } catch {
            exit(withError: error)
        }
    }
}
