internal import BluetoothCentral
public import Clocks
public import EventStore
internal import Events
internal import Interchange
internal import JSON
internal import NIOHTTP1
internal import Projections
public import Recording
internal import Words

/// What is told of walks and days, and what can be asked for: as the commands tell and ask it.
public struct WalkEndpoint: Sendable {
    let log: any EventLog
    let snapshots: (any SnapshotStore)?
    private let appender: Appender
    private let follower: LogFollower
    private let host: RecorderHost
    let token: AccessToken
    private let selfCheck: @Sendable () -> SelfCheck?
    private let arrival: @Sendable () -> Arrival
    private let commandLimit = Duration.seconds(20)
    /// How long a device may take to be found, connected to and paired.
    private let pairingLimit = Duration.seconds(90)
    private let streams = StreamPlaces()
    private let track: WalkTrack
    private let history = ReadingThread(label: "history")

    /// Joins a log with what follows it.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - appender: Decides what is asked for.
    ///   - follower: Tells what is new; it keeps what the appender has folded up to date.
    ///   - host: Has a recorder while somebody wants one.
    ///   - token: What somebody has to know who looks at walks, and asks for things.
    ///   - snapshots: Where a snapshot of the log may be, so that not all of it is folded for what
    ///     came after; nil for nowhere.
    ///   - selfCheck: Tells how far the log was compared with its seals.
    ///   - now: Tells the time.
    public init(
        _ log: any EventLog, _ appender: Appender, _ follower: LogFollower, _ host: RecorderHost,
        token: AccessToken, snapshots: (any SnapshotStore)? = nil,
        selfCheck: @escaping @Sendable () -> SelfCheck? = { nil },
        now: @escaping @Sendable () -> Arrival
    ) {
        self.log = log
        self.snapshots = snapshots
        self.appender = appender
        self.follower = follower
        self.host = host
        self.token = token
        self.selfCheck = selfCheck
        arrival = now
        track = WalkTrack(log, snapshots)
    }

    /// Answers a request.
    ///
    /// - Throws: ``HTTPRefusal`` if there is no such thing, or the log cannot be read.
    func response(to path: HTTPPath, _ body: [UInt8]) async throws(HTTPRefusal) -> Response {
        if case .commands = path { return try await perform(try WalkRequest(decodingJSON: body)) }
        if case .events(let position) = path { return events(from: position) }
        do throws(EventLogError) {
            let situation = try await follower.situation()
            guard path.isHistory else { return try answer(path, situation) }
            return try await history.read { () throws(EventLogError) in
                try answer(path, situation)
            }
        } catch {
            throw HTTPRefusal(
                .serviceUnavailable, "logUnreadable", "The log cannot be read: \(error)")
        }
    }

    private func answer(
        _ path: HTTPPath, _ situation: Situation
    ) throws(EventLogError) -> Response {
        let (state, moment) = (situation.state, situation.moment)
        switch path {
        case .status: return Response(.ok, body: StatusReport(situation).jsonLine)
        case .sessions: return try sessions(situation)
        case .session(let position): return try session(position, state, moment)
        case .days(let count):
            let days = Array(state.dayReports().suffix(count).reversed())
            return json { json in
                json.field("days", days.map { DayText($0, state) })
                json.field("view", DaysView(days, state))
            }
        case .day(let date): return try day(date, situation)
        case .devices:
            let devices = state.deviceReports().filter(\.isPaired)
            return json { json in
                json.field("devices", devices.map(DeviceText.init))
                json.field("view", DevicesView(devices))
            }
        case .tables: return Response(.ok, body: JSONWriter.line(PageTables()))
        case .goal(let kind, let target, let typed): return goal(kind, target, typed)
        case .log: return try log(state, selfCheck())
        case .logEvent(let position): return try event(at: position, state)
        case .logEvents(let start, let count): return try events(from: start, count: count, state)
        case .logPlace(let text, let near): return try place(of: text, near: near, state)
        case .commands, .events, .health, .enter, .page, .map, .tile:
            return HTTPRefusal.notFound.response
        }
    }

