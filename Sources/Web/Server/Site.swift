internal import Interchange
internal import NIOCore
internal import NIOHTTP1
public import Projections

/// What is served, and to whom.
public struct Site: Sendable {
    /// Where health totals are to be sent.
    public static let healthPath = "/health"

    private let admission: Admission
    private let health: HealthEndpoint
    private let walk: WalkEndpoint?
    private let map: MapEndpoint

    /// Prepares a site.
    ///
    /// - Parameters:
    ///   - token: What a program has to know that sends health totals.
    ///   - walk: What is told of walks, and what can be asked for; nil for health totals only.
    ///   - tiles: A map for the page; nil for none.
    ///   - recordingLimit: How long a report may take to be recorded.
    ///   - offsetMinutes: Minutes east of UTC at an instant in UTC milliseconds: which date an
    ///     instant belongs to.
    ///   - record: Records a report and gives what became of it. What it throws is
    ///     reported to the sender with the status 503. It is cancelled if it takes too long.
    public init(
        token: AccessToken, walk: WalkEndpoint? = nil, tiles: MapTiles? = nil,
        recordingLimit: Duration = .seconds(20),
        offsetMinutes: @escaping @Sendable (_ wallMilliseconds: Int64) -> Int64,
        record: @escaping @Sendable (HealthReport) async throws -> HealthOutcome
    ) {
        admission = Admission(healthToken: token, walkToken: walk?.token)
        self.walk = walk
        map = MapEndpoint(tiles)
        health = HealthEndpoint(
            recordingLimit: recordingLimit, offsetMinutes: offsetMinutes, record: record)
    }

    /// Checks a head before its body is waited for.
    ///
    /// - Returns: What the request is about.
    /// - Throws: ``HTTPRefusal`` of the first check that fails.
    func admit(_ head: HTTPRequestHead) throws(HTTPRefusal) -> HTTPPath {
        let path = try admission.check(head)
        guard walk != nil || path == .health else { throw .notFound }
        if path.method == .POST { try head.checkBody(limitBytes: path.bodyLimitBytes) }
        return path
    }

    /// Answers a request that was admitted.
    func response(to request: HTTPRequest) async -> Response {
        let body = Array(request.body.readableBytesView)
        do throws(HTTPRefusal) {
            guard request.path != .health else {
                return try await health.response(
                    to: body, interval: try request.head.value("automation-aggregation"))
            }
            if case .page(let file) = request.path { return file.response }
            if case .enter(let token) = request.path {
                return admission.enter(token, host: try admission.checkHost(request.head))
            }
            if let response = await map.response(to: request.path) { return response }
            guard let walk else { throw .notFound }
            return try await walk.response(to: request.path, body)
        } catch {
            return error.response
        }
    }
}
