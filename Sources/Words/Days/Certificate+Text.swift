package import Certification
internal import Events
internal import Interchange
public import JSON
internal import Text

/// A certificate for people and for scripts.
extension Certificate: Answer, JSONObject {
    /// A few lines within 80 columns.
    package var text: String {
        var sum = "\(grouped(walked)) steps walked, each counted once"
        if !walkedBy.isEmpty { sum += " (\(counters))" }
        if let leader {
            sum +=
                ", and \(grouped(lead)) by which the total \(grouped(leader.total))"
                + "\(byWhom(leader.reporter)) at position \(leader.position) was ahead"
        }
        if let late = lateTotal {
            sum =
                "a late total\(byWhom(late.reporter)) at position \(late.position), more than "
                + sum
        }
        if let setAsideWords { sum += "; " + setAsideWords }
        let sentence =
            "\(grouped(displayed)) steps: \(sum). It never fell, from position "
            + "\(positions.lowerBound) to \(positions.upperBound)."
        return "\(date)  certified\n" + labelled(indent: 4, sentence)
    }

    /// Which pedometers counted; how much each, if there are several.
    var counters: String {
        guard walkedBy.count > 1 else {
            return "by " + walkedBy.map(\.device.description).joined()
        }
        return walkedBy.map { "\(grouped($0.steps)) by \($0.device)" }.joined(separator: ", ")
    }

    /// What is in no number; nil if nothing is left out.
    var setAsideWords: String? {
        guard setAside > 0 else { return nil }
        let (what, verb) =
            setAside == 1 ? ("reading or total", "was") : ("readings or totals", "were")
        return "\(grouped(setAside)) \(what) \(verb) set aside, not surely walked on this day"
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to line: inout JSONWriter) {
        line.field("date", date.description)
        line.field("certified", true)
        line.field("displayed", displayed)
        line.field("walked", walked)
        line.field("walkedBy", walkedBy)
        line.field("leaderReportedBy", leader?.reporter)
        line.field("lateTotalReportedBy", lateTotal?.reporter)
        line.field("lead", lead)
        line.field("leaderTotal", leader?.total)
        line.field("leaderPosition", leader?.position)
        line.field("lateTotal", lateTotal?.total)
        line.field("lateTotalPosition", lateTotal?.position)
        line.field("setAside", setAside)
        line.field("lastSetAside", lastSetAside)
        line.field("firstPosition", positions.lowerBound)
        line.field("lastPosition", positions.upperBound)
    }
}

extension JSONWriter {
    /// Writes how much each pedometer counted.
    mutating func field(_ name: String, _ walked: [Certificate.Counted]) {
        object(name) { line in
            for each in walked { line.field("\(each.device)", each.steps) }
        }
    }
}

/// A counter-example for people and for scripts.
extension CounterExample: Answer, JSONObject {
    /// What is displayed, and what would be right.
    package var sentence: String {
        "After position \(position) it displays \(grouped(displayed)), "
            + "before that \(grouped(before)); the events add up to "
            + "\(grouped(expected)). See `pulselog audit explain --day \(date) "
            + "--at \(position)`."
    }

    /// A few lines within 80 columns.
    package var text: String {
        let fault =
            switch fault {
            case .fell: "the count fell"
            case .tooMany: "steps count twice, or were never walked"
            case .tooFew: "steps are lost"
            }
        return "\(date)  not certified: \(fault)\n" + labelled(indent: 4, sentence)
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to line: inout JSONWriter) {
        line.field("date", date.description)
        line.field("certified", false)
        line.field("fault", fault.rawValue)
        line.field("position", position)
        line.field("before", before)
        line.field("displayed", displayed)
        line.field("expected", expected)
    }
}
