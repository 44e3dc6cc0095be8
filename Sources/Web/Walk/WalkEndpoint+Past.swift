internal import Certification
internal import EventStore
internal import Events
internal import Interchange
internal import JSON
internal import NIOHTTP1
internal import Projections
internal import Recording
internal import WalkService
internal import Words

extension Scene {
    /// All walks, in order of position.
    var walks: [SessionReport] { state.sessionReports(at: moment) }
    /// All days.
    var calendar: Projections.Calendar { state.calendar(today: today) }
}

/// What was: sessions, days, and the log itself.
extension WalkEndpoint {
    func session(_ report: SessionReport, _ scene: Scene) throws -> Response {
        let series = try log.series(of: report, until: scene.state.next)
        return .json { json in
            report.writeFields(to: &json)
            series.writeFields(to: &json, asDrawn: true)
            json.field("view", SessionView(report, series, units: scene.state.units))
        }
    }

    /// A walk as a file, the same bytes as `export` writes.
    func file(
        _ report: SessionReport, _ scene: Scene, _ format: WalkFormat, _ rows: WalkFile.Rows
    ) throws -> Response {
        let walk = WalkFile(report, try log.series(of: report, until: scene.state.next))
        if let sentence = walk.refusal(format) {
            throw HTTPRefusal(.unprocessableEntity, "notInThisFormat", sentence)
        }
        var bytes: [UInt8] = []
        walk.write(format, rows: rows) { bytes += $0 }
        var response = Response(type: format.mediaType, file: bytes)
        response.fields.add(
            name: "Content-Disposition",
            value: "attachment; filename=\"\(walk.fileName).\(format.fileExtension)\"")
        return response
    }

    /// A walk beside all others; where they were never outlined, all of them are read.
    func comparison(_ report: SessionReport, _ scene: Scene) throws -> Response {
        let state = scene.state
        let comparison = WalkComparison(
            report, among: scene.walks, try log.outlines(of: state), scene.calendar,
            units: state.units)
        return .json { $0.field("view", comparison) }
    }

    /// The shape of a track, and of the heart rate.
    func outline(_ report: SessionReport, _ scene: Scene) throws -> Response {
        let outline = try log.outline(of: report, until: scene.state.next)
        return .json { json in
            json.list("track", outline.track?.placesE7 ?? []) { json, place in
                json.field("latitudeE7", place.latitude)
                json.field("longitudeE7", place.longitude)
            }
            json.field("heart", outline.trace)
        }
    }

    /// A year, nil for this one, with those of its walks that are looked for.
    func year(
        _ year: Int64?, _ filter: WalkFilter, inAllYears: Bool, _ scene: Scene
    ) -> Response {
        let view = YearView(
            year, scene.walks, scene.calendar, filter, inAllYears: inAllYears,
            units: scene.state.units)
        return .json { $0.field("view", view) }
    }

    /// All years.
    func years(_ scene: Scene) -> Response {
        let view = YearsView(scene.walks, scene.calendar, units: scene.state.units)
        return .json { $0.field("view", view) }
    }

    /// The last days; none where nothing is known of any.
    func days(_ count: Int, _ scene: Scene) -> Response {
        var days = scene.state.lastDays(Int64(count), upTo: nil, today: scene.today)
        if !days.contains(where: \.isKnown) { days = [] }
        return .json { json in json.field("days", days.map { DayText($0, scene.state) }) }
    }

    /// What is paired.
    func devices(_ scene: Scene) -> Response {
        let devices = scene.state.deviceReports().filter(\.isPaired)
        return .json { json in
            json.field("devices", devices)
            json.list("view", devices) {
                $1.writeView(to: &$0, isRecording: scene.state.isRecording)
            }
            let sources = scene.state.own.recorder.positions.all.reversed()
            json.list("positions", sources) { json, source in
                source.writeView(
                    to: &json, isLeading: source == sources.first,
                    isSilent: source.isSilent(at: scene.moment.stamp),
                    at: scene.state.localTime(at: scene.moment), units: scene.state.units)
            }
        }
    }

    /// A measure of some days.
    func trends(_ measure: Trends.Measure, _ span: Trends.Span, _ scene: Scene) throws -> Response {
        let state = scene.state
        let outlines = measure.isOutlined ? try log.outlines(of: state) : WalkOutlines()
        let trends = Trends(measure, scene.walks, outlines, scene.calendar)
        return .json { json in
            TrendText(trends, span, state.units).writeFields(to: &json)
            json.field("view", TrendsView(trends, span, scene.calendar, state.units))
        }
    }

    /// What is known of the walker.
    func profile(_ scene: Scene) throws -> Response {
        let view = ProfileView(scene.state, try log.outlines(of: scene.state), at: scene.moment)
        return .json { $0.field("view", view) }
    }

