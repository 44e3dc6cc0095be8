import CReference
import Events
import Projections

/// Two folds of the same log that do not agree.
struct TotalsDiffer: Error, CustomStringConvertible {
    let place: String
    let swift: UInt64
    let reference: UInt64

    var description: String {
        "The folds differ: \(place) is \(swift) in Swift and \(reference) in C."
    }
}

extension LogState {
    /// Compares this state with the reference's totals, figure by figure.
    ///
    /// - Throws: ``TotalsDiffer`` for the first that differs.
    func compare(with reference: ReferenceTotals) throws(TotalsDiffer) {
        let totals = reference.figures
        let link = live.devices.strap?.link
        let pedometer = live.steps.chosen
        let figures: [Figure] = [
            ("events", events, totals.events),
            ("steps lane", stepsIndex, totals.steps_events),
            ("fixes", live.recorder.fixes, totals.fixes),
            ("findings", findings.total, totals.findings),
            ("link values", link?.values ?? 0, totals.values),
            ("link drops", link?.drops ?? 0, totals.drops),
            ("longest gap", link?.longestGapMilliseconds ?? 0, totals.longest_gap_ms),
            ("pedometer readings", pedometer?.readings ?? 0, totals.pedometer_readings),
            ("pedometer restarts", pedometer?.restarts ?? 0, totals.pedometer_restarts),
            ("fold time", live.clock.milliseconds, totals.now_ms),
            ("sessions", UInt64(live.sessions.all.count), UInt64(totals.session_count)),
            ("days", UInt64(live.steps.days.count), UInt64(totals.day_count)),
        ]
        try Self.compare(figures, in: "log")
        for (session, other) in zip(live.sessions.all, reference.sessions) {
            try Self.compare(
                session.figures(other), in: "session at position \(session.position)")
        }
        for (day, other) in zip(live.steps.days, reference.days) {
            try Self.compare(day.figures(other), in: "day \(day.date)")
        }
    }

    private static func compare(_ figures: [Figure], in place: String) throws(TotalsDiffer) {
        for (name, swift, reference) in figures where swift != reference {
            throw TotalsDiffer(place: "\(name) of \(place)", swift: swift, reference: reference)
        }
    }
}

/// A figure's name, and what each fold gave.
private typealias Figure = (name: String, swift: UInt64, reference: UInt64)

extension Session {
    fileprivate func figures(_ other: ref_session) -> [Figure] {
        let time = accounting
        let figures: [Figure] = [
            ("position", position, other.position),
            ("state", UInt64(state.rawValue), other.state),
            ("marks", marks, other.marks),
            ("pauses", pauses, other.pauses),
            ("fresh time", time.freshMilliseconds, other.fresh_ms),
            ("held time", time.heldMilliseconds, other.held_ms),
            ("silent time", time.silentMilliseconds, other.silent_ms),
            ("time without contact", time.noContactMilliseconds, other.no_contact_ms),
            ("disconnected time", time.disconnectedMilliseconds, other.disconnected_ms),
            ("paused time", time.pausedMilliseconds, other.paused_ms),
            ("steps", steps, other.steps),
            ("stride steps", strideSteps, other.stride_steps),
            ("pedometer distance", pedometerMillimetres, other.pedometer_mm),
            ("route distance", routeMillimetres, other.route_mm),
            ("steps baseline", stepsBaseline, other.steps_baseline),
            ("steps today at end", stepsTodayAtEnd ?? 0, other.steps_today_at_end),
            ("goal", goalReachedPosition ?? .max, other.goal_reached_position),
            ("turn-around", turnAroundPosition ?? .max, other.turn_around_position),
        ]
        return figures + heartRate.figures(other.readings) + rr.figures(other.readings)
            + link.figures(other.link) + route.figures(other.route)
    }
}

extension Route {
    fileprivate func figures(_ other: ref_route) -> [Figure] {
        [
            ("fixes that count", fixes, other.fixes),
            ("fixes that do not", excludedFixes, other.excluded_fixes),
            ("jumps", jumps, other.jumps),
            ("length of the route", distanceMillimetres, other.distance_mm),
            ("ascent", ascentMillimetres, other.ascent_mm),
            ("descent", descentMillimetres, other.descent_mm),
        ]
    }
}

