internal import NIOHTTP1
package import WalkService

/// What is served, and to whom.
package struct Site: Sendable {
    /// Where health totals are to be sent.
    package static let healthPath = "/health"
    /// Where phones' apps are to send positions.
    package static let positionsPath = "/api/positions"
    /// Where what a walk is like is drawn over something else.
    package static let overlayPath = "/overlay"

    let admission: Admission
    let health: HealthEndpoint
    let positions: PositionEndpoint
    let walk: WalkEndpoint
    let map: MapEndpoint
    let phones: PhoneEndpoint?

    /// Prepares a site.
    ///
    /// - Parameters:
    ///   - service: Does what is asked for, and shows walks.
    ///   - token: What a program has to know that sends health totals.
    ///   - walkToken: The secret for looking at walks and asking for things; nil for a
    ///     site for health totals only.
    ///   - metricsToken: What a program has to know that watches over the recorder; nil if none
    ///     may.
    ///   - phones: The phones that are let in; nil for none.
    ///   - random: Gives that many bytes that nobody can guess, for codes and secrets of phones.
    ///   - tiles: A map for the page; nil for none.
    ///   - limit: How long what is asked for may take.
    ///   - offsetMinutes: Minutes east of UTC at an instant in UTC milliseconds: which date an
    ///     instant belongs to.
    package init(
        _ service: WalkService, token: AccessToken, walkToken: AccessToken? = nil,
        metricsToken: AccessToken? = nil,
        phones: PhoneFile? = nil, random: @escaping @Sendable (Int) -> [UInt8] = { _ in [] },
        tiles: MapTiles? = nil, limit: Duration = WalkService.limit,
        offsetMinutes: @escaping @Sendable (_ wallMilliseconds: Int64) -> Int64
    ) {
        admission = Admission(
            healthToken: token, walkToken: walkToken, metricsToken: metricsToken, phones: phones)
        self.phones = phones.map {
            PhoneEndpoint(file: $0, random: random, offsetMinutes: offsetMinutes)
        }
        walk = WalkEndpoint(service: service, limit: limit)
        map = MapEndpoint(tiles: tiles)
        health = HealthEndpoint(service: service, limit: limit, offsetMinutes: offsetMinutes)
        positions = PositionEndpoint(health: health)
    }

    /// Looks which phones are let in; before each request, for its head is checked without a disk.
    func lookForPhones(_ done: @escaping @Sendable () -> Void) {
        if let phones { phones.look(done) } else { done() }
    }

    /// Checks a head before its body is waited for.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - entrance: Where it came in.
    /// - Returns: What the request is about, and who sends it.
    /// - Throws: ``HTTPRefusal`` of the first check that fails.
    func admit(
        _ head: HTTPRequestHead, at entrance: Entrance
    ) throws(HTTPRefusal) -> Admission.Admitted {
        let admitted = try admission.check(head, at: entrance)
        let route = admitted.route
        guard admission.walkToken != nil || route.errand.isOfProgram else { throw .notFound }
        if route.method == .POST { try head.checkBody(limitBytes: route.bodyLimitBytes) }
        return admitted
    }

    /// Answers a request that was admitted.
    func response(to request: HTTPRequest) async -> Response {
        var request = request
        // It may have been ended, or confined, since the first bytes came.
        if let phone = request.phone {
            request.phone = await phones?.current(phone)
            guard let kind = request.phone?.kind else {
                let isLink = phone.kind == .overlay
                return (isLink ? HTTPRefusal.endedLink : HTTPRefusal.notPaired).response
            }
            guard kind == phone.kind else { return HTTPRefusal.notAllowed.response }
        }
        let head = request.head
        let answer = await answer(to: request)
        // What is at a path with a secret is kept nowhere.
        let tagged = request.route.pathToken.isEmpty ? answer.tagged(for: head) : answer
        var response = tagged.compressed(for: head)
        guard let phone = request.phone, let phones else { return response }
        await phones.note(phone)
        if case .events(let events) = response.body {
            // Nothing more is sent once it is no longer let in.
            response.body = .events { write in
                try await events { part in
                    guard let phone = await phones.current(phone) else {
                        throw CancellationError()
                    }
                    await phones.note(phone)
                    try await write(part)
                }
            }
        }
        return response
    }

    private func answer(to request: HTTPRequest) async -> Response {
        do {
            return try await request.route.answer(self, request)
        } catch let refusal as HTTPRefusal {
            return refusal.response
        } catch let refusal as WalkRefusal {
            return HTTPRefusal(refusal).response
        } catch {
            return HTTPRefusal(
                .serviceUnavailable, "logUnreadable", "The log cannot be read: \(error)"
            ).response
        }
    }
}
