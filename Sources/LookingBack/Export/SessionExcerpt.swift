internal import Deciding
package import EventStore
internal import Events
package import Projections

/// The events of a session, and of those before it the ones without which its totals would be
/// others.
///
/// Which these are is tried: the excerpt is folded, and if its session is not that of the log, more
/// is taken along.
package struct SessionExcerpt {
    /// How much of what comes before the session is taken along.
    private enum Reach: CaseIterable {
        /// What happened to recorder, devices and steps since the session's day began, and of the
        /// time before it the last word on each.
        case day
        /// The same since the log began.
        case log
        /// Everything, as it stands.
        case everything
    }

    /// Where the session starts.
    private let start: Position
    /// The position after its last event.
    private let sessionEnd: Position
    /// The position after the last event of the excerpt: a session may be named after its end.
    let end: Position
    private let provenance: Provenance
    private let reach: Reach
    /// From here on everything of recorder, devices and steps is taken along.
    private let fullFrom: Position
    /// The session's start.
    private let startedAt: Stamp
    /// The positions before it whose events are the last word on something.
    private var lastWords: Set<Position> = []

    /// For how long before a session heart rates are taken along: what a copy is, and for how long
    /// a value holds, is known from the last few.
    private static let heartMilliseconds: UInt64 = 60_000

    /// Finds the least excerpt whose session is that of the log.
    ///
    /// - Parameters:
    ///   - report: The session.
    ///   - log: The log.
    /// - Returns: The excerpt.
    /// - Throws: `EventLogError`.
    package static func least(
        of report: SessionReport, in log: any EventLog
    ) throws(EventLogError) -> SessionExcerpt {
        let next = try log.next
        let end = try log.end(ofSessionAt: report.position) ?? next
        for reach in Reach.allCases where reach != .everything {
            let excerpt = try SessionExcerpt(report, until: end, reach, in: log)
            if try excerpt.tells(report, of: log) { return excerpt }
        }
        return try SessionExcerpt(report, until: end, .everything, in: log)
    }

    private init(
        _ report: SessionReport, until end: Position, _ reach: Reach, in log: any EventLog
    ) throws(EventLogError) {
        start = report.position
        provenance = report.provenance
        sessionEnd = end
        self.end = try Self.lastNaming(of: start, after: end, in: log)
        self.reach = reach
        var before = LogState()
        if reach == .day { try log.fold(until: start, into: &before) }
        let day = before[provenance]?.steps.current
        fullFrom = reach == .day ? min(day?.positions.lowerBound ?? start, start) : 0
        startedAt =
            try log.events(in: start..<start + 1).first?.header.stamp
            ?? Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0)
        lastWords = try lastWords(of: log)
    }

    /// Whether an event is one of the excerpt's.
    func holds(_ event: borrowing EventView) -> Bool {
        let header = event.header
        guard header.position < sessionEnd else { return namesSession(event) }
        if reach == .everything { return true }
        if header.kind.namesSession { return namesSession(event) }
        if header.position == 0, header.kind == .originBegan { return true }
        if lastWords.contains(header.position) { return true }
        guard header.provenance == provenance else {
            // The one thing that an import says of the walker's days.
            return provenance == .walked && header.kind == .healthTotalObserved
                && header.position >= fullFrom
        }
        switch header.kind.lane {
        case .day, nil: return false
        case _ where header.position >= start: return true
        case .session, .place: return false
        case .heart: return isJustBefore(header.stamp)
        case .control, .link, .steps: return header.position >= fullFrom
        }
    }

    /// Whether an event says something of the session, before or after its end.
    private func namesSession(_ event: borrowing EventView) -> Bool {
        event.header.position < end && event.names(start)
    }

    /// The position after the last event that names a session; of none after its end, that end.
    private static func lastNaming(
        of session: Position, after end: Position, in log: any EventLog
    ) throws(EventLogError) -> Position {
        var last = end
        try log.read(from: end) { event in
            if event.names(session) { last = event.header.position + 1 }
            return true
        }
        return last
    }

    private func isJustBefore(_ stamp: Stamp) -> Bool {
        stamp.bootNumber == startedAt.bootNumber
            && stamp.bootMilliseconds + Self.heartMilliseconds >= startedAt.bootMilliseconds
    }

    /// Whether the excerpt, folded by itself, gives the session as the log gives it.
    private func tells(
        _ report: SessionReport, of log: any EventLog
    ) throws(EventLogError) -> Bool {
        var state = LogState()
        try log.read { event in
            if holds(event) { state.evolve(event) }
            return event.header.position + 1 < end
        }
        return state.sessionReport(start, at: state.lastMoment) == report
    }
}

extension EventView {
    /// Whether it says something of a session after the fact.
    fileprivate func names(_ session: Position) -> Bool {
        header.kind.namesSession && decoded.namedSession == session
    }
}

// MARK: - The last word

extension SessionExcerpt {
    /// What an event has the last word on, until another one says the same of the same.
    private struct Subject: Hashable {
        let kind: EventKind
        let provenance: Provenance
        var device: DeviceID?
        /// A characteristic or a role.
        var code: UInt8 = 0
    }

    /// The events before the session that have the last word on something.
    private func lastWords(of log: any EventLog) throws(EventLogError) -> Set<Position> {
        guard reach != .everything else { return [] }
        var words: [Subject: Position] = [:]
        try log.read { event in
            let position = event.header.position
            guard position < start else { return false }
            if let subject = subject(of: event) { words[subject] = position }
            return position + 1 < start
        }
        return Set(words.values)
    }

    private func subject(of event: borrowing EventView) -> Subject? {
        let header = event.header
        var subject = Subject(kind: header.kind, provenance: header.provenance)
        guard header.provenance == provenance else {
            // Machine and walker are the live recorder's.
            let isShared = header.source == 0 && header.kind.isOfWalker
            return ZoneOffset.minutes(event) == nil && !isShared ? nil : subject
        }
        if header.kind == .characteristicNotified || header.kind == .characteristicRead {
            guard let fields = event.heartFields else { return nil }
            (subject.device, subject.code) = (fields.device, fields.characteristic.rawValue)
            return subject
        }
        if header.kind == .pedometerRead {
            subject.device = event.pedometerFields?.device
            return subject.device == nil ? nil : subject
        }
        switch header.kind {
        case .originBegan, .bootBegan, .recorderStarted, .recorderStopped, .zoneOffsetChanged,
            .profileChanged, .walkerDescribed, .preferencesChanged, .importBegan,
            .adapterStateChanged, .pedometerChosen:
            return subject
        case .deviceSeen, .devicePaired, .deviceForgotten, .contactChosen, .linkUp, .linkLost,
            .subscribed:
            subject.device = event.decoded.devices.first
            return subject
        case .primaryChosen:
            guard case .primaryChosen(let chosen) = event.decoded else { return nil }
            subject.code = chosen.role.rawValue
            return subject
        default: return nil
        }
    }
}
