public import Certification
internal import Events
internal import Interchange
public import JSON
internal import Text

/// A certificate for people and for scripts.
public struct CertificateText: Answer, JSONObject {
    private let certificate: Certificate

    /// Tells a certificate.
    public init(_ certificate: Certificate) {
        self.certificate = certificate
    }

    /// A few lines within 80 columns.
    public var text: String {
        let day = certificate
        var sum = "\(grouped(day.walked)) steps walked, each counted once"
        if !day.walkedBy.isEmpty { sum += " (\(Self.counters(day.walkedBy)))" }
        if let leader = day.leader {
            sum +=
                ", and \(grouped(day.lead)) by which the total \(grouped(leader.total))"
                + "\(byWhom(leader.reporter)) at position \(leader.position) was ahead"
        }
        if let late = day.lateTotal {
            sum =
                "a late total\(byWhom(late.reporter)) at position \(late.position), more than "
                + sum
        }
        if let setAside = Self.setAside(day) { sum += "; " + setAside }
        let sentence =
            "\(grouped(day.displayed)) steps: \(sum). It never fell, from position "
            + "\(day.positions.lowerBound) to \(day.positions.upperBound)."
        return "\(day.date)  certified\n" + labelled(indent: 4, sentence)
    }

    /// Which pedometers counted; how much each, if there are several.
    static func counters(_ walked: [Certificate.Counted]) -> String {
        guard walked.count > 1 else { return "by " + walked.map(\.device.description).joined() }
        return walked.map { "\(grouped($0.steps)) by \($0.device)" }.joined(separator: ", ")
    }

    /// What is in no number; nil if nothing is left out.
    static func setAside(_ day: Certificate) -> String? {
        guard day.setAside > 0 else { return nil }
        let (what, verb) =
            day.setAside == 1 ? ("reading or total", "was") : ("readings or totals", "were")
        return "\(grouped(day.setAside)) \(what) that nobody could have walked \(verb) set aside"
    }

    /// Writes the fields into an object that is open.
    public func writeFields(to line: inout JSONWriter) {
        line.field("date", certificate.date.description)
        line.field("certified", true)
        line.field("displayed", certificate.displayed)
        line.field("walked", certificate.walked)
        line.field("walkedBy", certificate.walkedBy)
        line.field("leaderReportedBy", certificate.leader?.reporter)
        line.field("lateTotalReportedBy", certificate.lateTotal?.reporter)
        line.field("lead", certificate.lead)
        line.field("leaderTotal", certificate.leader?.total)
        line.field("leaderPosition", certificate.leader?.position)
        line.field("lateTotal", certificate.lateTotal?.total)
        line.field("lateTotalPosition", certificate.lateTotal?.position)
        line.field("setAside", certificate.setAside)
        line.field("lastSetAside", certificate.lastSetAside)
        line.field("firstPosition", certificate.positions.lowerBound)
        line.field("lastPosition", certificate.positions.upperBound)
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
public struct CounterExampleText: Answer, JSONObject {
    private let example: CounterExample

    /// Tells a counter-example.
    public init(_ example: CounterExample) {
        self.example = example
    }

    /// What is displayed, and what would be right.
    public var sentence: String {
        "After position \(example.position) it displays \(grouped(example.displayed)), "
            + "before that \(grouped(example.before)); the events add up to "
            + "\(grouped(example.expected)). See `pulselog audit explain --day \(example.date) "
            + "--at \(example.position)`."
    }

    /// A few lines within 80 columns.
    public var text: String {
        let fault =
            switch example.fault {
            case .fell: "the count fell"
            case .tooMany: "steps count twice, or were never walked"
            case .tooFew: "steps are lost"
            }
        return "\(example.date)  not certified: \(fault)\n" + labelled(indent: 4, sentence)
    }

    /// Writes the fields into an object that is open.
    public func writeFields(to line: inout JSONWriter) {
        line.field("date", example.date.description)
        line.field("certified", false)
        line.field("fault", example.fault.rawValue)
        line.field("position", example.position)
        line.field("before", example.before)
        line.field("displayed", example.displayed)
        line.field("expected", example.expected)
    }
}
