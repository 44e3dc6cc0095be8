internal import ArgumentParser
internal import EventStore
internal import Events
internal import Interchange

/// `pulselog export`: the log as JSON Lines.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the whole log as JSON Lines to standard output, lossless.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let store = try Store.open(common, for: .reading)
        var printer = EventPrinter(json: true)
        try store.withLog { (log) throws(EventLogError) in try printer.print(from: 0, log) }
    }
}
