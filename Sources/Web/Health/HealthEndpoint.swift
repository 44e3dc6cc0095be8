internal import Events
internal import Interchange
internal import JSON
internal import NIOHTTP1
internal import Projections
internal import WalkService

/// Where health totals are posted: a body with them, and an answer that says of each date
/// what became of it.
struct HealthEndpoint: Sendable {
    /// Records reports.
    let service: WalkService
    /// How long a report may take to be recorded.
    let limit: Duration
    /// The minutes east of UTC at an instant in UTC milliseconds.
    let offsetMinutes: @Sendable (Int64) -> Int64

    /// Reads a body, records it and answers.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer.
    /// - Throws: ``HTTPRefusal`` if it is of no known form, or cannot be recorded now.
    func response(to request: HTTPRequest) async throws(HTTPRefusal) -> Response {
        // What its sender summarizes by.
        let interval = try request.head.value("automation-aggregation")
        let report = try report(in: request.bytes, interval: interval)
        let outcome = try await record(report)
        return .json { json in
            json.field("origin", report.origin.rawValue)
            json.field("days", outcome.days)
            json.field("samples", report.samples.count)
            json.field("newSamples", outcome.newSamples)
            json.field("ignored", outcome.ignored)
        }
    }

    /// Records a report.
    ///
    /// - Parameter report: The report.
    /// - Returns: What became of it.
    /// - Throws: ``HTTPRefusal`` with the status 503 if it cannot be recorded now.
    func record(_ report: HealthReport) async throws(HTTPRefusal) -> HealthOutcome {
        do throws(WalkRefusal) {
            let command = WalkCommand.report(report) {
                HealthTotal.totals(of: $0, offsetMinutes: $1)
            }
            return try await service.perform(command, within: limit).health
                ?? HealthOutcome(days: [])
        } catch {
            let again =
                error.kind == .late
                ? " Send the totals again: what is known is not counted twice." : ""
            throw HTTPRefusal(.serviceUnavailable, error.code, error.message + again)
        }
    }

    private func report(
        in body: [UInt8], interval: String?
    ) throws(HTTPRefusal) -> HealthReport {
        do throws(HealthReportError) {
            return try HealthReport(
                decodingJSON: body, interval: interval, offsetMinutes: offsetMinutes)
        } catch {
            guard error.code == .malformed else {
                throw HTTPRefusal(.unprocessableEntity, error.code.rawValue, error.description)
            }
            throw HTTPRefusal(
                .badRequest, "malformedJSON", error.description, offset: error.offset)
        }
    }
}
