package import Events

/// A session, ready to be shown: what `sessions show --json` prints, field by field.
package struct SessionReport: Hashable, Sendable {
    /// A strap that sent values.
    package struct Strap: Hashable, Sendable {
        /// Which one.
        package let device: DeviceID
        /// Its readings that count, or would if it were not left out.
        package let samples: UInt64
        /// Whether its values are left out.
        package let isExcluded: Bool
    }

    /// The event that began it.
    package let position: Position
    /// Whose walk it is.
    package let provenance: Provenance
    /// Running, paused or ended.
    package let state: Session.State
    /// What the walker has said of it.
    package let keeping: Keeping
    /// Minutes east of UTC where it began.
    package let offsetMinutes: Int64
    /// UTC milliseconds of the start.
    package let startedAtMilliseconds: Int64
    /// UTC milliseconds of the end, or nil.
    package let endedAtMilliseconds: Int64?
    /// UTC milliseconds of when an open one was recorded last, if nobody records it; else nil.
    package let leftAtMilliseconds: Int64?
    /// Why it ended, or nil.
    package let endReason: OpenCode<EndReason>?
    /// What the walker aims at, or nil.
    package let goal: Goal?
    /// How much of the goal is done, in its unit, or nil.
    package let goalProgress: UInt64?
    /// Whether the goal is reached.
    package let isGoalReached: Bool
    /// Whether to turn at half of the target.
    package let outAndBack: Bool
    /// Whether half of the target is reached.
    package let isTurnAroundReached: Bool
    /// From start to end, or to the moment of the report.
    package let elapsedMilliseconds: UInt64
    /// Elapsed without pauses.
    package let activeMilliseconds: UInt64
    /// In pauses.
    package let pausedMilliseconds: UInt64
    /// How long the present pause has lasted; nil unless the session is paused.
    package let pauseMilliseconds: UInt64?
    /// Where the time went; the parts sum to elapsed.
    package let accounting: Accounting
    /// Heart rate.
    package let heartRate: HeartRateReport
    /// The straps that sent values, in order of their first.
    package let straps: [Strap]
    /// The strap whose values were left out because it never reports contact; nil if there is none.
    package let contactlessStrap: ContactlessStrap?
    /// RR intervals as they came.
    package let rr: RRReport
    /// RR intervals after the artefact rule.
    package let filteredRR: RRReport
    /// RR intervals against the clock.
    package let rrConservation: RRConservation
    /// Steps of the session.
    package let steps: UInt64
    /// Whether something counted steps: its stream has begun, or has told some.
    package let isCounted: Bool
    /// What the day displayed at the start.
    package let stepsBaseline: UInt64
    /// What the day displays now, or displayed at the end.
    package let stepsToday: UInt64
    /// Distance, or nil if there is none to show.
    package let distanceMillimetres: UInt64?
    /// Where it comes from, or nil.
    package let distanceSource: Session.DistanceSource?
    /// What each measure of the way gave, what of it counts, and which are doubted.
    package let way: WayLength
    /// How long a step of the walker was taken to be, in micrometres; nil if that is not known.
    package let ownStride: UInt64?
    /// How many distances of the pedometer nobody can have covered; they count nothing.
    package let excludedDistances: UInt64
    /// Readings of pedometers that could not be decoded.
    package let excludedReadings: UInt64
    /// Fixes that may be off by more than a route can use.
    package let inexactFixes: UInt64
    /// Fixes of phones that were left out before its route saw them.
    package let leftOutFixes: LeftOutFixes
    /// Whether it has, or its source knows, something that senses the heart.
    package let hasStrap: Bool
    /// What its fixes add up to.
    package let route: Route
    /// Energy in thousandths of a kilocalorie.
    package let energyCalories: UInt64
    /// Energy by the heart rate in thousandths of a kilocalorie; nil without a heart rate, weight,
    /// age or sex.
    package let heartRateEnergyCalories: UInt64?
    /// Whether the weight of 70 kg was assumed.
    package let isWeightAssumed: Bool
    /// Marks that the walker set.
    package let marks: UInt64
    /// Its laps.
    package let laps: Laps
    /// Whether the pause is one that began and ends by itself.
    package let standsStill: Bool
    /// The strap's connection; the open span is the last one, without an end.
    package let link: SessionLink

    /// Reports a session as of a moment; for one that ended, the moment does not matter.
    package init(
        _ session: Session, of source: SourceState, at moment: Moment, _ rules: Rules
    ) {
        var session = session
        let isOpen = session.state != .ended
        if isOpen {
            // A recorder that has begun, and recorded nothing yet.
            if source.recorder.stoppedPosition == nil { session.goOn() }
            let now = source.clock.time(at: moment.stamp, moment.flags)
            var nothing = NoEffects()
            session.settle(to: now, source.devices.strapTimes, rules, &nothing)
        }
        position = session.position
        (provenance, state, keeping) = (source.provenance, session.state, session.keeping)
        offsetMinutes = session.offsetMinutes
        startedAtMilliseconds = session.startedAt.wallMilliseconds
        endedAtMilliseconds = isOpen ? nil : session.endedAt?.wallMilliseconds
        leftAtMilliseconds = isOpen ? session.endedAt?.wallMilliseconds : nil
        endReason = session.endReason
        goal = session.goal.kind == .none ? nil : session.goal
        let (progress, target) = (session.progress, session.goal.target)
        goalProgress = progress
        let isMeasured = progress != nil && target > 0
        isGoalReached =
            session.goalReachedPosition != nil || isMeasured && progress ?? 0 >= target
        outAndBack = session.outAndBack
        isTurnAroundReached =
            session.turnAroundPosition != nil
            || isMeasured && session.outAndBack && progress ?? 0 >= target - target / 2
        elapsedMilliseconds = session.accounting.elapsedMilliseconds
        activeMilliseconds = session.accounting.activeMilliseconds
        pausedMilliseconds = session.accounting.pausedMilliseconds
        pauseMilliseconds = session.state == .paused ? session.pauseMilliseconds : nil
        let (readings, time) = session.heard
        accounting = time
        heartRate = HeartRateReport(readings.heartRate, in: session.zones)
        straps = session.readings.straps.map {
            Strap(
                device: $0.device, samples: $0.readings.heartRate.samples,
                isExcluded: session.excludedStraps.contains($0.device))
        }
        contactlessStrap = session.strapWithoutContact.flatMap {
            session.excludedStraps.contains($0) ? nil : source.contactlessStrap($0)
        }
        (rr, filteredRR) = (RRReport(readings.rr.raw), RRReport(readings.rr.filtered))
        rrConservation = RRConservation(readings.rr)
        isCounted = session.steps > 0 || !session.way.isAwaited
        (steps, stepsBaseline) = (session.steps, session.stepsBaseline)
        stepsToday = session.stepsTodayAtEnd ?? source.stepsToday(at: moment)
        let distance = session.distance
        distanceMillimetres = distance?.millimetres
        distanceSource = distance?.source
        (way, ownStride) = (session.way, session.ownStride)
        (excludedReadings, inexactFixes) = (session.excludedReadings, session.inexactFixes)
        (excludedDistances, leftOutFixes) = (session.excludedDistances, session.leftOutFixes)
        hasStrap =
            !straps.isEmpty || session.link.connects > 0 || source.devices.primary(.heart) != nil
        route = session.route
        energyCalories = session.energyCalories
        let date = CivilDate(
            wallMilliseconds: session.startedAt.wallMilliseconds,
            zoneOffsetMinutes: session.offsetMinutes)
        heartRateEnergyCalories = HeartRateEnergy.calories(
            readings.heartRate, session.walker, weightGrams: session.profile.weightGrams,
            in: date.components.year)
        isWeightAssumed = session.profile.weightGrams == nil
        (marks, laps, standsStill) = (session.marks, session.laps, session.standsStill)
        link = isOpen ? session.settledLink : session.link
    }
}

