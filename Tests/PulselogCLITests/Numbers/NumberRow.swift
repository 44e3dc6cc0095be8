import Foundation
import TestSelection
import Testing

/// A number that enters from outside: a row of the table `numbers.txt` of the page `Numbers`.
struct NumberRow: CustomTestStringConvertible, Sendable {
    /// The heading that it stands under.
    let section: String
    /// What is written, with a number between `‹` and `›`; or a name.
    let example: String
    /// The least and the greatest, as they are written; nil where there is no bound.
    let from: String?
    let to: String?
    /// What becomes of what goes beyond.
    private let beyond: String

    var testDescription: String { "\(section): \(example)" }

    /// The number of the example; nil where a name stands for it.
    private var number: Substring? { example.firstMatch(of: #/‹(.*?)›/#)?.1 }

    /// What is written with another number.
    func text(with value: String) -> String { example.replacing(#/‹.*?›/#, with: value) }

    /// The least and the greatest, one beyond each, and what becomes of them.
    var trials: [(value: String, fate: String)] {
        let fates = beyond.replacing(#/ (below|above)/#, with: "").components(separatedBy: ", ")
        let ends = [from, to].compactMap { $0.map { ($0, Fate.taken.rawValue) } }
        return ends
            + [
                from.map { (next(to: $0, up: false), fates[0]) },
                to.map { (next(to: $0, up: true), fates[fates.count - 1]) },
            ].compactMap(\.self)
    }

    /// The number next to another, with as many decimals and leading zeros as the example's.
    private func next(to value: String, up: Bool) -> String {
        if value.contains(#/\d-/#) { return up ? "10000-01-01" : "0000-12-31" }
        let number = number ?? ""
        let decimals = number.split(separator: ".").dropFirst().first?.count ?? 0
        let step = Decimal(sign: .plus, exponent: -decimals, significand: 1)
        let next = (Decimal(string: value) ?? 0) + (up ? step : -step)
        let width = number.first == "0" ? number.count : 0
        return String(repeating: "0", count: max(0, width - "\(next)".count)) + "\(next)"
    }

    // MARK: - The table

    /// The table's sections, each with its lines.
    static let sections: [String: [String]] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Sources/PulselogCLI/Documentation.docc/numbers.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let parts = text.components(separatedBy: "\n## ").map {
            $0.split(separator: "\n").map(String.init)
        }
        return Dictionary(uniqueKeysWithValues: parts.map { ($0[0], Array($0.dropFirst())) })
    }()

    /// The rows under a heading.
    static func rows(of section: String) -> [NumberRow] {
        (sections[section] ?? []).compactMap { NumberRow($0, in: section) }
    }

    /// Every one; in the quick run some options, for which commands run.
    static let tested = sections.keys.sorted().flatMap { section in
        let rows = rows(of: section)
        guard section == "Options", !everythingIsTested else { return rows }
        return stride(from: 0, to: rows.count, by: 9).map { rows[$0] }
    }

    /// Reads a line; nil for the name of something without a number.
    private init?(_ line: String, in section: String) {
        let cells = line.components(separatedBy: "  ")
        guard cells.count == 4 else { return nil }
        (self.section, example, beyond) = (section, cells[0], cells[3])
        from = cells[1] == "—" ? nil : cells[1]
        to = cells[2] == "—" ? nil : cells[2]
    }
}
