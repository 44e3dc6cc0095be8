import Events

/// Notes the numbers of a payload with their ranges, and how the payload's line reads.
struct FieldNotes: FieldCoder {
    /// A number among the fields.
    struct Noted: Sendable {
        var from: String
        var to: String
        /// The line of an event that has it, with `§` in its place.
        var line = ""
    }

    /// Which name of each closed set is taken: some bring fields of their own.
    private let choice: Int
    private var noted: [String: Noted] = [:]
    private var fields: [(name: String, text: String)] = []

    private init(choice: Int) {
        self.choice = choice
    }

    /// The numbers of all kinds, by kind and field.
    static let all: [String: Noted] = {
        var all: [String: Noted] = [:]
        for kind in EventKind.known {
            for choice in 0..<8 {
                var notes = FieldNotes(choice: choice)
                do throws(FieldError) {
                    guard try Event(kind: kind, fields: &notes) != nil else { continue }
                } catch {
                    continue  // What is missing then fails the test of the page.
                }
                for name in notes.noted.keys {
                    all["\(kind.name ?? "").\(name)"] = notes.noted[name].map {
                        Noted(from: $0.from, to: $0.to, line: notes.line(of: kind, with: name))
                    }
                }
            }
        }
        return all
    }()

    private func line(of kind: EventKind, with number: String) -> String {
        // Bounds of zones rise.
        let others =
            switch number {
            case "moderateFrom": ["vigorousFrom": "65534", "maximumFrom": "65535"]
            case "vigorousFrom": ["moderateFrom": "0", "maximumFrom": "65535"]
            default: ["moderateFrom": "0", "vigorousFrom": "1"]
            }
        let members = fields.map { name, text in
            let isQuoted = text.hasPrefix("\"")
            let value = name == number ? isQuoted ? "\"§\"" : "§" : others[name] ?? text
            return "\"\(name)\":\(value)"
        }
        return Self.envelope + "\"kind\":\"\(kind.name ?? "")\",\"version\":1"
            + members.map { "," + $0 }.joined() + "}"
    }

    private static let envelope =
        #"{"position":0,"source":0,"bootMilliseconds":0,"wallMilliseconds":0,"bootNumber":0,"#
        + #""flags":0,"#

    private mutating func note(
        _ name: StaticString, _ value: some CustomStringConvertible, _ from: String, _ to: String
    ) {
        noted["\(name)"] = Noted(from: from, to: to)
        fields.append(("\(name)", value.description))
    }

    private mutating func add(_ name: StaticString, _ text: String) {
        fields.append(("\(name)", "\"\(text)\""))
    }
}

extension FieldNotes {
    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        // Bounds of zones rise, as they are read.
        value = ["vigorousFrom": 1, "maximumFrom": 2]["\(name)"] ?? max(value, range.lowerBound)
        note(name, value, "\(range.lowerBound)", "\(range.upperBound)")
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        note(name, value, "\(range.lowerBound)", "\(range.upperBound)")
    }

    mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) {
        note(name, value, "\(range.lowerBound)", "\(range.upperBound)")
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        note(name, "\"\(value)\"", "0001-01-01", "9999-12-31")
    }

    mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        add(name, "")
    }

    mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        add(name, String(repeating: "00", count: count))
    }

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        add(name, "")
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        fields.append(("\(name)", "false"))
    }

    mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) {
        let all = Array(Code.allCases)
        value = all[choice % all.count]
        add(name, value.name)
    }

    mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError) {
        let all = Array(Code.allCases)
        value = OpenCode(all[choice % all.count])
        add(name, all[choice % all.count].name)
    }

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        add(name, value.description)
    }

    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError) {
        isPresent = true
    }
}
