package import Events
package import Projections
internal import Text
package import Words

extension LogState {
    /// The date that a person named, or today's.
    ///
    /// - Throws: ``CommandFailure`` if nothing says which day today is.
    package func date(_ named: CivilDate?, at moment: Moment) throws(CommandFailure) -> CivilDate {
        guard let date = named ?? own.localDate(at: moment) else {
            throw CommandFailure(
                .usage, "The clock was never set, so today is unknown; name a --day.")
        }
        return date
    }

    /// The steps of a date of which something is known.
    ///
    /// - Throws: ``CommandFailure`` that names the days there are.
    package func knownDay(_ date: CivilDate) throws(CommandFailure) -> DayReport {
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

    /// A session as of the log's last event.
    ///
    /// - Parameters:
    ///   - name: Its position, or `last`: the first of a list, or where all are hidden, of those.
    ///   - isHidden: Whether `last` is the last of the hidden ones.
    /// - Returns: The session.
    /// - Throws: ``CommandFailure`` if there is none of that name.
    package func session(
        called name: String, hidden isHidden: Bool = false
    ) throws(CommandFailure) -> SessionReport {
        let report: SessionReport?
        if name == "last" {
            var filter = WalkFilter()
            filter.hasHidden = true
            let walks = filter.find(in: sessionReports(at: lastMoment)).walks
            report = walks.first { $0.keeping.isHidden == isHidden } ?? walks.first
        } else {
            guard let position = WholeNumber.position(name) else {
                throw CommandFailure(
                    .usage, "\(printable(name)) is neither a position nor `last`.")
            }
            report = sessionReport(position, at: lastMoment)
        }
        guard let report else {
            throw CommandFailure(.noInput, "There is no such session; see `pulselog sessions`.")
        }
        return report
    }

    /// The day that keeps a number which was set aside, by its event; nil if none does.
    package func setAsideDay(of position: Position) -> Day? {
        walked.steps.days.first { $0.setAside.contains { $0.position == position } }
    }
}
