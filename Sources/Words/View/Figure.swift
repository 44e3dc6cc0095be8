package import Events
package import JSON
package import Projections
internal import Text

/// A number as people read it, and apart from it what it is of: a page writes that smaller.
package struct Figure: Hashable, Sendable, JSONObject {
    /// The number, or a dash.
    package let value: String
    /// What it is of; may be empty.
    package let unit: String

    /// Takes a text such as `3.16 km` apart.
    ///
    /// - Parameters:
    ///   - text: The number, with its unit after a space; nil where nothing is known.
    ///   - unit: What a dash is of.
    package init(_ text: String?, dash unit: String = "") {
        let parts = (text ?? "– \(unit)").split(separator: " ", maxSplits: 1)
        self.init(
            value: String(parts.first ?? ""), unit: parts.count > 1 ? String(parts[1]) : "")
    }

    init(value: String, unit: String) { (self.value, self.unit) = (value, unit) }

    /// Writes number and unit.
    package func writeFields(to json: inout JSONWriter) {
        json.field("value", value)
        json.field("unit", unit)
    }
}

extension JSONWriter {
    /// Writes a figure under its name, for a list of them.
    ///
    /// - Parameters:
    ///   - key: Which one it is.
    ///   - name: What people call it.
    ///   - figure: The number and its unit.
    ///   - note: What is below it.
    ///   - walk: The position of the walk that it leads to; nil for none.
    ///   - picture: Its icon, and the class of its colour; empty for none.
    package mutating func figure(
        _ key: String, _ name: String, _ figure: Figure, note: String = "", walk: Position? = nil,
        picture: String = ""
    ) {
        object { json in
            json.field("key", key)
            json.field("name", name)
            figure.writeFields(to: &json)
            json.field("note", note)
            if !picture.isEmpty { json.field("picture", picture) }
            if let walk { json.field("walk", walk) }
        }
    }

    /// Writes measures of a walk, for a list of figures.
    package mutating func figures(_ measures: [Measure], of walk: SessionReport, units: Units) {
        for measure in measures {
            let isKnown = measure.number(walk, units) != nil
            figure(
                measure.key, measure.name,
                isKnown ? walk.figure(measure, units) : Figure(value: "", unit: "unknown"),
                note: isKnown ? measure.note(walk, units) : "",
                picture: measure == .mean ? "heart i-fill c-heart" : measure.picture)
        }
    }

    /// Writes a list of objects.
    package mutating func list<Element>(
        _ name: String, _ elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        array(name) { json in
            for element in elements { json.object { write(&$0, element) } }
        }
    }

    /// Writes how much of a long list is shown at first, and what leads to the others.
    mutating func shownFirst(_ first: Int, of count: Int) {
        field("first", first)
        field("more", "Show the other \(grouped(UInt64(max(count - first, 0))))")
    }

    /// Writes an axis from 0 on in four parts, each with its label.
    mutating func axis(to top: UInt64, _ label: (UInt64) -> String) {
        field("top", top)
        ticks((0...4).map { ($0 * (top / 4), label($0 * (top / 4))) })
    }

    /// Writes round limits around some values, and labels between them, four at most.
    ///
    /// - Parameters:
    ///   - values: The least and the most of them.
    ///   - steps: How far apart labels may be; limits are multiples of the first.
    ///   - label: The label of a value.
    /// - Returns: The limits.
    @discardableResult
    mutating func axis(
        around values: ClosedRange<Int64>, steps: [Int64], _ label: (Int64) -> String
    ) -> ClosedRange<Int64> {
        func multiple(_ step: Int64, after value: Int64) -> Int64 {
            value + (step - (value % step + step) % step) % step
        }
        let low = -multiple(steps[0], after: -values.lowerBound)
        let high = max(low + steps[0], multiple(steps[0], after: values.upperBound))
        // Counted before they are made: of the finest steps there may be millions.
        let labels = steps.first { (high - multiple($0, after: low)) / $0 < 4 }.map { step in
            Array(stride(from: multiple(step, after: low), through: high, by: Int(step)))
        }
        field("low", low)
        field("high", high)
        ticks((labels ?? [low, high]).map { ($0, label($0)) })
        return low...high
    }

    /// Writes the labels of an axis of numbers, with their places.
    mutating func ticks(
        _ ticks: [(some JSONWritable, String)], named name: String = "ticks"
    ) {
        pairs(name, ("v", "label"), ticks)
    }

    /// Writes a list of objects with two fields each.
    mutating func pairs(
        _ name: String, _ keys: (String, String), _ pairs: [(some JSONWritable, String)]
    ) {
        list(name, pairs) { json, pair in
            json.field(keys.0, pair.0)
            json.field(keys.1, pair.1)
        }
    }
}

/// A label: the same words with a capital before them.
package func capitalized(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst()
}
