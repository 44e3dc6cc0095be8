internal import Events
public import Projections

extension HealthReport {
    /// The most bytes of a message.
    public static let limitBytes = 1 << 20
    /// The most totals of a message: two years of days.
    public static let totalLimit = 750

    /// Reads what a program sent, in one of the forms of <doc:HealthReports>; its content tells
    /// which.
    ///
    /// - Parameter text: JSON, at most ``limitBytes``.
    /// - Throws: ``HealthReportError``; then nothing of the message is to be used.
    public init(decodingJSON text: [UInt8]) throws(HealthReportError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(
                text, limits: JSONParser.Limits(bytes: Self.limitBytes, depth: 16))
        } catch {
            throw HealthReportError(.malformed(error))
        }
        switch value {
        case .array(let elements): self = try Self.plain(elements)
        case .object where value["date"] != nil: self = try Self.plain([value])
        default: throw HealthReportError(.unrecognized)
        }
    }

    /// `{"date":"2026-03-01","steps":8123}`, or a list of them.
    private static func plain(_ elements: [JSONValue]) throws(HealthReportError) -> HealthReport {
        guard elements.count <= totalLimit else {
            throw HealthReportError(.tooMany, "There are more than \(totalLimit) totals.")
        }
        var report = HealthReport(origin: "push")
        for (index, element) in elements.enumerated() {
            report.totals.append(try HealthTotal(element, index))
        }
        return report
    }
}

extension HealthTotal {
    /// Reads a total of the plain form.
    fileprivate init(_ value: JSONValue, _ index: Int) throws(HealthReportError) {
        func invalid(_ name: String, _ form: String) -> HealthReportError {
            HealthReportError(.invalidValue, "`\(name)` of total \(index + 1) must be \(form).")
        }
        guard case .string(let day)? = value["date"], let date = CivilDate(day) else {
            throw invalid("date", "a date such as 2026-03-01")
        }
        guard case .number(let number)? = value["steps"],
            let steps = number.integer(as: UInt64.self), FieldRange.stepsTotal.contains(steps)
        else {
            throw invalid("steps", "a whole number from 0 to \(FieldRange.stepsTotal.upperBound)")
        }
        self.init(date: date, steps: steps)
        let form = "milliseconds of UTC since 1970"
        switch value["until"] {
        case nil, .null?: break
        case .number(let number)?:
            guard let time = number.integer(as: Int64.self), FieldRange.signed.contains(time) else {
                throw invalid("until", form)
            }
            validUntilMilliseconds = time
        default: throw invalid("until", form)
        }
    }
}

/// A message about health totals that cannot be used.
public struct HealthReportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the message.
    public enum Code: Hashable, Sendable {
        /// It is no JSON.
        case malformed(JSONError)
        /// It is JSON, but in none of the known forms.
        case unrecognized
        /// A value is missing, of another type or out of range.
        case invalidValue
        /// There is more of it than is taken.
        case tooMany

        /// The name that programs match.
        public var name: String {
            switch self {
            case .malformed: "malformed"
            case .unrecognized: "unrecognized"
            case .invalidValue: "invalidValue"
            case .tooMany: "tooMany"
            }
        }
    }

    /// What is wrong.
    public let code: Code
    private let reason: String

    init(_ code: Code, _ reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// What is wrong and what to do; holds no byte of the message.
    public var description: String {
        switch code {
        case .malformed(let error): error.description
        case .unrecognized:
            "This is none of the known forms; send {\"date\":\"2026-03-01\",\"steps\":8123}."
        case .invalidValue, .tooMany: reason
        }
    }
}

extension HealthReceipt: JSONWritable {
    /// Writes what became of a total.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("date", total.date.description)
            json.field("steps", total.steps)
            switch outcome {
            case .taken: json.field("outcome", "taken")
            case .known: json.field("outcome", "known")
            case .refused(let refusal):
                json.field("outcome", "refused")
                json.field("message", refusal.description)
            }
            json.field("displayed", displayed)
        }
    }
}
