internal import Events
internal import Projections

extension WalkFile {
    /// The walk as FIT, an activity file of its sport.
    ///
    /// FIT's own fields hold what other programs read: seconds, whole BPM, milliseconds between
    /// beats, centimetres, fifths of a metre of height, degrees to 84 billionths. What they cannot
    /// hold is in developer fields (see <doc:FIT>), with which ``FITReader`` reads the walk as it
    /// was. Neither holds the strap's raw bytes, its contact, why heart rate is missing, readings
    /// that do not count, which of several straps sent a value, and more than 254 bytes of a mark.
    package func fit() -> [UInt8] {
        var writer = FITWriter(self)
        writer.writeHead()
        writer.writeTimeline()
        writer.writeLaps()
        writer.writeEnd()
        return writer.fit.finish()
    }
}

private struct FITWriter {
    private typealias Number = FITMessageNumber

    /// Something that happens between records, in the order of what happens at once.
    private enum Turn: Int {
        case resume
        case mark
        case pause

        /// FIT's numbers of it: the timer's start, a marker, the timer's stop.
        var event: (number: Int, type: Int) {
            switch self {
            case .resume: (0, 0)
            case .mark: (32, 3)
            case .pause: (0, 4)
            }
        }
    }

    private static let development = 255
    /// FIT numbers laps in two bytes; what lies after so many is one more.
    private static let lapLimit = 60_000

    var fit = FITEncoder()
    private let report: SessionReport
    private let series: SessionSeries
    private let pauses: [SessionInterval]
    private let walk: WalkFile
    private var laps: UInt16 = 0

    init(_ walk: WalkFile) {
        (self.walk, report, series) = (walk, walk.report, walk.series)
        pauses = series.intervals.filter { $0.kind == .paused }
    }

    private func time(_ elapsed: UInt64) -> Int64 {
        FITTime.seconds(wallMilliseconds: walk.wallMilliseconds(elapsed))
    }

    /// A time that the field has room for; after seven weeks the second has to do.
    private func exact(_ elapsed: UInt64) -> UInt64? { elapsed < UInt32.max ? elapsed : nil }

    private var end: UInt64 { report.elapsedMilliseconds }

    // MARK: - Before the records

    mutating func writeHead() {
        let start = time(0)
        fit.write(Number.fileID) { [report, walk] fit in
            fit.put(0, .enumeration, 4)
            fit.put(1, .uint16, Self.development)
            fit.put(2, .uint16, 1)
            fit.put(3, .uint32z, report.position % 0xFFFF_FFFF + 1)
            fit.put(4, .uint32, start)
            fit.put(8, text: walk.program)
        }
        fit.write(Number.developerDataID) { fit in
            fit.put(1, .byte, FITField.applicationID)
            fit.put(3, .uint8, 0)
        }
        for (number, field) in FITField.own.enumerated() {
            fit.write(Number.fieldDescription) { fit in
                fit.put(0, .uint8, 0)
                fit.put(1, .uint8, number)
                fit.put(2, .uint8, field.type.rawValue)
                fit.put(3, text: field.name)
                fit.put(8, text: field.units)
            }
        }
        fit.write(Number.deviceInfo) { fit in
            fit.put(Number.timestamp, .uint32, start)
            fit.put(0, .uint8, 0)
            fit.put(2, .uint16, Self.development)
            fit.put(25, .enumeration, 5)
            fit.put(27, text: "Pulselog")
        }
        let straps = report.straps.filter { !$0.isExcluded }
        for (index, strap) in straps.enumerated() {
            let device = series.state[report.provenance]?.devices[strap.device]
            fit.write(Number.deviceInfo) { fit in
                fit.put(Number.timestamp, .uint32, start)
                fit.put(0, .uint8, index + 1)
                // A heart-rate monitor over Bluetooth Low Energy.
                fit.put(1, .uint8, 1)
                fit.put(25, .enumeration, 3)
                fit.put(27, text: device?.name)
                fit.put(19, text: device?.manufacturer)
                fit.put(32, .uint8, device?.batteryPercent)
                // FIT says of places on a limb which side they are on, and Bluetooth does not.
                fit.put(18, .enumeration, device?.bodyLocation == 1 ? 17 : nil)
            }
        }
    }

    // MARK: - Records

    mutating func writeTimeline() {
        write(.resume, at: 0, start: report.startedAtMilliseconds)
        var turns = turns[...]
        for row in series.rows {
            // A value of the millisecond in which a pause begins came before it.
            while let (at, turn, text) = turns.first,
                at < row.elapsedMilliseconds || at == row.elapsedMilliseconds && turn != .pause
            {
                write(turn, at: at, text)
                turns.removeFirst()
            }
            write(row)
        }
        for (at, turn, text) in turns { write(turn, at: at, text) }
        write(.pause, at: end)
    }

