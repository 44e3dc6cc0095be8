internal import Events
internal import JSON
package import Projections
internal import Text

/// One displayed number as lines for people, within 80 columns.
///
/// Every number stands with the position of the event it came from: `pulselog log cat` shows it.
package struct ExplanationText: Answer {
    /// The most stretches and uncounted readings that are shown; `--json` has them all.
    private static let shownLimit = 12

    private let explanation: StepsExplanation
    /// The lines, each with its end.
    package private(set) var text = ""
    /// The whole explanation, as one object and a newline.
    package var jsonLine: [UInt8] { explanation.jsonLine }

    /// Tells an explanation.
    package init(_ explanation: StepsExplanation) {
        self.explanation = explanation
        tellSum()
        tellBaseline()
        tellDelta()
        tellUncounted()
        tellSetAside()
        tellCorrections()
        let rules = explanation.state.rules
        add(
            "Rules",
            "carry overlap \(rules.carryOverlap ? "on" : "off"); a cadence holds at most "
                + "\(grouped(rules.cadenceMilliseconds)) ms; a total covers unheard steps: "
                + (rules.coverUnheard ? "yes" : "no"))
    }

    private mutating func add(_ title: String, _ sentence: String) {
        text +=
            title == " "
            ? labelled(indent: 6, sentence) : labelled(title, to: 12, indent: 0, sentence)
    }

    private mutating func tellSum() {
        let (sum, baseline) = (explanation.displayed, explanation.baseline.value)
        let own = explanation.state.own
        let now = LocalTime(
            own.clock.lastStamp.wallMilliseconds, offsetMinutes: own.recorder.zoneOffsetMinutes)
        let place = explanation.state.head.map { " at position \($0), \(now.whole)" }
        text += labelled(
            indent: 0, "\(explanation.date): \(grouped(sum)) steps displayed" + (place ?? ""))
        if !own.recorder.isZoneKnown {
            add("Zone", "No event had set the zone yet: this time and this date are UTC.")
        }
        if explanation.openedPosition == nil, explanation.lateTotal == nil {
            add("Why", "No event had opened this day yet, so it shows 0.")
            return
        }
        let counted = "baseline \(grouped(baseline)) + delta \(grouped(explanation.delta))"
        if let late = explanation.lateTotal {
            add(
                "Sum",
                "max of \(counted), late total \(grouped(late.total)) reported"
                    + "\(byWhom(late.reporter)) at position \(late.position) = \(grouped(sum))")
        } else {
            add("Sum", "\(counted) = \(grouped(sum))")
        }
        let doubt = DayText.doubt(
            of: explanation.date, shown: sum, corrected: explanation.corrected)
        if let doubt { add("Doubt", doubt) }
    }

    private mutating func tellBaseline() {
        let baseline = explanation.baseline
        guard let position = baseline.position else { return }
        guard let operands = baseline.reconciliation else {
            let late = baseline.lateTotal.map {
                baseline.isBegunAnew
                    ? "the date was counted before, and showed that since position \($0.position)"
                    : "it was reported before the day began, at position \($0.position)"
            }
            add(
                "Baseline",
                "\(grouped(baseline.value)) from position \(position), which opened the day; "
                    + (late ?? "nothing was reconciled yet"))
            return
        }
        let cause = StepsCause.reconciliation(operands.trigger).name
        add(
            "Baseline",
            "\(grouped(baseline.value)) set at position \(position) (\(cause)), the greatest of:")
        var health = "health: unknown"
        if let total = operands.health {
            let from = baseline.healthPosition.map {
                "reported\(byWhom(baseline.healthReporter)) at position \($0)"
            }
            health = "health \(grouped(total)): \(from ?? "named by the reconciliation itself")"
            if operands.carriedSteps > 0 {
                health += ", including \(grouped(operands.carriedSteps)) walked after its end"
            }
        }
        add(" ", mark(operands, .health) + health)
        add(
            " ",
            mark(operands, .baselinePlusDelta)
                + "baseline \(grouped(baseline.earlierBaseline)) + delta "
                + "\(grouped(baseline.earlierDelta)) = \(grouped(operands.baselinePlusDelta))")
        var persisted = "persisted: none yet on this date"
        if let value = operands.persisted {
            let place = baseline.persistedPosition.map { " position \($0)" } ?? ""
            persisted =
                "persisted \(grouped(value)): "
                + (baseline.isPersistedLegacy
                    ? "reported\(byWhom(baseline.persistedReporter)) at" : "displayed since")
                + place
        }
        add(" ", mark(operands, .persisted) + persisted)
        guard position > 0 else { return }
        add(
            " ",
            "before it: pulselog audit explain --day \(explanation.date) --at \(position - 1)")
    }

    private func mark(_ operands: Reconciliation, _ winner: ReconciliationWinner) -> String {
        operands.winner == winner ? "> " : "- "
    }

    private mutating func tellDelta() {
        guard explanation.openedPosition != nil else { return }
        let stretches = explanation.stretches
        add(
            "Delta",
            stretches.isEmpty
                ? "0: the pedometer counted nothing since"
                : "\(grouped(explanation.delta)), the pedometer's steps since:")
        let hidden = max(0, stretches.count - Self.shownLimit)
        let count = explanation.earlierStretches + UInt64(hidden)
        if count > 0 {
            let steps = stretches.prefix(hidden).reduce(explanation.earlierSteps) { $0 + $1.steps }
            add(" ", "\(grouped(steps)) in \(counted(count, "earlier stretch", "es")) (see --json)")
        }
        for stretch in stretches.dropFirst(hidden) { add(" ", Self.words(stretch)) }
    }

    /// The stretch as a sum that can be redone.
    private static func words(_ stretch: StepsStretch) -> String {
        let first = "\(stretch.first)\(stretch.firstPosition.map { " (\($0))" } ?? "")"
        let last = "\(stretch.last) (\(stretch.lastPosition))"
        let sum: String
        switch stretch.rule {
        case .difference: sum = "\(last) - \(first)"
        case .onLine: sum = "\(last) - \(stretch.first), back on its earlier count"
        case .setAside: sum = "\(last) after \(first) is more than anyone could walk: set aside"
        case .restart: sum = "\(last), restarted after \(first)"
        case .wrap: sum = "\(last) + 2^32 - \(first), wrapped"
        case .cadence:
            let start = stretch.firstPosition.map { "\($0)" } ?? "the day's start"
            sum =
                "(\(stretch.carried) + \(stretch.cadenceMilliseconds)) / 60000, the sum of "
                + "cadence x \(stretch.stepsPerCadenceCount) x ms from \(start) to "
                + "\(stretch.lastPosition)"
        }
        let totals = stretch.coveringTotals
        let owner =
            totals > 1
            ? "\(totals) totals were ahead by them"
            : totals > 0 ? "a total had them" : "set aside, over midnight"
        let silence = stretch.silenceMilliseconds.map {
            ", after \(TimeText.duration($0)) without a reading, over midnight"
        }
        let covered = stretch.covered > 0 ? " - \(stretch.covered) (\(owner))" : ""
        let readings = counted(stretch.readings, "reading")
        return "\(grouped(stretch.steps)) = \(sum)\(covered)\(silence ?? ""); \(readings) of "
            + stretch.device.description
    }

    private mutating func tellUncounted() {
        let others = explanation.otherPedometers.map {
            "\(counted($0.readings, "reading")) of \($0.device), which was not chosen then"
        }
        let shown = explanation.uncounted.suffix(Self.shownLimit)
        let hidden = explanation.uncountedReadings - UInt64(shown.count)
        var sentences = shown.map { Self.words($0) } + others
        if hidden > 0 { sentences.insert(counted(hidden, "earlier reading"), at: 0) }
        if explanation.unreadableReadings > 0 {
            sentences.append(counted(explanation.unreadableReadings, "undecodable reading"))
        }
        guard !sentences.isEmpty else { return }
        add("Not counted", "since the day began:")
        for sentence in sentences { add(" ", "- " + sentence) }
    }

    private static func words(_ reading: UncountedReading) -> String {
        let reason =
            switch reading.reason {
            case .newDay: "the day began at \(reading.causePosition), between two readings"
            case .newlyChosen: "the pedometer was chosen at \(reading.causePosition)"
            case .coveredByTotal where reading.totals > 1:
                "walked while nobody listened; \(reading.totals) totals already held them, the "
                    + "last at \(reading.causePosition)"
            case .coveredByTotal:
                "walked while nobody listened; the total that won at \(reading.causePosition) "
                    + "already held them"
            }
        return "\(grouped(reading.steps)) at position \(reading.position): \(reason)"
    }

    private mutating func tellSetAside() {
        guard !explanation.setAside.isEmpty else { return }
        add("Set aside", "not surely walked on this day; `pulselog steps take` takes it in:")
        for each in explanation.setAside.suffix(Self.shownLimit) {
            add(
                " ", "- " + each.wordsWithPosition(explanation.state.own.recorder.zoneOffsetMinutes)
            )
        }
    }

    private mutating func tellCorrections() {
        guard !explanation.corrections.isEmpty else { return }
        add(
            "Corrected",
            "\(grouped(explanation.corrected)), a second figure; what is displayed stays:")
        for correction in explanation.corrections.prefix(Self.shownLimit) {
            add(
                " ",
                "\(signed(correction.amount)) at position \(correction.position) by "
                    + "\(quoted(correction.author, limit: 24)): "
                    + quoted(correction.reason, limit: 40))
        }
        let hidden = explanation.corrections.count - Self.shownLimit
        if hidden > 0 { add(" ", "and \(hidden) more (see --json)") }
    }
}
