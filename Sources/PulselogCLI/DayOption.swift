internal import ArgumentParser
internal import Events
internal import Projections
internal import Text
internal import Words

/// A day that a command is about.
struct DayOption: ParsableArguments {
    @Option(help: "The local date, such as 2026-03-01; default today.")
    var day: String?

    /// The date, or nil if none was given.
    ///
    /// - Throws: ``CommandFailure`` if it is no date.
    func date() throws(CommandFailure) -> CivilDate? {
        guard let day else { return nil }
        guard let date = CivilDate(day) else {
            throw CommandFailure(
                .usage, "\(printable(day)) is not a date; write it as 2026-03-01.")
        }
        return date
    }
}

extension LogState {
    /// The date that a person named, or today's.
    ///
    /// - Throws: ``CommandFailure`` if nothing says which day today is.
    func date(_ named: CivilDate?, at moment: Moment) throws(CommandFailure) -> CivilDate {
        guard let date = named ?? live.localDate(at: moment) else {
            throw CommandFailure(
                .usage, "The clock was never set, so today is unknown; name a --day.")
        }
        return date
    }

    /// The steps of a date of which something is known.
    ///
    /// - Throws: ``CommandFailure`` that names the days there are.
    func knownDay(_ date: CivilDate) throws(CommandFailure) -> DayReport {
        let days = dayReports()
        if let day = days.last(where: { $0.date == date }) { return day }
        guard let first = days.first, let last = days.last else {
            throw CommandFailure(
                .noInput,
                "The store has no steps yet; a pedometer or `pulselog health` adds them.")
        }
        let known = first.date == last.date ? "only \(first.date)" : "\(first.date) to \(last.date)"
        throw CommandFailure(.noInput, "The store has nothing about \(date); it covers \(known).")
    }
}