    private var turns: [(at: UInt64, turn: Turn, text: String?)] {
        var turns: [(at: UInt64, turn: Turn, text: String?)] = []
        for pause in pauses {
            turns.append((pause.startMilliseconds, .pause, nil))
            if pause.endMilliseconds < end { turns.append((pause.endMilliseconds, .resume, nil)) }
        }
        turns += series.marks.map { ($0.elapsedMilliseconds, .mark, $0.text) }
        return turns.sorted { ($0.0, $0.1.rawValue) < ($1.0, $1.1.rawValue) }
    }

    private mutating func write(
        _ turn: Turn, at elapsed: UInt64, _ text: String? = nil, start: Int64? = nil
    ) {
        let (time, exact) = (time(elapsed), exact(elapsed))
        fit.write(Number.event) { fit in
            fit.put(Number.timestamp, .uint32, time)
            fit.put(0, .enumeration, turn.event.number)
            fit.put(1, .enumeration, turn.event.type)
            fit.put(.start, start)
            fit.put(.mark, text: text)
            fit.put(.elapsed, start == nil ? exact : nil)
        }
    }

    private mutating func write(_ row: SessionSeries.Row) {
        guard
            row.sample != nil || row.point != nil || row.steps != nil
                || row.distanceMillimetres != nil
        else { return }
        let (time, elapsed) = (time(row.elapsedMilliseconds), exact(row.elapsedMilliseconds))
        let isByFixes = report.distanceSource == .position
        fit.write(Number.record) { fit in
            fit.put(Number.timestamp, .uint32, time)
            if let point = row.point {
                fit.put(0, .sint32, Self.semicircles(point.latitudeE7))
                fit.put(1, .sint32, Self.semicircles(point.longitudeE7))
                let height = point.altitudeMillimetres.map { min(max($0, -500_000), 1 << 40) }
                fit.put(78, .uint32, height.map { ($0 + 500_100) / 200 })
                fit.put(.altitude, point.altitudeMillimetres)
                fit.put(.accuracy, point.accuracyMillimetres)
            }
            if let bpm = row.sample?.bpm {
                if bpm < 255 { fit.put(3, .uint8, bpm) } else { fit.put(.heartRate, bpm) }
            }
            fit.put(4, .uint8, row.stepsPerMinute.map { $0 / 2 })
            fit.put(53, .uint8, row.stepsPerMinute.map { $0 % 2 * 64 })
            fit.put(5, .uint32, row.distanceMillimetres?.centimetres)
            fit.put(19, .uint32, row.steps.map { $0 / 2 })
            fit.put(.elapsed, elapsed)
            fit.put(.steps, row.steps)
            fit.put(.distance, isByFixes ? nil : row.distanceMillimetres)
        }
        var ticks = (row.sample?.rrTicks ?? [])[...]
        while !ticks.isEmpty {
            let some = Array(ticks.prefix(5))
            ticks = ticks.dropFirst(5)
            fit.write(Number.hrv) { fit in
                fit.put(
                    0, .uint16, some.map { UInt16((UInt32($0) * 1_000 + 512) / 1_024) }, count: 5)
                fit.put(.intervals, .uint32, some, count: 5)
            }
        }
    }

    /// Half a turn is 2^31 of them; the meridian of 180 degrees is the nearest that FIT can say.
    private static func semicircles(_ degreesE7: Int64) -> Int64 {
        (((degreesE7 + 1_800_000_000) << 31) + 900_000_000) / 1_800_000_000 - (1 << 31)
    }

    // MARK: - After the records

    mutating func writeLaps() {
        let cuts: [(at: UInt64, cause: LapCause)] =
            !series.lapEnds.isEmpty
            ? series.lapEnds.map { ($0.elapsedMilliseconds, $0.cause) }
            : series.splits.map { ($0.endMilliseconds, .byDistance) }
                + series.marks.map { ($0.elapsedMilliseconds, .byHand) }
        var ends: [(at: UInt64, cause: LapCause)] = []
        for cut in cuts.sorted(by: { ($0.at, $0.cause.fit) < ($1.at, $1.cause.fit) })
        where cut.at > ends.last?.at ?? 0 && cut.at < end && ends.count < Self.lapLimit {
            ends.append(cut)
        }
        let laps = walk.laps(endingAt: ends.map { walk.reach(at: $0.at) })
        for (index, lap) in laps.enumerated() {
            write(lap, index < ends.count ? ends[index].cause : nil)
        }
    }