    func json(_ body: (inout JSONWriter) -> Void) -> Response {
        Response(.ok, body: JSONWriter.line(body))
    }

    private func events(from position: Position?) -> Response {
        guard let place = streams.take() else {
            return HTTPRefusal(
                .serviceUnavailable, "tooManyStreams",
                "\(StreamPlaces.limit) pages are already open; close one of them."
            ).response
        }
        let stream = WalkStream(log, follower, track, from: position, at: place)
        return Response(events: stream.run)
    }
}

// MARK: - What is asked for

extension WalkEndpoint {
    private func perform(_ request: WalkRequest) async throws(HTTPRefusal) -> Response {
        switch request {
        case .primary(let address): try await record { .makePrimary($0.paired(address)) }
        case .forget(let address): try await record { .forget($0.paired(address)) }
        case .setUp(let isListing, let isAll):
            try await ask(within: commandLimit) {
                try await host.setUp(isListing: isListing, isAll: isAll)
                return nil
            }
        case .pair(let address):
            try await ask(within: pairingLimit) {
                try await host.pair(address)
                return nil
            }
        case .start(let goal, let outAndBack):
            try await ask(within: commandLimit) {
                try await host.begin(goal, outAndBack: outAndBack)
            }
        case .goOn:
            try await ask(within: commandLimit) {
                try await host.goOn()
                return nil
            }
        // Its own recorder ends however full the disk is.
        case .command(.end) where await host.end(): answer(nil)
        case .command(.mark(let text)):
            try await record(saying: SessionMarked(text: text).sentence) { _ in .mark(text) }
        case .command(let command): try await record { _ in command }
        }
    }

    /// Asks for what only a recorder of this process does.
    private func ask(
        within limit: Duration, _ work: @escaping @Sendable () async throws -> Range<Position>?
    ) async throws(HTTPRefusal) -> Response {
        do {
            return answer(try await within(limit) { try await work() })
        } catch let refusal as HostRefusal {
            throw HTTPRefusal(.conflict, refusal.code, refusal.message)
        } catch {
            throw .notRecordedInTime
        }
    }

    /// Decides a command, as a terminal would have it decided.
    private func record(
        saying sentence: String? = nil, _ command: @escaping @Sendable (LogState) -> Command
    ) async throws(HTTPRefusal) -> Response {
        let outcomes: [Outcome]
        do {
            outcomes = try await within(commandLimit) {
                try await appender.record { (state) throws(EventLogError) in
                    [Input(command(state), at: arrival())]
                }
            }
        } catch is TooLong {
            throw .notRecordedInTime
        } catch {
            throw HTTPRefusal(
                .serviceUnavailable, "notRecorded", "It cannot be recorded now: \(error)")
        }
        switch outcomes[0] {
        case .refused(let refusal):
            throw HTTPRefusal(.conflict, "refused", refusal.description)
        case .recorded(let range):
            return answer(range, saying: sentence)
        }
    }

    /// Says where the events are that came of it.
    private func answer(_ range: Range<Position>?, saying sentence: String? = nil) -> Response {
        json { json in
            json.field("firstPosition", range.flatMap { $0.isEmpty ? nil : $0.lowerBound })
            json.field("events", range?.count ?? 0)
            if let sentence { json.field("sentence", sentence) }
        }
    }
}

extension HTTPRefusal {
    fileprivate static let notRecordedInTime = HTTPRefusal(
        .serviceUnavailable, "notRecordedInTime",
        "It could not be recorded in time; it may have been recorded all the same.")
}

extension LogState {
    /// The paired device of an address, or one that will be refused.
    fileprivate func paired(_ address: UInt64) -> DeviceID {
        live.devices.paired.first { $0.id.address == address }?.id
            ?? DeviceID(address: address, space: .random)
    }
}
