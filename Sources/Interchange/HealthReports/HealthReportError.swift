internal import JSON
internal import Projections

/// A message about health totals that cannot be used.
package struct HealthReportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the message.
    package enum Code: String, Sendable {
        /// It is no JSON.
        case malformed
        /// It is JSON, but in none of the known forms.
        case unrecognized
        /// A value is missing, of another type or out of range.
        case invalidValue
        /// There is more of it than is taken.
        case tooMany
    }

    /// What is wrong.
    package let code: Code
    /// What is wrong and what to do; holds no byte of the message.
    package let description: String
    /// Where in the message, in bytes, if it is no JSON.
    package private(set) var offset: Int?
    /// Why a record is left out that has this fault.
    private(set) var recordReason = IgnoredSamples.Reason.invalid

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }

    /// A message in another form.
    static let unrecognized = Self(
        .unrecognized,
        "This is not a known form, such as {\"date\":\"2026-03-01\",\"steps\":8123}.")

    init(_ error: JSONError) {
        self.init(.malformed, error.description)
        offset = error.offset
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
}
