import Events

/// The event at which a pedometer was read last on the day, in one of the two ways to be read.
struct ReadingMark {
    let key: UInt64
    let isFootPod: Bool
    var position: Position
}

/// Readings become stretches.
extension StepsExplanation {
    /// Takes a reading of any pedometer on the day; nil if it is not readable.
    mutating func take(
        _ reading: ReadingEffect?, _ covering: CoveringTotals?, _ position: Position
    ) {
        guard let reading else { return unreadableReadings.add(1) }
        let from = mark(reading.device.word, reading.isFootPod, position)
        guard reading.isChosen else { return noteOther(reading.device) }
        guard var step = reading.step else { return }
        (step.firstPosition, step.lastPosition) = (from, position)
        if let reason = reading.uncounted {
            step.coveringTotals = reason == .coveredByTotal ? covering?.count ?? 0 : 0
            exclude(step, reason, covering)
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

    private mutating func exclude(
        _ step: StepsStretch, _ reason: UncountedReading.Reason, _ covering: CoveringTotals?
    ) {
        let isCovered = reason == .coveredByTotal
        guard let cause = isCovered ? covering?.lastPosition : suspension?.position else { return }
        uncountedReadings.add(1)
        if uncounted.count == StepsExplanation.keptLimit { uncounted.removeFirst() }
        uncounted.append(
            UncountedReading(
                position: step.lastPosition, device: step.device, steps: step.covered,
                reason: reason, causePosition: cause,
                totals: isCovered ? covering?.count ?? 0 : 0))
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
