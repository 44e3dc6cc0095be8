public import Clocks
public import EventStore
internal import Events
internal import Interchange
internal import NIOHTTP1
internal import Projections
public import Recording
internal import Words

/// What is told of walks and days, and what can be asked for: as the commands tell and ask it.
public struct WalkEndpoint: Sendable {
    private let log: any EventLog
    private let appender: Appender
    private let follower: LogFollower
    let token: AccessToken
    private let arrival: @Sendable () -> Arrival
    private let commandLimit = Duration.seconds(20)
    private let streams = StreamPlaces()

    /// Joins a log with what follows it.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - appender: Decides what is asked for.
    ///   - follower: Tells what is new; it keeps what the appender has folded up to date.
    ///   - token: What somebody has to know who looks at walks, and asks for things.
    ///   - now: Tells the time.
    public init(
        _ log: any EventLog, _ appender: Appender, _ follower: LogFollower, token: AccessToken,
        now: @escaping @Sendable () -> Arrival
    ) {
        self.log = log
        self.appender = appender
        self.follower = follower
        self.token = token
        arrival = now
    }

    /// Answers a request.
    ///
    /// - Throws: ``HTTPRefusal`` if there is no such thing, or the log cannot be read.
    func response(to path: HTTPPath, _ body: [UInt8]) async throws(HTTPRefusal) -> Response {
        if case .commands = path { return try await perform(try Command(decodingJSON: body)) }
        do throws(EventLogError) {
            let situation = try await follower.situation()
            let (state, moment) = (situation.state, situation.moment)
            switch path {
            case .events(let position): return events(from: position)
            case .status: return Response(.ok, body: StatusReport(situation).jsonLine)
            case .sessions:
                return json { json in
                    let sessions = state.sessionReports(at: moment).reversed()
                    json.field("sessions", Array(sessions))
                }
            case .session(let position): return try session(position, state, moment)
            case .days(let count):
                return json { json in
                    let days = state.dayReports().suffix(count).reversed()
                    json.field("days", days.map { DayText($0, state) })
                }
            case .day(let date):
                guard let day = state.dayReports().first(where: { $0.date == date }) else {
                    return HTTPRefusal(
                        .notFound, "noSuchDay", "The log has nothing about this day."
                    ).response
                }
                return Response(.ok, body: DayText(day, state).jsonLine)
            case .devices:
                return json { json in
                    let devices = state.deviceReports().filter(\.isPaired)
                    json.field("devices", devices.map(DeviceText.init))
                }
            case .commands, .health: return HTTPRefusal.notFound.response
            }
        } catch {
            throw HTTPRefusal(
                .serviceUnavailable, "logUnreadable", "The log cannot be read: \(error)")
        }
    }

    private func json(_ body: (inout JSONWriter) -> Void) -> Response {
        Response(.ok, body: JSONWriter.line(body))
    }

    private func session(
        _ position: Position, _ state: LogState, _ moment: Moment
    ) throws(EventLogError) -> Response {
        let reports = state.sessionReports(at: moment)
        guard let report = reports.first(where: { $0.position == position }) else {
            return HTTPRefusal(
                .notFound, "noSuchSession", "There is no session at this position."
            ).response
        }
        let series = try log.series(of: report, until: state.head.map { $0 + 1 })
        return json { json in
            report.writeFields(to: &json)
            series.writeFields(to: &json)
        }
    }

    private func events(from position: Position?) -> Response {
        guard let place = streams.take() else {
            return HTTPRefusal(
                .serviceUnavailable, "tooManyStreams",
                "\(StreamPlaces.limit) others are listening; close one of them."
            ).response
        }
        let stream = WalkStream(log, follower, from: position, at: place)
        return Response(events: stream.run)
    }

    /// Decides a command, as a terminal would have it decided.
    private func perform(_ command: Command) async throws(HTTPRefusal) -> Response {
        let outcomes: [Outcome]
        do {
            outcomes = try await within(commandLimit) {
                try await appender.record([Input(command, at: arrival())])
            }
        } catch is TooLong {
            throw HTTPRefusal(
                .serviceUnavailable, "notRecordedInTime",
                "It could not be recorded in time; it may have been recorded all the same.")
        } catch {
            throw HTTPRefusal(
                .serviceUnavailable, "notRecorded", "It cannot be recorded now: \(error)")
        }
        switch outcomes[0] {
        case .refused(let refusal):
            throw HTTPRefusal(.conflict, "refused", refusal.description)
        case .recorded(let range):
            return json { json in
                json.field("firstPosition", range.isEmpty ? nil : range.lowerBound)
                json.field("events", range.count)
            }
        }
    }
}
