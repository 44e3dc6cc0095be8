internal import ArgumentParser
internal import Events
internal import Interchange
internal import Projections
internal import Terminal
internal import Text
internal import Words

/// `pulselog pause`.
struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause the walk, from any terminal.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await act(.pause, common, "Paused. `pulselog resume` continues the walk.")
    }
}

/// `pulselog resume`.
struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Continue the paused walk.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await act(.resume, common, "Resumed.")
    }
}

/// `pulselog finish`; `stop` is another name of it.
struct Finish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Finish the walk; a recorder that runs ends with it.", aliases: ["stop"])
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await act(.end(), common, "Finished. `pulselog sessions show last` shows the totals.")
    }
}

/// `pulselog mark`.
struct Mark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark", abstract: "Mark this moment of the walk.")
    @Argument(help: "A few words, at most 512 bytes.")
    var text: [String] = []
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await act(.mark(text.joined(separator: " ")), common, "Marked.")
    }
}

/// `pulselog refresh`.
struct Refresh: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Reconcile today's steps with the last health total.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let (events, state) = try await Store.perform(common) { _ in .refresh() }
        report(
            events, common,
            state.live.steps.current.map { "Today: \(grouped($0.displayed)) steps." }
                ?? "There are no steps yet.")
    }
}

/// Decides a request, and says one sentence if it was good.
private func act(
    _ command: Command, _ common: CommonOptions, _ sentence: String
) async throws {
    let (events, _) = try await Store.perform(common) { _ in command }
    report(events, common, sentence)
}

/// Writes the events as JSON Lines, or a sentence for people.
func report(_ events: [RecordedEvent], _ common: CommonOptions, _ sentence: String) {
    if common.json {
        for event in events { Output.standard.write(event.jsonLine) }
    } else {
        Output.standard.write(sentence + "\n")
    }
}
