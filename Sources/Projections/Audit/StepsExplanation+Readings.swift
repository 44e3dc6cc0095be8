import Events

/// The event at which a pedometer was read last on the day, in one of the two ways to be read.
struct ReadingMark {
    let key: UInt64
    let isFootPod: Bool
    var position: Position
}

/// What the fold knows of a pedometer before or after a reading.
struct ReadingGlance {
    let isChosen: Bool
    let nextReading: DaySteps.NextReading
    let stepsPerCadenceCount: UInt8
    let stream: PedometerStream?
    /// What its next reading is held against; nil if nothing.
    let legs: LegAccount?

    /// Looks at a pedometer; nil if the reading does not say which.
    init(_ steps: DaySteps, _ device: DeviceID?, _ rules: Rules) {
        let index = device.flatMap { device in
            steps.pedometers.firstIndex { $0.key == device.word }
        }
        isChosen = index != nil && index == steps.chosenIndex
        nextReading = steps.nextReading
        stepsPerCadenceCount = steps.stepsPerCadenceCount
        stream = index.map { steps.pedometers[$0] }
        legs = steps.isHeld(isChosen: isChosen, rules) ? steps.legs : nil
    }
}

/// Readings become stretches.
extension StepsExplanation {
    /// Takes a reading of any pedometer on the day.
    mutating func take(
        _ before: ReadingGlance, _ after: ReadingGlance, _ covering: CoveringTotals?,
        _ position: Position, isFootPod: Bool
    ) {
        guard let stream = after.stream, stream.readings != before.stream?.readings else {
            unreadableReadings.add(1)
            return
        }
        let from = mark(stream.key, isFootPod, position)
        guard after.isChosen else { return noteOther(stream.device) }
        guard let earlier = before.stream,
            var step = isFootPod
                ? cadence(
                    earlier, stream,
                    state.rules.stepsPerCadenceCount ?? after.stepsPerCadenceCount, from, position)
                : difference(earlier, before, stream, from, position)
        else { return }
        let isRestart = stream.restarts > earlier.restarts
        step.covered = step.shown.minus(
            before.nextReading.counted(StepsDelta(steps: step.shown, isRestart: isRestart)))
        if step.covered > 0 {
            step.coveringTotals = covering?.count ?? 0
            exclude(step, before.nextReading, covering, isRestart: isRestart)
        }
        guard step.steps > 0 || step.covered == 0 else { return }
        if let last = stretches.last, last.continues(with: step) {
            step = last.continued(by: step)
            stretches.removeLast()
        }
        stretches.append(step)
        if stretches.count > StepsExplanation.keptLimit {
            earlierSteps.add(stretches.removeFirst().steps)
            earlierStretches.add(1)
        }
    }

    /// The reading before of the same kind, on this day; then the mark stands at the new one.
    private mutating func mark(
        _ key: UInt64, _ isFootPod: Bool, _ position: Position
    ) -> Position? {
        for index in marks.indices
        where marks[index].key == key && marks[index].isFootPod == isFootPod {
            defer { marks[index].position = position }
            return marks[index].position
        }
        marks.append(ReadingMark(key: key, isFootPod: isFootPod, position: position))
        return nil
    }

    private mutating func noteOther(_ device: DeviceID) {
        if let index = otherPedometers.firstIndex(where: { $0.device == device }) {
            otherPedometers[index].readings.add(1)
        } else {
            otherPedometers.append(OtherPedometer(device: device, readings: 1))
        }
    }

    /// What a counter counted from one reading to the next; nil at its first one.
    private func difference(
        _ before: PedometerStream, _ glance: ReadingGlance, _ after: PedometerStream,
        _ from: Position?, _ position: Position
    ) -> StepsStretch? {
        guard let last = after.lastCount, var first = before.lastCount else { return nil }
        let rule: StepsStretch.Rule
        let outcome = before.outcome(
            of: last, at: state.live.clock.moment, state.rules, glance.legs)
        switch outcome {
        case _ where isSetAside(position): rule = .setAside
        case .begun: return nil
        case .begunAnew: rule = .restart
        case .setAside, .fellBack: rule = .setAside
        case .counted(let steps) where last < first && (first - last).plus(steps) == 1 << 32:
            rule = .wrap
        case .counted(let steps) where last < first || last - first != steps:
            (rule, first) = (.onLine, last.minus(steps))
        case .counted: rule = .difference
        }
        return StepsStretch(
            device: after.device, rule: rule, firstPosition: from, first: first,
            lastPosition: position, last: last, stepsPerCadenceCount: 1, carried: 0)
    }

    /// What a foot pod's cadence gave from one reading to the next; nil at the first of all.
    private func cadence(
        _ before: PedometerStream, _ after: PedometerStream, _ factor: UInt8, _ from: Position?,
        _ position: Position
    ) -> StepsStretch? {
        guard let lastAt = before.lastAt, let now = after.lastAt else { return nil }
        let held = min(now.minus(lastAt), state.rules.cadenceMilliseconds)
        return StepsStretch(
            device: after.device, rule: isSetAside(position) ? .setAside : .cadence,
            firstPosition: from,
            first: 0,
            lastPosition: position, last: 0, stepsPerCadenceCount: factor,
            carried: before.remainder,
            cadenceMilliseconds: before.stepsPerMinute(factor, state.rules) * held)
    }

    private func isSetAside(_ position: Position) -> Bool {
        state.live.steps.current?.setAside.last?.position == position
    }

    private mutating func exclude(
        _ step: StepsStretch, _ next: DaySteps.NextReading, _ covering: CoveringTotals?,
        isRestart: Bool
    ) {
        var cause = covering.map {
            (reason: UncountedReading.Reason.coveredByTotal, position: $0.lastPosition)
        }
        var totals = covering?.count ?? 0
        switch next {
        case .difference: break
        case .restartOnly where isRestart: break
        case .restartOnly, .nothing: (cause, totals) = (suspension, 0)
        }
        guard let cause else { return }
        uncountedReadings.add(1)
        if uncounted.count == StepsExplanation.keptLimit { uncounted.removeFirst() }
        uncounted.append(
            UncountedReading(
                position: step.lastPosition, device: step.device, steps: step.covered,
                reason: cause.reason, causePosition: cause.position, totals: totals))
    }
}

extension StepsStretch {
    /// Whether a step continues from here under the same rule.
    fileprivate func continues(with step: StepsStretch) -> Bool {
        guard step.device == device, step.firstPosition == lastPosition, step.covered == 0,
            rule != .setAside
        else { return false }
        return rule == .cadence
            ? step.rule == .cadence && step.stepsPerCadenceCount == stepsPerCadenceCount
            : step.rule == .difference
    }

    /// The two as one: the ends are its first and the step's last reading.
    fileprivate func continued(by step: StepsStretch) -> StepsStretch {
        var longer = self
        longer.lastPosition = step.lastPosition
        longer.last = step.last
        longer.readings.add(1)
        longer.cadenceMilliseconds.add(step.cadenceMilliseconds)
        return longer
    }
}
