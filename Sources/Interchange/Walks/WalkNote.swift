internal import Events
internal import Projections
internal import Text
internal import XML

/// What GPX and TCX cannot say of a walk, in elements of this program within them: its sport, when
/// it began and ended to the millisecond, its pauses and its laps.
struct WalkNote {
    /// What was done; nil if the file does not say.
    var sport: Sport?
    /// When it began and ended, in UTC milliseconds; nil if no element of ours says.
    private(set) var span: ClosedRange<Int64>?
    /// When it was paused.
    private(set) var pauses: [ClosedRange<Int64>] = []
    /// When laps ended, but for the last, and why.
    private(set) var laps: [WalkDraft.LapEnd] = []

    /// Takes an element; of others than ours nothing.
    mutating func take(_ element: borrowing XMLElement) {
        if element.isNamed("pulselog:walk") {
            span = Self.span(element)
            let name = element.attribute("sport")
            sport = Sport.allCases.first { $0.name == name } ?? sport
        } else if element.isNamed("pulselog:pause"), let pause = Self.span(element),
            pauses.count < WalkDraft.lapLimit
        {
            pauses.append(pause)
        } else if element.isNamed("pulselog:lap"), laps.count < WalkDraft.lapLimit,
            let at = element.attribute("end").flatMap({ InstantText($0) })
        {
            let name = element.attribute("cause")
            let cause = LapCause.allCases.first { $0.name == name } ?? .unnamed
            laps.append((at.milliseconds, cause))
        }
    }

    private static func span(_ element: borrowing XMLElement) -> ClosedRange<Int64>? {
        guard let start = element.attribute("start").flatMap({ InstantText($0) }),
            let end = element.attribute("end").flatMap({ InstantText($0) }),
            start.milliseconds <= end.milliseconds
        else { return nil }
        return start.milliseconds...end.milliseconds
    }
}

extension WalkFile {
    /// Adds what the format itself cannot say, within the element that it has for extensions.
    func addNote(within name: String, to text: inout WalkText) {
        text.open(name)
        text.open(
            "pulselog:walk",
            [
                "xmlns:pulselog": "urn:pulselog:walk", "sport": sport.name, "start": instant(0),
                "end": instant(report.elapsedMilliseconds),
            ])
        for pause in series.intervals where pause.kind == .paused {
            let (start, end) = (pause.startMilliseconds, pause.endMilliseconds)
            text.open("pulselog:pause", ["start": instant(start), "end": instant(end)])
            text.close("pulselog:pause")
        }
        for lap in series.lapEnds {
            let end = instant(lap.elapsedMilliseconds)
            text.open("pulselog:lap", ["end": end, "cause": lap.cause.name])
            text.close("pulselog:lap")
        }
        text.close("pulselog:walk", name)
    }
}
