internal import EventStore
internal import Events
internal import JSON
internal import NIOHTTP1
internal import Projections
internal import Recording
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
    /// Whoever has found a link takes no place of either.
    private let overlayStreams = StreamPlaces()
    private let track: WalkTrack

    var log: LogHistory { service.log }

    init(service: WalkService, limit: Duration) {
        (self.service, self.limit) = (service, limit)
        track = WalkTrack(service)
    }

    /// Answers a request from a scene within the limit, whatever the log does.
    ///
    /// - Throws: What `read` throws; `EventLogError`; ``HTTPRefusal`` if it is late.
    func answer(
        _ read: @escaping @Sendable (Scene) async throws -> Response
    ) async throws -> Response {
        let answer = await value(within: limit) { () -> Result<Response, any Error> in
            do {
                return .success(try await read(try await service.scene()))
            } catch {
                return .failure(error)
            }
        }
        guard let answer else {
            throw HTTPRefusal(
                .serviceUnavailable, "notReadInTime",
                "The log could not be read in time. Ask again.")
        }
        return try answer.get()
    }

    /// How the recorder is.
    func metrics(withHeartRate: Bool) async throws -> Response {
        try await answer { scene in
            let queued = await service.queued
            return try await service.history {
                let metrics = MetricsText(
                    scene, service.figures, queued, withHeartRate: withHeartRate)
                return Response(type: MetricsText.type, file: metrics.bytes)
            }
        }
    }

    /// Events and scenes as they come, from a position on, or only those that come.
    func events(from position: Position?, of phone: Phone?) throws -> Response {
        let place = try Self.take(phone == nil ? streams : phoneStreams)
        let stream = WalkStream(service: service, track: track, position: position, place: place)
        return Response(events: stream.run)
    }

    /// What an overlay shows, as it comes, and nothing else; what is the same is sent again
    /// after half a second at the earliest.
    func overlay() throws -> Response {
        let place = try Self.take(overlayStreams)
        return Response { [service] write in
            let feed = await service.views()
            defer { service.unsubscribe(feed) }
            var (last, due): ([UInt8], UInt64) = ([], 0)
            for await _ in feed.wakes {
                guard let scene = feed.take() else { continue }
                let line = JSONWriter.line { scene.writeOverlay(to: &$0) }
                let now = scene.moment.stamp.bootMilliseconds
                guard line != last || now >= due else { continue }
                (last, due) = (line, now + 500)
                try await write(Array("event: scene\ndata: ".utf8) + line + [0x0A])
            }
            withExtendedLifetime(place) {}
        }
    }

    private static func take(_ places: StreamPlaces) throws(HTTPRefusal) -> StreamPlaces.Place {
        if let place = places.take() { return place }
        throw HTTPRefusal(
            .serviceUnavailable, "tooManyStreams",
            "\(StreamPlaces.limit) pages are already open; close one of them.")
    }

    // MARK: - What is asked for

    /// Does what is asked for.
    func perform(_ request: HTTPRequest) async throws -> Response {
        let command = try WalkCommand(decodingJSON: request.bytes, of: request.phone)
        let isPairing = if case .pair = command { true } else { false }
        let limit = isPairing ? WalkService.pairingLimit : limit
        let events = try await service.perform(command, within: limit).events
        var sentence: String?
        var scene: Scene?
        do throws(EventLogError) {
            switch command {
            case .ask(.command(.mark(let text))):
                sentence = SessionMarked(text: text).sentence
                if text.isEmpty, let stamp = try log.events(in: events).first?.header.stamp {
                    let offset = await service.state.walked.recorder.zoneOffsetMinutes
                    let time = LocalTime(stamp.wallMilliseconds, offsetMinutes: offset)
                    sentence = "Marked at \(time.seconds)."
                }
            case .ask(.command(.describe(_, also: []))): scene = try await service.scene()
            default: break
            }
        } catch {
            scene = nil  // It was done, whatever can be read of it.
        }
        return .json { json in
            // Where the events are that came of it.
            json.field("firstPosition", events.isEmpty ? nil : events.lowerBound)
            json.field("events", events.count)
            if let sentence { json.field("sentence", sentence) }
            if let scene, case .ask(.command(.describe(let said, _))) = command,
                let report = scene.state.sessionReport(said.session, at: scene.moment)
            {
                json.object("view") { report.writeHead(to: &$0) }
            }
        }
    }
}

extension HTTPRefusal {
    init(_ refusal: WalkRefusal) {
        let status: HTTPResponseStatus =
            switch refusal.kind {
            case .senseless, .impossible: .conflict
            case .unreadable: .unprocessableEntity
            case .log, .late: .serviceUnavailable
            }
        self.init(status, refusal.code, refusal.message)
    }
}
