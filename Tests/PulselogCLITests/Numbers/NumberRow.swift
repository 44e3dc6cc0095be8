import Foundation
import Testing

/// A number that enters from outside, as the page of numbers has it.
struct NumberRow: CustomTestStringConvertible, Sendable {
    /// The heading that it stands under.
    let section: String
    /// What is written, with `N` in place of the number; or a name.
    let number: String
    /// The least and the greatest, as they are written; nil where there is no bound.
    let from: String?
    let to: String?
    /// By how much one beyond is beyond; nil where nothing can be.
    private let grain: String
    /// What becomes of what goes beyond.
    let beyond: String

    var testDescription: String { "\(section): \(number)" }

    /// One below the least, and what becomes of it.
    var below: (value: String, fate: String)? {
        guard let from, grain != "—" else { return nil }
        return (Self.next(to: from, by: grain, up: false), fates[0])
    }

    /// One above the greatest, and what becomes of it.
    var above: (value: String, fate: String)? {
        guard let to, grain != "—" else { return nil }
        return (Self.next(to: to, by: grain, up: true), fates[fates.count - 1])
    }

    /// Of what goes below and above, or of both.
    private var fates: [String] {
        beyond.replacing(" below", with: "").replacing(" above", with: "").components(
            separatedBy: ", ")
    }

    private static func next(to value: String, by grain: String, up: Bool) -> String {
        if grain == "day" { return up ? "10000-01-01" : "0000-12-31" }
        guard let number = Decimal(string: value), let step = Decimal(string: grain) else {
            return "no number"
        }
        return "\(up ? number + step : number - step)"
    }

    /// Reads a line of a table; nil for any other line.
    private init?(_ line: Substring, in section: String) {
        let cells = line.split(separator: " | ").map(String.init)
        guard line.hasPrefix("| `"), cells.count == 6 else { return nil }
        self.section = section
        number = cells[0].dropFirst(2).trimmingCharacters(in: ["`"])
        from = Self.plain(cells[1])
        to = Self.plain(cells[2])
        grain = cells[3]
        beyond = cells[5].replacing(" |", with: "")
    }

    /// A number without commas and powers.
    private static func plain(_ cell: String) -> String? {
        guard cell != "—" else { return nil }
        guard let power = cell.firstMatch(of: /^(-?)\(?2\^([0-9]+) - 1\)?$/) else {
            return cell.replacing(",", with: "")
        }
        return "\(power.1)\((Int64(1) << (Int64(power.2) ?? 0)) - 1)"
    }

    static let page: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "Sources/PulselogCLI/Documentation.docc/Numbers.md")
        return (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    }()

    /// All rows of the page.
    static let all: [NumberRow] = {
        var section = ""
        return page.split(separator: "\n").compactMap { line in
            if line.hasPrefix("### ") { section = String(line.dropFirst(4)) }
            return NumberRow(line, in: section)
        }
    }()

    /// The rows under a heading.
    static func rows(of section: String) -> [NumberRow] { all.filter { $0.section == section } }

    static let ofSensors = rows(of: "Values of sensors")
    static let ofBodies = rows(of: "What legs, hearts and hills can do")
    /// The rows whose numbers are written.
    static let walked = all.filter { row in
        !(ofSensors + ofBodies).contains { $0.section == row.section }
    }

    /// What the page names after some words, up to the next blank line.
    static func names(after words: String) -> [String] {
        guard let start = page.range(of: words) else { return [] }
        let rest = page[start.upperBound...]
        let text = rest[..<(rest.range(of: "\n\n")?.lowerBound ?? rest.endIndex)]
        return text.matches(of: /`([^`]+)`/).map { String($0.1) }
    }
}
