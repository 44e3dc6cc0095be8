import Events
import Foundation
import Interchange
import TestSupport

/// The numbers that events can have, each with a line of an event that has it.
enum EventFields {
    /// The lines by kind and field, with `§` in the number's place.
    static let lines: [String: String] = {
        var lines: [String: String] = [:]
        // What a later version may name stands as a number until then.
        var words: Set<String> = []
        for kind in EventKind.known {
            // Enough for each field that is not in every event of its kind.
            for seed in 0..<64 as Range<UInt64> {
                var fields = RandomFields(seed: seed)
                let line = line(of: fields.event(kind))
                // What stands before the version is of the line; what is quoted is a date.
                let payload = line.range(of: "\"version\":1").map { line[$0.upperBound...] } ?? ""
                for (_, name) in payload.matches(of: #/"(\w+)":"[a-z]\w*"/#).map(\.output) {
                    words.insert("\(kind.name ?? "").\(name)")
                }
                let numbers = payload.matches(
                    of: #/"(\w+)":(?:(-?\d+)|"(\d{4}-\d\d-\d\d)")(?=[,}])/#)
                for (_, name, number, date) in numbers.map(\.output) {
                    guard let place = number ?? date else { continue }
                    lines["\(kind.name ?? "").\(name)"] = template(line, String(name), place)
                }
            }
        }
        return lines.filter { !words.contains($0.key) }
    }()

    private static func line(of event: Event) -> String {
        let header = EventHeader(
            event.kind, Stamp(boot: 0, wall: 0),
            version: event.version)
        return String(decoding: RecordedEvent(header: header, event: event).jsonLine, as: UTF8.self)
    }

    private static func template(_ line: String, _ name: String, _ place: Substring) -> String {
        var template = line
        template.replaceSubrange(place.startIndex..<place.endIndex, with: "§")
        // Bounds of zones rise: the others leave as much as they can.
        let others =
            switch name {
            case "moderateFrom": ["vigorousFrom": 65_534, "maximumFrom": 65_535]
            case "vigorousFrom": ["moderateFrom": 0, "maximumFrom": 65_535]
            default: ["moderateFrom": 0, "vigorousFrom": 1]
            }
        for (name, bound) in others {
            let old = template.range(of: "\"\(name)\":\\d+", options: .regularExpression)
            if let old { template.replaceSubrange(old, with: "\"\(name)\":\(bound)") }
        }
        return template
    }
}
