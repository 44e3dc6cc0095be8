internal import Interchange
internal import Projections

/// The one thing that is served: a body with health totals, and an answer that says of each date
/// what became of it.
struct HealthEndpoint: Sendable {
    /// Records a report.
    let take: @Sendable (HealthReport) async throws -> [HealthReceipt]

    /// Reads a body, records it and answers.
    ///
    /// - Throws: ``HTTPRefusal`` if nothing of it could be recorded.
    func response(to body: [UInt8]) async throws -> Response {
        let report = try report(in: body)
        let receipts: [HealthReceipt]
        do {
            receipts = try await take(report)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw HTTPRefusal(
                .serviceUnavailable, "notRecorded", "The totals cannot be recorded now: \(error)")
        }
        let isRefused = !receipts.isEmpty && receipts.allSatisfy(\.isRefused)
        let answer = JSONWriter.line { json in
            json.field("origin", report.origin)
            json.field("days", receipts)
        }
        return Response(isRefused ? .unprocessableContent : .ok, body: answer)
    }

    private func report(in body: [UInt8]) throws(HTTPRefusal) -> HealthReport {
        do throws(HealthReportError) {
            return try HealthReport(decodingJSON: body)
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