    /// The records of all time and of this year.
    func records(_ scene: Scene) throws -> Response {
        let state = scene.state
        let records = Records(scene.walks, try log.outlines(of: state), scene.calendar)
        let text = RecordsText(
            records, year: scene.today.components.year, units: state.units)
        return .json { json in
            json.field("records", text.lines)
            json.object("view") { text.writeView(to: &$0) }
        }
    }

    /// The ways that were walked more than once.
    func routes(_ scene: Scene) throws -> Response {
        let routes = KnownRoutes(scene.walks, try log.outlines(of: scene.state))
        let year = scene.today.components.year
        let view = RoutesView(routes, year: year, units: scene.state.units)
        return .json { $0.field("view", view) }
    }

    /// A day, its walks, its staircase, and whether a second calculation agrees with it.
    func day(_ date: CivilDate?, _ scene: Scene) throws -> Response {
        let (state, date) = (scene.state, date ?? scene.today)
        var filter = WalkFilter()
        (filter.from, filter.until) = (date, date)
        let walks = filter.find(in: scene.walks).walks
        let known = state.dayReports().first { $0.date == date }
        guard known != nil || !walks.isEmpty else {
            let refusal = HTTPRefusal(
                .notFound, "noSuchDay", "The log has no steps and no listed walk of this day.")
            return Response(
                refusal.status,
                body: JSONWriter.line { json in
                    refusal.writeFields(to: &json)
                    json.object("view") {
                        $0.head(of: date, today: scene.today)
                    }
                })
        }
        let day = known ?? DayReport(withoutEvents: date)
        let audit = try log.audit(date, until: state)
        let view = DayView(
            day, audit.staircase, audit.certified, walks: walks, state, at: scene.moment)
        return .json { json in
            DayText(day, state).writeFields(to: &json)
            // A stranger's totals may be very many.
            json.field("changes", audit.staircase.suffix(Self.listedChanges))
            guard day.isKnown else { return json.field("view", view) }
            json.object("certificate") { json in
                switch audit.certified {
                case .success: json.field("holds", true)
                case .failure(let example):
                    json.field("holds", false)
                    json.field("position", example.position)
                    json.field("message", example.sentence)
                }
            }
            json.field("view", view)
        }
    }

    /// The most changes of a day that are told, the latest.
    private static let listedChanges = 12_000

    /// An event, how things stood after it, and what lies between it and another one.
    func event(
        at position: Position, since other: Position?, _ state: LogState
    ) throws -> Response {
        guard max(position, other ?? 0) < state.next,
            let event = try log.events(in: position..<position + 1).first
        else {
            throw HTTPRefusal(.notFound, "noSuchEvent", "The log has no event at this position.")
        }
        let (units, names) = (state.units, state.deviceNames)
        let state = try log.state(until: position + 1)
        let then = state.seenByOthers(isRecording: state.isRecording)
        let recorder = then.own.recorder
        let hasCentral = recorder.isRecording && !then.isSimulated
        let report = StatusReport(
            Scene(
                seeing: then, isRecording: recorder.isRecording, hasCentral: hasCentral,
                at: then.lastMoment))
        let shown = ShownEvent(
            event, offsetMinutes: try log.zoneOffsetMinutes(at: position), units: units,
            names: names)
        let index = try log.timeIndex()
        let day = LogAxis(dayOf: shown.time) { index.counts(in: $0, of: $1) }
        let between = try other.map { other in
            let ends = (min(position, other), max(position, other))
            return try sentence(of: min(ends.0 + 1, ends.1)..<ends.1)
        }
        return .json { json in
            json.field("head", state.head)
            json.field("event", event)
            report.writeFields(to: &json)
            json.object("view") { json in
                json.object("event") { shown.writeFields(to: &$0) }
                json.field("axis", day)
                json.field("between", between)
                report.writeView(
                    to: &json, units: units, isImported: event.header.source != 0)
            }
        }
    }

    /// What a part of the log holds: kind by kind, or of a long one lane by lane, which the heads
    /// of two blocks say.
    private func sentence(of range: Range<Position>) throws -> String {
        guard range.count <= Self.countedEvents else {
            return Words.sentence(between: try log.laneCounts(in: range))
        }
        var between = EventsBetween()
        try log.read(from: range.lowerBound, until: range.upperBound) { event in
            between.count(event)
            return true
        }
        return between.sentence
    }

    /// As many are counted in some milliseconds: those of a long walk.
    private static let countedEvents = 1 << 17

    /// Some events of the log.
    func events(from start: Position, count: Int, _ state: LogState) throws -> Response {
        let end = start < state.next ? min(state.next - start, Position(count)) + start : start
        let events = try log.events(in: start..<end)
        return .json { json in
            json.field("head", state.head)
            json.field("events", events)
        }
    }
}