extension SessionLink {
    fileprivate func figures(_ other: ref_link) -> [Figure] {
        var figures: [Figure] = [
            ("connections", connects, other.connects),
            ("known times to connect", connecting.count, other.connect_times),
            ("first time to connect", connecting.firstMilliseconds, other.first_connect_ms),
            ("times to connect", connecting.sumMilliseconds, other.connect_ms),
            ("longest time to connect", connecting.longestMilliseconds, other.longest_connect_ms),
            ("time of spans", upMilliseconds, other.up_ms),
            ("longest gap", longestGapMilliseconds, other.longest_gap_ms),
            ("delivery factor", deliveryFactor, other.delivery_factor),
            ("multiplied time", multipliedMilliseconds, other.multiplied_ms),
            ("kept spans", UInt64(spans.count), other.span_count),
        ]
        withUnsafeBytes(of: other.drops) { bytes in
            for (index, count) in bytes.bindMemory(to: UInt64.self).enumerated() {
                figures.append(("drops by \(LinkEnd.drops[index])", drops[index], count))
            }
        }
        withUnsafeBytes(of: other.spans) { bytes in
            for (span, other) in zip(spans, bytes.bindMemory(to: ref_span.self)) {
                figures += span.figures(other)
            }
        }
        return figures
    }
}

extension LinkSpan {
    fileprivate func figures(_ other: ref_span) -> [Figure] {
        [
            ("start of a span", startMilliseconds, other.start_ms),
            ("length of a span", durationMilliseconds, other.duration_ms),
            ("end of a span", end.map { UInt64($0.rawValue) } ?? .max, other.end),
            ("values of a span", values, other.values),
            ("ticks of a span", rrTicks, other.rr_ticks),
            ("time of a span's intervals", rrMilliseconds, other.rr_ms),
            ("delivery factor of a span", deliveryFactor, other.delivery_factor),
        ]
    }
}

extension HeartRateTotals {
    fileprivate func figures(_ other: ref_readings) -> [Figure] {
        [
            ("samples", samples, other.samples),
            ("sum", sum, other.sum_bpm),
            ("minimum", UInt64(minimum), other.minimum_bpm),
            ("maximum", UInt64(maximum), other.maximum_bpm),
            ("position of the maximum", maximumPosition, other.maximum_position),
            ("supported maximum", UInt64(supported.bpm), other.supported_bpm),
            ("position of the supported", supported.position, other.supported_position),
            ("weighted sum", weightedSum, other.weighted_sum),
            ("weighted time", weightedMilliseconds, other.weighted_ms),
            ("resting time", restingMilliseconds, other.zone_ms.0),
            ("moderate time", moderateMilliseconds, other.zone_ms.1),
            ("vigorous time", vigorousMilliseconds, other.zone_ms.2),
            ("maximum time", maximumMilliseconds, other.zone_ms.3),
            ("zero readings", excludedZero, other.excluded_zero),
            ("values that are no reading", excludedNoReading, other.excluded_no_reading),
            ("values not credible", excludedNotCredible, other.excluded_not_credible),
            ("readings without contact", excludedNoContact, other.excluded_no_contact),
            ("readings in pauses", excludedPaused, other.excluded_paused),
            ("undecodable readings", excludedUndecodable, 0),
            ("copies", excludedCopies, other.excluded_copies),
        ]
    }
}

extension RRTotals {
    fileprivate func figures(_ other: ref_readings) -> [Figure] {
        let spans: [Figure] = [
            ("ticks in spans", spanTicks, other.span_ticks),
            ("time of spans of intervals", spanMilliseconds, other.span_ms),
            ("ticks of copies", copyTicks, other.copy_ticks),
        ]
        return spans + raw.figures("raw", other.raw) + filtered.figures("filtered", other.filtered)
    }
}

extension RRSums {
    fileprivate func figures(_ name: String, _ other: ref_rr_sums) -> [Figure] {
        [
            ("\(name) intervals", count, other.count),
            ("sum of \(name) intervals", sumTicks, other.sum),
            ("squares of \(name) intervals", sumSquaredTicks, other.sum_squared),
            ("\(name) differences", differences, other.differences),
            (
                "squares of \(name) differences", sumSquaredDifferences,
                other.sum_squared_differences
            ),
            (
                "\(name) differences over 50 ms", differencesOver50Milliseconds,
                other.differences_over_50_ms
            ),
        ]
    }
}

extension Day {
    fileprivate func figures(_ other: ref_day) -> [Figure] {
        [
            (
                "date", UInt64(bitPattern: date.daysSinceEpoch),
                UInt64(bitPattern: other.date)
            ),
            ("baseline", baseline, other.baseline),
            ("delta", delta, other.delta),
            ("pedometer steps", pedometerSteps, other.pedometer_steps),
            ("reconciliations", reconciliations, other.reconciliations),
            ("first position", positions.lowerBound, other.first_position),
            ("last position", positions.upperBound, other.last_position),
            ("first steps index", firstStepsIndex ?? .max, other.first_steps_index),
        ]
    }
}
