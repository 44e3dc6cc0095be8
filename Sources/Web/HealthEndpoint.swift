internal import Interchange
internal import Projections

/// The one thing that is served: a body with health totals, and an answer that says of each date
/// what became of it.
struct HealthEndpoint: Sendable {
    /// The minutes east of UTC at an instant in UTC milliseconds.
    let offsetMinutes: @Sendable (Int64) -> Int64
    /// Records a report.
    let take: @Sendable (HealthReport) async throws -> HealthOutcome

    /// Reads a body, records it and answers.
    ///
    /// - Throws: ``HTTPRefusal`` if nothing of it could be recorded.
    func response(to body: [UInt8]) async throws -> Response {
        let report = try report(in: body)
        let outcome: HealthOutcome
        do {
            outcome = try await take(report)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw HTTPRefusal(
                .serviceUnavailable, "notRecorded", "The totals cannot be recorded now: \(error)")
        }
        let isRefused = !outcome.days.isEmpty && outcome.days.allSatisfy(\.isRefused)
        let answer = JSONWriter.line { json in
            json.field("origin", report.origin)
            json.field("days", outcome.days)
            json.field("samples", report.samples.count)
            json.field("newSamples", outcome.newSamples)
        }
        return Response(isRefused ? .unprocessableContent : .ok, body: answer)
    }

    private func report(in body: [UInt8]) throws(HTTPRefusal) -> HealthReport {
        do throws(HealthReportError) {
            return try HealthReport(decodingJSON: body, offsetMinutes: offsetMinutes)
        } catch {
            switch error.code {
            case .malformed(let json):
                throw HTTPRefusal(
                    .badRequest, "malformedJSON", error.description, offset: json.offset)
            case .unrecognized, .invalidValue, .tooMany:
                throw HTTPRefusal(.unprocessableContent, error.code.name, error.description)
            }
        }
    }
}
