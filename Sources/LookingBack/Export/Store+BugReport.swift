internal import EventStore
internal import Events
internal import Interchange
internal import Projections
package import Stores

/// What a bug report takes from a log; nothing in it shows whose it is.
extension Store {
    /// The last walk, as JSON Lines that `import` takes; nil without one.
    ///
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    package func lastWalkForBugReport() throws -> [UInt8]? {
        let state = try state()
        guard let report = state.sessionReports(at: state.lastMoment).last else { return nil }
        return try withLog { log in
            let excerpt = try SessionExcerpt.least(of: report, in: log)
            var lines: [UInt8] = []
            _ = try log.export(excerpt, .leftOut) { lines += $0 }
            return lines
        }
    }

    /// What happened to recorder and links in the last hour of the log, as JSON Lines.
    ///
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    package func lastHourForBugReport() throws -> [UInt8] {
        let end = try state().own.clock.lastStamp.wallMilliseconds
        return try withLog { log in
            var window = LogWindow()
            window.after = [.instant(end - 3_600_000)]
            guard let span = try log.positions(in: window, of: 0).span else { return [] }
            var cleaner = try log.anonymity(.leftOut, of: nil)
            var lines: [UInt8] = []
            try log.read(from: span.lowerBound) { event in
                let isOfLinks = [.link, .control].contains(event.header.kind.lane)
                if isOfLinks, let cleaned = cleaner.cleaned(event) { lines += cleaned.jsonLine }
                return event.header.position + 1 < span.upperBound
            }
            return lines
        }
    }
}