    /// Writes a lap, and what ended it; nil for the end of the walk.
    private mutating func write(_ lap: WalkLap, _ cause: LapCause?) {
        let isOwn = cause != nil && !series.lapEnds.isEmpty
        let (from, to) = (time(lap.start.elapsedMilliseconds), time(lap.end.elapsedMilliseconds))
        let mean = Hundredths(lap.bpm.reduce(0) { $0 + UInt64($1) }, over: UInt64(lap.bpm.count))
        fit.write(Number.lap) { [report, walk, laps] fit in
            fit.put(254, .uint16, laps)
            fit.put(Number.timestamp, .uint32, to)
            fit.put(0, .enumeration, 9)
            fit.put(1, .enumeration, 1)
            fit.put(2, .uint32, from)
            fit.put(7, .uint32, lap.grown(\.elapsedMilliseconds))
            fit.put(8, .uint32, lap.grown(\.activeMilliseconds))
            let centimetres = report.distanceMillimetres.map { _ in
                lap.grown(\.millimetres.centimetres)
            }
            fit.put(9, .uint32, centimetres)
            fit.put(10, .uint32, report.knownSteps.map { _ in lap.grown { $0.steps / 2 } })
            fit.put(15, .uint8, mean?.rounded)
            fit.put(16, .uint8, lap.bpm.max())
            fit.put(63, .uint8, lap.bpm.min())
            fit.put(24, .enumeration, cause?.fit ?? 7)
            fit.put(25, .enumeration, walk.sport.fit.sport)
            fit.put(39, .enumeration, walk.sport.fit.part)
            fit.put(.elapsed, isOwn ? lap.end.elapsedMilliseconds : nil)
            fit.put(.cause, isOwn ? cause?.rawValue : nil)
            fit.put(.steps, report.knownSteps.map { _ in lap.grown(\.steps) })
        }
        laps += 1
    }

    mutating func writeEnd() {
        let (start, stop) = (time(0), time(end))
        fit.write(Number.session) { [report, walk, laps] fit in
            fit.put(254, .uint16, 0)
            fit.put(Number.timestamp, .uint32, stop)
            fit.put(0, .enumeration, 8)
            fit.put(1, .enumeration, 1)
            fit.put(2, .uint32, start)
            fit.put(5, .enumeration, walk.sport.fit.sport)
            fit.put(6, .enumeration, walk.sport.fit.part)
            fit.put(7, .uint32, report.elapsedMilliseconds)
            fit.put(8, .uint32, report.activeMilliseconds)
            fit.put(9, .uint32, report.distanceMillimetres?.centimetres)
            fit.put(10, .uint32, report.knownSteps.map { $0 / 2 })
            fit.put(11, .uint16, report.knownEnergyCalories.map { ($0 + 500) / 1_000 })
            fit.put(16, .uint8, report.heartRate.mean?.rounded)
            fit.put(17, .uint8, report.heartRate.maximum?.bpm)
            fit.put(64, .uint8, report.heartRate.minimum)
            let (route, climbs) = (report.route, report.route.hasHeights)
            fit.put(22, .uint16, climbs ? (route.ascentMillimetres + 500) / 1_000 : nil)
            fit.put(23, .uint16, climbs ? (route.descentMillimetres + 500) / 1_000 : nil)
            fit.put(25, .uint16, 0)
            fit.put(26, .uint16, laps)
            fit.put(28, .enumeration, 0)
            fit.put(.steps, report.knownSteps)
            fit.put(.daySteps, report.stepsToday)
            for measure in report.way.measures {
                fit.put(.length(by: measure), report.way.measured[measure])
            }
        }
        fit.write(Number.activity) { [report, series] fit in
            fit.put(Number.timestamp, .uint32, stop)
            fit.put(0, .uint32, report.activeMilliseconds)
            fit.put(1, .uint16, 1)
            fit.put(2, .enumeration, 0)
            fit.put(3, .enumeration, 26)
            fit.put(4, .enumeration, 1)
            fit.put(5, .uint32, stop + series.offsetMinutes * 60)
        }
    }
}

extension UInt64 {
    /// Millimetres as the nearest centimetres.
    fileprivate var centimetres: UInt64 { (self + 5) / 10 }
}

extension Hundredths {
    /// The nearest whole number.
    fileprivate var rounded: UInt64 { (value + 50) / 100 }
}
