internal import Events
internal import Interchange
internal import NIOHTTP1
internal import Projections
internal import Recording
internal import WalkService

/// What a request is about, and what answers it.
struct HTTPRoute: Sendable {
    /// How far back the log is read for an answer.
    enum Reach {
        /// Not at all.
        case now
        /// From far back.
        case history
        /// Likewise, and it is certified, which takes long.
        case audit
    }

    /// What kind of thing is asked for.
    var errand = Access.Errand.walks
    /// The most bytes of a body; 0 of what takes none.
    var bodyLimitBytes = 0
    /// The secret in its path, of what cannot send it in another way; empty without one.
    var pathToken = ""
    /// Answers a request, or throws why it is refused, or what is wrong with the log.
    let answer: @Sendable (Site, HTTPRequest) async throws -> Response

    /// The one method: whatever takes a body is posted.
    var method: HTTPMethod { bodyLimitBytes > 0 ? .POST : .GET }

    /// Health totals are posted.
    static let health = HTTPRoute(errand: .totals, bodyLimitBytes: HealthReport.limitBytes) {
        try await $0.health.response(to: $1)
    }

    /// How long the body of a request may be: as it says, or as it may be here.
    func bodyBytes(of head: HTTPRequestHead) throws(HTTPRefusal) -> UInt64 {
        let limit = UInt64(bodyLimitBytes)
        return min(try head.value("content-length").flatMap(UInt64.init) ?? limit, limit)
    }

    /// An app of a phone posts where it is, or has it in its address.
    static func positions(_ method: HTTPMethod, _ token: String) -> HTTPRoute {
        let limit = method == .GET ? 0 : PhonePositions.limitBytes
        return HTTPRoute(errand: .positions, bodyLimitBytes: limit, pathToken: token) {
            try await $0.positions.response(to: $1)
        }
    }

    /// A file of the page.
    static func page(_ file: PageFile) -> HTTPRoute {
        Self(errand: file.isForPairing ? .pairingPage : .page) { file.response(at: $1.head.path) }
    }

    /// What is told of walks and of the log.
    static func walks(
        _ reach: Reach = .history, _ errand: Access.Errand = .walks,
        _ read: @escaping @Sendable (WalkEndpoint, Scene) throws -> Response
    ) -> HTTPRoute {
        HTTPRoute(errand: errand) { site, _ in
            let (walk, service) = (site.walk, site.walk.service)
            return try await walk.answer { scene in
                guard reach != .now else { return try read(walk, scene) }
                return try await service.history(on: reach == .audit ? service.auditor : nil) {
                    Result { try read(walk, scene) }
                }.get()
            }
        }
    }

    /// What is told of a session.
    static func session(
        at position: Position,
        _ read: @escaping @Sendable (WalkEndpoint, SessionReport, Scene) throws -> Response
    ) -> HTTPRoute {
        walks { walk, scene in
            guard let report = scene.state.sessionReport(position, at: scene.moment) else {
                throw HTTPRefusal(
                    .notFound, "noSuchSession", "There is no such walk.")
            }
            return try read(walk, report, scene)
        }
    }

    /// What phones are paired by.
    static func phones(
        _ errand: Access.Errand = .phones, bodyLimitBytes: Int = 512,
        _ answer: @escaping @Sendable (PhoneEndpoint, HTTPRequest) async throws -> Response
    ) -> HTTPRoute {
        HTTPRoute(errand: errand, bodyLimitBytes: bodyLimitBytes) { site, request in
            guard let phones = site.phones else { throw HTTPRefusal.notFound }
            return try await answer(phones, request)
        }
    }
}
