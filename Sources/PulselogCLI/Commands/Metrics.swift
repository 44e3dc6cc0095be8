internal import ArgumentParser
internal import JSON
internal import Stores
internal import Web

/// `pulselog serve metrics`.
struct Metrics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Show what Prometheus needs to watch over the recorder.",
        discussion: """
            Prints what belongs below scrape_configs in prometheus.yml, with a secret that opens \
            nothing but /metrics on this machine: keep that file from others. A port other than \
            8367 is given as to `serve`, with --port. The secret is created at first use. A \
            server that is running accepts the one before until it ends.
            """)

    @ParentCommand var serve: Serve

    @Flag(help: "Have Prometheus ask for the heart rate too.")
    var heartRate = false

    @Flag(help: "Make a new secret, in place of the one before.")
    var new = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let token = try common.open(.creating).token(for: .metrics, isNew: new)
        let parameters = heartRate ? "    params: {bpm: [\"1\"]}\n" : ""
        common.write(
            """
              - job_name: pulselog
                authorization: {credentials: \(token.text)}
            \(parameters)    static_configs: [{targets: ["127.0.0.1:\(serve.port)"]}]

            """
        ) { json in
            json.field("token", token.text)
        }
    }
}
