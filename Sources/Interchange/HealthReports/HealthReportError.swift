package import JSON
internal import Projections

/// A message about health totals that cannot be used.
package struct HealthReportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the message.
    package enum Code: Hashable, Sendable {
        /// It is no JSON.
        case malformed(JSONError)
        /// It is JSON, but in none of the known forms.
        case unrecognized
        /// A value is missing, of another type or out of range.
        case invalidValue
        /// There is more of it than is taken.
        case tooMany

        /// The name that programs match.
        package var name: String {
            switch self {
            case .malformed: "malformed"
            case .unrecognized: "unrecognized"
            case .invalidValue: "invalidValue"
            case .tooMany: "tooMany"
            }
        }
    }

    /// What is wrong.
    package let code: Code
    private let reason: String
    /// Why a record is left out that has this fault.
    private(set) var recordReason = IgnoredSamples.Reason.invalid

    init(_ code: Code, _ reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// A member whose value is not of the form that it must have.
    static func invalid(_ name: String, of place: String, _ form: String) -> Self {
        Self(.invalidValue, "`\(name)` of \(place) must be \(form).")
    }

    /// A record that cannot be one.
    init(
        _ refusal: StepRecords.Refusal, _ record: String, steps: Int64, milliseconds: Int64
    ) {
        let what =
            switch refusal {
            case .dateOutOfRange: "is not of a year from 2000 to 2099"
            case .reversed: "ends before it begins"
            case .tooLong: "is longer than 25 hours"
            case .countOutOfRange: "has a count that is not from 0 to \(StepRecords.greatestCount)"
            case .tooFast: StepRecords.tooFastWords(steps: steps, milliseconds: milliseconds)
            case .sourceNameTooLong: "has a name that is too long"
            }
        self.init(.invalidValue, record.prefix(1).uppercased() + "\(record.dropFirst()) \(what).")
        recordReason = IgnoredSamples.Reason(rawValue: refusal.rawValue) ?? .invalid
    }

    /// What is wrong and what to do; holds no byte of the message.
    package var description: String {
        switch code {
        case .malformed(let error): error.description
        case .unrecognized:
            "This is not a known form, such as {\"date\":\"2026-03-01\",\"steps\":8123}."
        case .invalidValue, .tooMany: reason
        }
    }
}
