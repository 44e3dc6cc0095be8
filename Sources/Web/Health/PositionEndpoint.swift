internal import Events
internal import Interchange
internal import JSON
internal import NIOHTTP1
internal import Projections
internal import WalkService

/// Where apps of phones send where they are, while they walk or later.
struct PositionEndpoint: Sendable {
    /// Where their steps go.
    let health: HealthEndpoint
    /// The longest form: it holds one fix.
    private static let formLimitBytes = 8_192

    /// Records what a request tells, and answers what all apps accept: OwnTracks expects a list of
    /// JSON, and what is not accepted others send for hours.
    ///
    /// - Throws: ``HTTPRefusal`` if nobody can read it; `WalkRefusal` if it cannot be recorded now.
    func response(to request: HTTPRequest) async throws -> Response {
        let sent = try positions(in: request)
        if !sent.fixes.isEmpty {
            try await health.service.perform(.phoneFixes(sent.fixes), within: health.limit)
        }
        if !sent.steps.samples.isEmpty {
            _ = try await health.record(sent.steps)
        }
        return Response(.ok, body: Array("[]\n".utf8))
    }

    private func positions(in request: HTTPRequest) throws(HTTPRefusal) -> PhonePositions {
        let bytes = request.bytes
        let isJSON = bytes.first { $0 > 0x20 }.map { [0x5B, 0x7B].contains($0) } ?? false
        guard isJSON || bytes.count <= Self.formLimitBytes else {
            throw .contentTooLarge(limitBytes: Self.formLimitBytes)
        }
        let form = isJSON ? "" : String(decoding: bytes, as: UTF8.self)
        let query = "\(request.head.uri.drop { $0 != "?" }.dropFirst())&\(form)"
        let parameters = try HTTPRequestHead.parameters(query[...])
        let body =
            isJSON
            ? try JSONValue(body: bytes, limitBytes: PhonePositions.limitBytes, depth: 8) : nil
        do throws(PhonePositions.Failure) {
            return try PhonePositions(
                of: request.phone?.name ?? "", body, parameters: parameters)
        } catch {
            throw HTTPRefusal(
                .unprocessableEntity, error.rawValue,
                error == .encrypted
                    ? "Switch off encryption in OwnTracks: nothing here knows its key."
                    : "This is no position of OwnTracks, GPSLogger or Traccar Client. `pulselog "
                        + "serve positions` shows what to enter in each.")
        }
    }
}
