import Decoding
package import Events

/// The heart rate of a session as version 1 of the folds gave it: each value counts as it comes.
///
/// Version 2 began to divide values that come several times (``Delivery``), version 9 to leave out
/// what no heart does and to let contact be ignored. All else is as it was.
///
/// It has its own code for whatever was another rule then, and shares with the present folds only
/// what both mean. Nothing but a comparison with them uses it: no view shows it and no snapshot
/// holds it.
package struct FirstHeartRate: FoldPair {
    /// The version of ``LogState`` that gave it, as it is asked for.
    package static let name = "heartRate@1"
    /// What was another rule then.
    package static let note =
        "Values counted as often as the daemon signalled them, and every heart rate but 0."

    /// The live recorder's last session.
    private struct Results: Hashable {
        /// Its figures; nil before the first one.
        var session: Figures?
    }

    /// The figures of a session.
    private struct Figures: Hashable {
        var position: Position
        var samples: UInt64 = 0
        var sum: UInt64 = 0
        var minimum: UInt16?
        var maximum: UInt16?
        var excludedZero: UInt64 = 0
        var excludedNoContact: UInt64 = 0
        var excludedPaused: UInt64 = 0
        var excludedUndecodable: UInt64 = 0
    }

    private var figures: Figures?
    private var state = Session.State.ended
    private var standsStill = false
    private var present = LogState()

    /// The states before the first event.
    package init() {}

    /// Takes one event in.
    ///
    /// - Parameter event: The event that comes next.
    /// - Returns: Whether both give the same.
    package mutating func evolve(_ event: borrowing EventView) -> Bool {
        take(event)
        present.evolve(event)
        return figures == presentFigures
    }

    /// The fields in which the figures of the last session differ.
    package var differences: [FieldChange] {
        FieldChange.changes(
            from: Results(session: figures), to: Results(session: presentFigures))
    }

    private mutating func take(_ event: borrowing EventView) {
        let header = event.header
        guard header.provenance == .walked, header.version == 1 else { return }
        switch header.kind {
        case .sessionStarted where state == .ended:
            guard case .sessionStarted = event.decoded else { return }
            figures = Figures(position: header.position)
            state = .running
        case .standstillBegan where state == .running: (state, standsStill) = (.paused, true)
        case .sessionPaused where state != .ended: (state, standsStill) = (.paused, false)
        case .standstillEnded where standsStill, .sessionResumed where state == .paused:
            (state, standsStill) = (.running, false)
        case .sessionEnded: state = .ended
        case .characteristicNotified where state != .ended: receive(event)
        case .valueCut where state != .ended:
            guard case .valueCut(let cut) = event.decoded,
                cut.characteristic == .heartRateMeasurement
            else { return }
            figures?.excludedUndecodable.add(1)
        default: break
        }
    }

    private mutating func receive(_ event: borrowing EventView) {
        guard case .characteristicNotified(let notified) = event.decoded,
            notified.characteristic == .heartRateMeasurement
        else { return }
        do throws(MalformedMeasurement) {
            let value = notified.value
            receive(try HeartRateMeasurement(decoding: value.span))
        } catch {
            figures?.excludedUndecodable.add(1)
        }
    }

    /// One reason excludes a reading: paused before no contact before zero.
    private mutating func receive(_ measurement: HeartRateMeasurement) {
        guard var figures else { return }
        let bpm = measurement.heartRateBPM
        if state == .paused {
            figures.excludedPaused.add(1)
        } else if measurement.contact == .notDetected {
            figures.excludedNoContact.add(1)
        } else if bpm == 0 {
            figures.excludedZero.add(1)
        } else {
            figures.samples.add(1)
            figures.sum.add(UInt64(bpm))
            figures.minimum = min(figures.minimum ?? bpm, bpm)
            figures.maximum = max(figures.maximum ?? bpm, bpm)
        }
        self.figures = figures
    }

    /// The same figures as the present folds give them.
    private var presentFigures: Figures? {
        guard let session = present.own.sessions.open ?? present.own.sessions.past.last else {
            return nil
        }
        let totals = session.heartRate
        return Figures(
            position: session.position, samples: totals.samples, sum: totals.sum,
            minimum: totals.samples > 0 ? totals.minimum : nil,
            maximum: totals.samples > 0 ? totals.maximum : nil,
            excludedZero: totals.excludedZero, excludedNoContact: totals.excludedNoContact,
            excludedPaused: totals.excludedPaused,
            excludedUndecodable: totals.excludedUndecodable)
    }
}
