internal import ArgumentParser
internal import JSON
internal import LookingBack
internal import Projections
internal import Recording
internal import Stores
internal import Terminal
internal import Words

/// `pulselog trends`.
struct TrendsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trends",
        abstract: "More or less than before: steps, distance, heart rate, load and others.",
        discussion: """
            The last days until yesterday, next to as many before. Walks that are hidden or \
            simulated are in no trend.
            """)
    @Argument(help: "What is measured.")
    var measure = NamedOption(Trends.Measure.steps)
    @Option(help: "4w, 3m, year or all.")
    var span = NamedOption(Trends.Span.fourWeeks)
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let store = try common.open(.reading)
        let scene = try store.scene()
        let state = scene.state
        let today = try state.date(nil, at: scene.moment)
        let (measure, span) = (measure.value, span.value)
        let outlines = measure.isOutlined ? try store.outlines(of: state) : WalkOutlines()
        let walks = state.sessionReports(at: state.lastMoment)
        let trends = Trends(measure, walks, outlines, state.calendar(today: today))
        let table = TrendTable(TrendText(trends, span, state.units), today: today)
        guard !common.json else { return Output.standard.write(table.jsonLine) }
        common.draw(table.lines(columns: 80))
    }
}
