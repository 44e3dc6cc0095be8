/// The results, as a table of 80 columns or as JSON.
struct Report {
    let options: Options
    let measures: [Measure]

    /// Whether everything holds that must.
    var holds: Bool { measures.allSatisfy(\.holds) }

    // MARK: - Table

    /// The table, and each promise in words.
    var table: String {
        var lines: [String] = []
        var rival = ""
        for measure in byRival {
            if measure.rival != rival {
                rival = measure.rival
                lines += [
                    row("", "Swift", rival, "ratio", "must", "goal", ""),
                    String(repeating: "-", count: 80),
                ]
            }
            lines.append(
                row(
                    measure.title, measure.unit.text(measure.swift),
                    measure.reference.map(measure.unit.text) ?? "",
                    measure.ratio.map { $0.fixed(2) } ?? "", measure.must.map(measure.text) ?? "",
                    measure.goal.map(measure.text) ?? "", verdict(measure)))
        }
        lines.append("")
        lines += [
            "us: microseconds; M/s: million events a second; ratios: medians of pairs taken side",
            "by side. Folds and verifications are timed by the processor's clock, so that other",
            "work on the machine counts less. A full fold is of all projections in Swift, and of",
            "the core totals alone in C. Both logs are equal block for block, and the core totals",
            "agree on all sides; records: liblmdb with one for each event.",
            "",
        ]
        lines += measures.filter { $0.must != nil }.map(promise)
        return lines.joined(separator: "\n")
    }

    /// The measures, those against C first.
    private var byRival: [Measure] {
        var rivals: [String] = []
        for measure in measures where !rivals.contains(measure.rival) {
            rivals.append(measure.rival)
        }
        return rivals.flatMap { rival in measures.filter { $0.rival == rival } }
    }

    private func row(_ cells: String...) -> String {
        let widths = [-29, 10, 10, 7, 8, 8, 8]
        return zip(cells, widths).map { $0.padded($1) }.joined()
    }

    private func verdict(_ measure: Measure) -> String {
        guard measure.must != nil else { return "" }
        guard measure.holds else { return "MISSED" }
        return measure.goal.map(measure.meets) ?? false ? "goal" : "ok"
    }

    private func promise(_ measure: Measure) -> String {
        let figure: String
        let bound: String
        switch measure.must {
        case .atMost(let limit):
            figure = "\((measure.ratio ?? 0).fixed(2)) x of \(measure.rival)"
            bound = "at most \(limit.fixed(2)) x"
        case .atLeast(let limit):
            figure = "\((measure.ratio ?? 0).fixed(2)) x of \(measure.rival)"
            bound = "at least \(limit.fixed(2)) x"
        case .valueAtMost(let limit):
            figure = measure.unit.text(measure.swift)
            bound = "at most \(measure.unit.text(limit))"
        case .valueAtLeast(let limit):
            figure = measure.unit.text(measure.swift)
            bound = "at least \(measure.unit.text(limit))"
        case nil: return ""
        }
        return "\(measure.holds ? "holds: " : "MISSED:") \(measure.title): \(figure) (\(bound))"
    }

    // MARK: - JSON

    /// The same, for programs; times in microseconds.
    var json: String {
        let lines = measures.map { measure in
            var fields = [
                "\"name\":\"\(measure.name)\"", "\"unit\":\"\(measure.unit.rawValue)\"",
                "\"swift\":\(measure.unit.value(measure.swift).fixed(3))",
            ]
            if let reference = measure.reference {
                fields.append(
                    "\"rival\":\"\(measure.rival)\",\"c\":\(measure.unit.value(reference).fixed(3))"
                )
            }
            if let ratio = measure.ratio { fields.append("\"ratio\":\(ratio.fixed(4))") }
            if let must = measure.must { fields.append("\"must\":\"\(measure.text(must))\"") }
            if let goal = measure.goal { fields.append("\"goal\":\"\(measure.text(goal))\"") }
            if measure.must != nil { fields.append("\"holds\":\(measure.holds)") }
            return "    {" + fields.joined(separator: ",") + "}"
        }
        return """
            {
              "events":\(options.events),"commitEvents":\(options.commitEvents),\
            "durableEvents":\(options.durableEvents),"rounds":\(options.rounds),\
            "seed":\(options.seed),"holds":\(holds),
              "measures":[
            \(lines.joined(separator: ",\n"))
              ]
            }
            """
    }
}

extension Measure.Unit {
    /// A figure in the unit's own scale.
    func value(_ figure: Double) -> Double {
        switch self {
        case .microseconds: figure * 1e6
        case .mebibytes: figure / 1_048_576
        case .eventsPerSecond, .bytes: figure
        }
    }

    /// A figure as it stands in the table.
    func text(_ figure: Double) -> String {
        switch self {
        case .microseconds where figure >= 0.01: (figure * 1e3).fixed(1) + " ms"
        case .microseconds: (figure * 1e6).fixed(1) + " us"
        case .eventsPerSecond: (figure / 1e6).fixed(1) + " M/s"
        case .bytes: figure.fixed(2)
        case .mebibytes: value(figure).fixed(1) + " MiB"
        }
    }
}

extension Double {
    /// The number with a fixed count of decimals, rounded half away from zero.
    func fixed(_ decimals: Int) -> String {
        guard isFinite, magnitude < 1e15 else { return "0" }
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((self * Double(scale)).rounded())
        let digits = String(scaled.magnitude % UInt(scale))
        let sign = scaled < 0 ? "-" : ""
        let fraction =
            String(repeating: "0", count: decimals - min(digits.count, decimals)) + digits
        return sign + String(scaled.magnitude / UInt(scale)) + (decimals > 0 ? "." + fraction : "")
    }
}

extension String {
    /// The text with spaces up to a width: after it for a negative width, else before it.
    fileprivate func padded(_ width: Int) -> String {
        let spaces = String(repeating: " ", count: max(0, abs(width) - count))
        return width < 0 ? self + spaces : spaces + self
    }
}
