internal import ArgumentParser
internal import Fleet
internal import Glibc
internal import Text

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
                    Init.self, Streams.self, Work.self, Status.self, Sessions.self, Steps.self,
                    Verify.self, Fetch.self, Leave.self,
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
        } catch let failure as Failure {
            say(failure.message)
            Glibc.exit(failure.code)
        } catch let error as ClusterError {
            say(error.description)
            Glibc.exit(error.code == .lost ? EX_UNAVAILABLE : EX_NOPERM)
        } catch {
            exit(withError: error)
        }
    }
}

/// Why a command ends without success.
struct Failure: Error {
    let code: Int32
    let message: String

    init(_ code: Int32, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// Says a sentence on standard error.
func say(_ sentence: String) {
    write("pulselog-fleet: \(sentence)", to: STDERR_FILENO)
}

/// Says on standard output what is going on, at once.
func tell(_ sentence: String) {
    write(sentence, to: STDOUT_FILENO)
}

private func write(_ sentence: String, to descriptor: Int32) {
    let line = Array("\(printable(sentence, limit: 4_096))\n".utf8)
    _ = Glibc.write(descriptor, line, line.count)
}
