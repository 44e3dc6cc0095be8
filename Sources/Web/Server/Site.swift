internal import Interchange
internal import NIOCore
internal import NIOHTTP1
public import Projections

/// What is served, and to whom.
public struct Site: Sendable {
    /// Where health totals are to be sent.
    public static let healthPath = Admission.path

    /// The most bytes of a body.
    let bodyLimitBytes = HealthReport.limitBytes
    private let admission: Admission
    private let health: HealthEndpoint

    /// Prepares a site.
    ///
    /// - Parameters:
    ///   - token: What a sender has to know.
    ///   - recordingLimit: How long a report may take to be recorded.
    ///   - offsetMinutes: Minutes east of UTC at an instant in UTC milliseconds: which date an
    ///     instant belongs to.
    ///   - record: Records a report and gives what became of it. What it throws is
    ///     reported to the sender with the status 503. It is cancelled if it takes too long.
    public init(
        token: AccessToken, recordingLimit: Duration = .seconds(20),
        offsetMinutes: @escaping @Sendable (_ wallMilliseconds: Int64) -> Int64,
        record: @escaping @Sendable (HealthReport) async throws -> HealthOutcome
    ) {
        admission = Admission(token)
        health = HealthEndpoint(
            recordingLimit: recordingLimit, offsetMinutes: offsetMinutes, record: record)
    }

    /// Checks a head before its body is waited for.
    ///
    /// - Returns: The most bytes that its body may have.
    /// - Throws: ``HTTPRefusal`` of the first check that fails.
    func admit(_ head: HTTPRequestHead) throws(HTTPRefusal) -> Int {
        try admission.check(head)
        try head.checkBody(limitBytes: bodyLimitBytes)
        return bodyLimitBytes
    }

    /// Answers a request that was admitted.
    func response(to request: HTTPRequest) async -> Response {
        do throws(HTTPRefusal) {
            return try await health.response(
                to: Array(request.body.readableBytesView),
                interval: try request.head.value("automation-aggregation"))
        } catch {
            return error.response
        }
    }
}
