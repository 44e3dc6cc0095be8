internal import EventStore
internal import Events
internal import Interchange
internal import JSON
internal import NIOHTTP1
internal import Projections
internal import Recording
internal import Threads
internal import WalkService
internal import Words

/// What is told of walks and days, and what can be asked for: as the commands tell and ask it.
struct WalkEndpoint: Sendable {
    /// The walks.
    let service: WalkService
    /// How long what is asked for may take.
    let limit: Duration
    private let streams = StreamPlaces()
    /// Phones take no place of the pages of this machine.
    private let phoneStreams = StreamPlaces()
    private let track: WalkTrack

    var log: LogHistory { service.log }

    init(service: WalkService, limit: Duration) {
        self.service = service
        self.limit = limit
        track = WalkTrack(service)
    }

    /// Answers a request within the limit, whatever the log does.
    ///
    /// - Throws: ``HTTPRefusal`` if there is no such thing, or the log cannot be read.
    func response(
        to path: HTTPPath, _ body: [UInt8], of phone: Phone?
    ) async throws(HTTPRefusal) -> Response {
        if case .commands = path { return try await perform(body, of: phone) }
        if case .events(let position) = path {
            return events(from: position, at: phone == nil ? streams : phoneStreams)
        }
        // What needs no log is told whatever has become of it.
        if case .tables(let units) = path {
            return .json { json in
                units.writeTables(to: &json)
                json.field("right", phone?.kind.right ?? "all")
                json.field("pairPhone", PhoneOffer.hint)
            }
        }
        if case .goal(let kind, let target, let typed, let units) = path {
            return goal(kind, target, typed, units)
        }
        let answer = await value(within: limit) { () -> Result<Response, EventLogError> in
            do throws(EventLogError) {
                return .success(try await read(path))
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let response): return response
        case .failure(let error):
            throw HTTPRefusal(
                .serviceUnavailable, "logUnreadable", "The log cannot be read: \(error)")
        case nil:
            throw HTTPRefusal(
                .serviceUnavailable, "notReadInTime",
                "The log could not be read in time. Ask again.")
        }
    }

    private func read(_ path: HTTPPath) async throws(EventLogError) -> Response {
        let scene = try await service.scene()
        if case .metrics(let withHeartRate) = path {
            let queued = await service.queued
            return try await service.history {
                let metrics = MetricsText(
                    scene, service.figures, queued, withHeartRate: withHeartRate)
                return Response(type: MetricsText.type, file: metrics.bytes)
            }
        }
        guard path.isHistory else { return try answer(path, scene) }
        let thread = if case .day = path { service.auditor } else { nil as ReadingThread? }
        return try await service.history(on: thread) { () throws(EventLogError) in
            try answer(path, scene)
        }
    }

    private func answer(_ path: HTTPPath, _ scene: Scene) throws(EventLogError) -> Response {
        let state = scene.state
        switch path {
        case .status: return Response(.ok, body: StatusReport(scene).jsonLine)
        case .sessions: return sessions(scene)
        case .session(let position), .outline(let position), .comparison(let position),
            .file(let position, _, _):
            guard let report = state.sessionReport(position, at: scene.moment) else {
                return HTTPRefusal(
                    .notFound, "noSuchSession", "There is no session at this position."
                ).response
            }
            if case .comparison = path { return try comparison(report, scene) }
            if case .outline = path {
                return outline(try log.outline(of: report, until: state.next))
            }
            let series = try log.series(of: report, until: state.next)
            if case .file(_, let format, let rows) = path {
                return file(WalkFile(report, series), format, rows)
            }
            return session(report, series, state.units)
        case .year(let year, let filter, let inAllYears):
            let view = YearView(
                year, scene.walks, scene.calendar, filter, inAllYears: inAllYears,
                units: state.units)
            return .json { $0.field("view", view) }
        case .years:
            let view = YearsView(scene.walks, scene.calendar, units: state.units)
            return .json { $0.field("view", view) }
        case .trends(let measure, let span): return try trends(measure, span, scene)
        case .records: return try records(scene)
        case .routes:
            let routes = KnownRoutes(scene.walks, try log.outlines(of: state))
            let view = RoutesView(
                routes, year: scene.today.components.year, units: state.units)
            return .json { $0.field("view", view) }
        case .days(let count):
            var days = state.lastDays(Int64(count), upTo: nil, today: scene.today)
            if !days.contains(where: \.isKnown) { days = [] }
            return .json { json in json.field("days", days.map { DayText($0, state) }) }
        case .day(let date): return try day(date, scene)
        case .devices:
            let devices = state.deviceReports().filter(\.isPaired)
            return .json { json in
                json.field("devices", devices)
                json.list("view", devices) { $1.writeView(to: &$0, isRecording: state.isRecording) }
            }
        case .profile: return .json { $0.field("view", ProfileView(state, at: scene.moment)) }
        case .log: return try log(state, service.figures.selfCheck)
        case .logEvent(let position, let other):
            return try event(at: position, since: other, state)
        case .logEvents(let start, let count): return try events(from: start, count: count, state)
        case .logRows(let near, let shown): return try rows(near: near, shown, state)
        case .logPlace(let text, let near): return try place(of: text, near: near, state)
        case .logMoment(let local, let near):
            return try moment(ofLocal: Int64(clamping: local), near: near)
        case .metrics, .commands, .events, .tables, .goal, .health, .enter, .page, .map, .tile,
            .pairing, .phones, .phoneCode, .phoneEnd, .phoneRights:
            return HTTPRefusal.notFound.response
        }
    }

    private func events(from position: Position?, at places: StreamPlaces) -> Response {
        guard let place = places.take() else {
            return HTTPRefusal(
                .serviceUnavailable, "tooManyStreams",
                "\(StreamPlaces.limit) pages are already open; close one of them."
            ).response
        }
        let stream = WalkStream(service: service, track: track, position: position, place: place)
        return Response(events: stream.run)
    }

    // MARK: - What is asked for

    private func perform(_ body: [UInt8], of phone: Phone?) async throws(HTTPRefusal) -> Response {
        let command = try WalkCommand(decodingJSON: body, of: phone)
        let isPairing = if case .pair = command { true } else { false }
        let events: Range<Position>
        do throws(WalkRefusal) {
            let limit = isPairing ? WalkService.pairingLimit : limit
            events = try await service.perform(command, within: limit).events
        } catch {
            throw HTTPRefusal(error)
        }
        let scene: Scene
        do throws(EventLogError) {
            scene = try await service.scene()
        } catch {
            throw HTTPRefusal(WalkRefusal(error))
        }
        // Where the events are that came of it.
        return .json { json in
            json.field("firstPosition", events.isEmpty ? nil : events.lowerBound)
            json.field("events", events.count)
            guard case .ask(.command(let done)) = command else { return }
            switch done {
            case .mark(let text):
                let marked = SessionMarked(text: text).sentence
                json.field("sentence", text.isEmpty ? "Marked at \(scene.now.seconds)." : marked)
            case .describe(let said):
                if let report = scene.state.sessionReport(said.session, at: scene.moment) {
                    json.object("view") { report.writeHead(to: &$0, units: scene.state.units) }
                }
            default: break
            }
        }
    }
}

extension HTTPRefusal {
    fileprivate init(_ refusal: WalkRefusal) {
        let status: HTTPResponseStatus =
            switch refusal.kind {
            case .senseless, .impossible: .conflict
            case .unreadable: .unprocessableEntity
            case .log, .late: .serviceUnavailable
            }
        self.init(status, refusal.code, refusal.message)
    }
}
