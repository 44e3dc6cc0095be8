internal import ArgumentParser
internal import Certification
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import LookingBack
internal import Projections
internal import Recording
internal import Stores
internal import Terminal
internal import Words

/// `pulselog records`.
struct RecordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "The longest, the fastest, the most: of all time, and of a year.",
        discussion: """
            Walks that are hidden or simulated are in no record. A kilometre counts where a \
            pedometer or positions gave its distance; steps times stride do not.
            """)
    @Option(help: "The year beside those of all time; default this one.")
    var year: Int64?
    @Flag(name: .customLong("walks"), help: "With the name and the position of each walk.")
    var hasNames = false
    @OptionGroup var common: CommonOptions

    func validate() throws { try refuse(year, of: "--year", outside: 1_000...9_999) }

    func run() async throws {
        let store = try common.open(.reading)
        let scene = try store.scene()
        let state = scene.state
        let today = try state.date(nil, at: scene.moment)
        let calendar = state.calendar(today: today)
        let walks = state.sessionReports(at: state.lastMoment)
        try refuseYear(of: walks.filter(\.isSummed).map(\.date) + calendar.counted.map(\.date))
        let outlines = try store.outlines(of: state)
        let records = RecordsText(
            Records(walks, outlines, calendar), year: year ?? today.components.year,
            units: state.units)
        guard !common.json else { return records.jsonLines.forEach { Output.standard.write($0) } }
        common.draw(records.text(withNames: hasNames))
    }

    /// Refuses a year that is not one of those in which something was recorded.
    private func refuseYear(of dates: [CivilDate]) throws(CommandFailure) {
        let years = dates.map(\.components.year)
        guard let year, let first = years.min(), let last = years.max(), !years.contains(year)
        else { return }
        throw CommandFailure(
            .noInput,
            "Nothing was recorded in \(year); the log has "
                + (first == last ? "\(first)." : "\(first) to \(last)."))
    }
}

extension Store {
    /// Where the first walk began whose kept outline is not what its events give.
    func wrongOutline(until end: Position, _ run: inout CopyRun) throws -> Position? {
        let folded = { [log, snapshots] end throws(EventLogError) in
            try log.folded(until: end, from: snapshots).state
        }
        do throws(EventLogError) {
            return try log.wrongOutline(
                of: try folded(end), in: snapshots, after: folded
            ) { done, all in
                run.goesOn("Reading the walks", doneEvents: UInt64(done), of: UInt64(all))
            }
        } catch {
            guard error.code == .cancelled, run.isStopped else { throw error }
            return nil
        }
    }

    /// Keeps states and certifiers along the log and the outlines of its walks, so that nobody who
    /// looks back waits for them.
    func prepareToLookBack() throws {
        let state = try history().state
        _ = try outlines(of: state)
        _ = try withCertifiers { try $0.certifier(before: state.next, from: &$1) }
    }

    /// Works with the log and the certifiers along it; those that it makes are kept.
    func withCertifiers<Value>(
        _ body: (LMDBEventLog, inout Certifiers) throws -> Value
    ) throws -> Value {
        try withLog { log in
            var certifiers = log.certifiers(in: snapshots)
            defer { log.keep(&certifiers, in: snapshots) }
            return try body(log, &certifiers)
        }
    }

    /// The outlines of all walks that have ended; who waits for them is shown how far they are.
    func outlines(of state: LogState) throws -> WalkOutlines {
        let stop = StopRequest()
        var line = ProgressLine()
        defer { line.clear() }
        return try withLog { log in
            do throws(EventLogError) {
                return try log.outlines(of: state, in: snapshots) {
                    position throws(EventLogError) in
                    try log.folded(until: position, from: snapshots).state
                } goesOn: { done, all in
                    line.show("Reading the walks", percent: done * 100 / all)
                    return !stop.hasCome
                }
            } catch {
                try stop.check()
                throw error
            }
        }
    }
}