extension LogState {
    /// Every session of every source, in order of position.
    ///
    /// - Parameter moment: For open live sessions; open sessions of imports end at their last
    ///   event.
    /// - Returns: The reports.
    package func sessionReports(at moment: Moment) -> [SessionReport] {
        sources.flatMap { reports(of: $0, at: moment) }.sorted { $0.position < $1.position }
    }

    /// The sessions of one source, as of ``sessionReports(at:)``.
    package func sessionReports(of source: Provenance, at moment: Moment) -> [SessionReport] {
        self[source].map { reports(of: $0, at: moment) } ?? []
    }

    private func reports(of source: SourceState, at moment: Moment) -> [SessionReport] {
        source.sessions.all.map {
            SessionReport($0, of: source, at: source.reportMoment(moment), rules)
        }
    }

    /// The session that an event began, or nil.
    ///
    /// - Parameters:
    ///   - position: Where it began.
    ///   - moment: As in ``sessionReports(at:)``.
    /// - Returns: The report, or nil.
    package func sessionReport(_ position: Position, at moment: Moment) -> SessionReport? {
        for source in sources {
            if let session = source.sessions[position] {
                return SessionReport(session, of: source, at: source.reportMoment(moment), rules)
            }
        }
        return nil
    }
}

extension LogState {
    /// The session that an event began, of whatever source; nil if there is none.
    func session(_ position: Position) -> Session? {
        for source in sources {
            if let session = source.sessions[position] { return session }
        }
        return nil
    }
}

extension SourceState {
    /// An import stands still at its last event.
    func reportMoment(_ moment: Moment) -> Moment {
        provenance.isLive ? moment : Moment(clock.lastStamp, [])
    }
}

/// What a session did not count is not 0 but unknown.
extension SessionReport {
    /// The straps whose values are left out, in order of their addresses.
    package var excludedStraps: [DeviceID] { straps.filter(\.isExcluded).map(\.device) }
    /// The steps; nil where nothing counted any.
    package var knownSteps: UInt64? { steps > 0 ? steps : nil }
    /// The distance; nil where nothing measured one, or it is 0.
    package var knownDistanceMillimetres: UInt64? {
        distanceMillimetres.flatMap { $0 > 0 ? $0 : nil }
    }
    /// The measures of the way that gave another length than what counts of them.
    package var otherMeasures: [WayLength.Measure] {
        let (counted, doubted) = (way.countedMeasures, way.comparison.doubtedMeasures)
        return way.measures.filter {
            let isOther =
                (counted.count > 1 || counted != [$0]) && way.measured[$0] > way.counted[$0]
            return isOther || doubted.contains($0)
        }
    }
    /// The energy, which steps tell; nil without any.
    package var knownEnergyCalories: UInt64? { steps > 0 ? energyCalories : nil }
}
