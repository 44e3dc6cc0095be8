internal import Events
internal import JSON
package import Projections

extension HealthReport {
    /// The most bytes of a message.
    package static let limitBytes = 1 << 20
    /// The most totals of a message: two years of days.
    package static let totalLimit = 750
    /// The most samples of a message.
    package static let sampleLimit = 10_000

    /// Reads what a program sent, in one of the forms of <doc:HealthReports>; its content shows
    /// which.
    ///
    /// - Parameters:
    ///   - text: JSON, at most ``limitBytes``.
    ///   - interval: What Health Auto Export summarizes by, as its request's header field
    ///     `automation-aggregation` says; nil if there is none.
    ///   - offsetMinutes: Minutes east of UTC at a UTC time in milliseconds: which date an instant
    ///     belongs to, where the message does not say.
    /// - Throws: ``HealthReportError`` if the message is none of these, or holds too much.
    package init(
        decodingJSON text: [UInt8], interval: String? = nil,
        offsetMinutes: (_ wallMilliseconds: Int64) -> Int64
    ) throws(HealthReportError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(
                text, limits: JSONParser.Limits(bytes: Self.limitBytes, depth: 16))
        } catch {
            throw HealthReportError(error)
        }
        switch value {
        case .array(let elements): self = try Self.plain(elements)
        case .object where value["date"] != nil: self = try Self.plain([value])
        case .object where value["data"] != nil:
            self = try Self(healthAutoExport: value, interval: interval.map(ExportInterval.init))
        case .object where value["app_version"] != nil:
            self = try Self(hcWebhook: value, offsetMinutes: offsetMinutes)
        default: throw HealthReportError.unrecognized
        }
    }

    /// `{"date":"2026-03-01","steps":8123}`, or a list of them.
    private static func plain(_ elements: [JSONValue]) throws(HealthReportError) -> HealthReport {
        guard elements.count <= totalLimit else {
            throw HealthReportError(.tooMany, "There are more than \(totalLimit) totals.")
        }
        var report = HealthReport(origin: .push)
        for (index, element) in elements.enumerated() {
            let total = report.usable { () throws(HealthReportError) in
                try HealthTotal(element, index)
            }
            if let total { report.totals.append(total) }
        }
        return report
    }

    /// Reads a record; one that cannot be used is noted, and the others are none the worse.
    mutating func usable<Record>(
        _ read: () throws(HealthReportError) -> Record
    ) -> Record? {
        do throws(HealthReportError) {
            return try read()
        } catch {
            ignored.append(
                IgnoredSamples(
                    date: nil, count: 1, reason: error.recordReason, message: error.description))
            return nil
        }
    }
}

extension HealthTotal {
    /// Reads a total of the plain form.
    fileprivate init(_ value: JSONValue, _ index: Int) throws(HealthReportError) {
        let place = "total \(index + 1)"
        guard let date = value["date"]?.text.flatMap(CivilDate.init) else {
            throw .invalid("date", of: place, "a date such as 2026-03-01")
        }
        guard let steps = value["steps"]?.integer(as: UInt64.self),
            FieldRange.stepsTotal.contains(steps)
        else {
            throw .invalid(
                "steps", of: place, "a whole number from 0 to \(FieldRange.stepsTotal.upperBound)")
        }
        self.init(date: date, steps: steps)
        let wrong = HealthReportError.invalid(
            "until", of: place, "milliseconds of UTC since 1970")
        validUntilMilliseconds = try value.optional("until", else: wrong) {
            $0.integer(as: Int64.self).flatMap { FieldRange.signed.contains($0) ? $0 : nil }
        }
    }
}
