internal import Events
internal import Projections

extension WalkFile {
    /// The walk as FIT, an activity file of the sport walking.
    ///
    /// FIT's own fields hold what other programs read: seconds, whole BPM, milliseconds between
    /// beats, centimetres, fifths of a metre of height, degrees to 84 billionths. What they cannot
    /// hold is in developer fields (see <doc:FIT>), with which ``FITReader`` reads the walk as it
    /// was. Neither holds the strap's raw bytes, its contact, why heart rate is missing, readings
    /// that do not count, which of several straps sent a value, and more than 254 bytes of a mark.
    public func fit() -> [UInt8] {
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

    /// Something that happens between records.
    private enum Turn: Int {
        case resume
        case mark
        case pause
    }

    private static let walking = 11
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
            fit.put(8, walk.program)
        }
        fit.write(Number.developerDataID) { fit in
            fit.put(1, FITOwnField.applicationID)
            fit.put(3, .uint8, 0)
        }
        for field in FITOwnField.allCases {
            fit.write(Number.fieldDescription) { fit in
                fit.put(0, .uint8, 0)
                fit.put(1, .uint8, field.rawValue)
                fit.put(2, .uint8, field.type.rawValue)
                fit.put(3, field.name)
                fit.put(8, field.units)
            }
        }
        fit.write(Number.deviceInfo) { fit in
            fit.put(Number.timestamp, .uint32, start)
            fit.put(0, .uint8, 0)
            fit.put(2, .uint16, Self.development)
            fit.put(25, .enumeration, 5)
            fit.put(27, "Pulselog")
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
                fit.put(27, device?.name)
                fit.put(19, device?.manufacturer)
                fit.put(32, .uint8, device?.batteryPercent)
                // FIT says of places on a limb which side they are on, and Bluetooth does not.
                fit.put(18, .enumeration, device?.bodyLocation == 1 ? 17 : nil)
            }
        }
    }

    // MARK: - Records

    mutating func writeTimeline() {
        let start = time(0)
        fit.write(Number.event) { [report] fit in
            fit.put(Number.timestamp, .uint32, start)
            fit.put(0, .enumeration, 0)
            fit.put(1, .enumeration, 0)
            fit.put(.start, report.startedAtMilliseconds)
        }
        var turns = turns[...]
        for row in series.rows {
            // A value of the millisecond in which a pause begins came before it.
            while let turn = turns.first,
                turn.at < row.elapsedMilliseconds
                    || turn.at == row.elapsedMilliseconds && turn.turn != .pause
            {
                write(turns.removeFirst())
            }
            write(row)
        }
        for turn in turns { write(turn) }
        write((end, .pause, ""))
    }

    private var turns: [(at: UInt64, turn: Turn, text: String)] {
        let turns =
            pauses.map { ($0.startMilliseconds, Turn.pause, "") }
            + pauses.filter { $0.endMilliseconds < end }
            .map { ($0.endMilliseconds, Turn.resume, "") }
            + series.marks.map { ($0.elapsedMilliseconds, Turn.mark, $0.text) }
        return turns.sorted { ($0.0, $0.1.rawValue) < ($1.0, $1.1.rawValue) }
    }

    private mutating func write(_ turn: (at: UInt64, turn: Turn, text: String)) {
        let (time, elapsed) = (time(turn.at), exact(turn.at))
        fit.write(Number.event) { fit in
            fit.put(Number.timestamp, .uint32, time)
            switch turn.turn {
            case .resume:
                fit.put(0, .enumeration, 0)
                fit.put(1, .enumeration, 0)
            case .pause:
                fit.put(0, .enumeration, 0)
                fit.put(1, .enumeration, 4)
            case .mark:
                fit.put(0, .enumeration, 32)
                fit.put(1, .enumeration, 3)
                fit.put(.mark, text: turn.text)
            }
            fit.put(.elapsed, elapsed)
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
                fit.put(.intervals, some, count: 5)
            }
        }
    }

    /// Half a turn is 2^31 of them; the meridian of 180 degrees is the nearest that FIT can say.
    private static func semicircles(_ degreesE7: Int64) -> Int64 {
        (((degreesE7 + 1_800_000_000) << 31) + 900_000_000) / 1_800_000_000 - (1 << 31)
    }

    // MARK: - After the records

    mutating func writeLaps() {
        let splits = series.splits.map { ($0.endMilliseconds, 2) }
        let marks = series.marks.map { ($0.elapsedMilliseconds, 0) }
        var samples = series.samples[...]
        var start = FITAmounts()
        for (at, trigger) in (splits + marks).sorted(by: <) + [(end, 7)] {
            let isLast = trigger == 7
            guard isLast || at > start.elapsed && at < end && laps < Self.lapLimit else { continue }
            let heart = samples.prefix { isLast || $0.elapsedMilliseconds < at }
            samples = samples.dropFirst(heart.count)
            let stop = isLast ? FITAmounts(report) : amounts(at: at)
            writeLap(from: start, to: stop, heart.map(\.bpm), trigger)
            start = stop
        }
    }

    private func amounts(at elapsed: UInt64) -> FITAmounts {
        let row = series.row(at: elapsed)
        let paused = pauses.reduce(0) {
            $0 + min($1.endMilliseconds, elapsed) - min($1.startMilliseconds, elapsed)
        }
        return FITAmounts(elapsed: elapsed, active: elapsed - min(paused, elapsed), row)
    }

    private mutating func writeLap(
        from start: FITAmounts, to stop: FITAmounts, _ heart: [UInt16], _ trigger: Int
    ) {
        func grown(_ amount: (FITAmounts) -> UInt64) -> UInt64 {
            let (before, after) = (amount(start), amount(stop))
            return after - min(before, after)
        }
        let (from, to) = (time(start.elapsed), time(stop.elapsed))
        let mean = Hundredths(heart.reduce(0) { $0 + UInt64($1) }, over: UInt64(heart.count))
        fit.write(Number.lap) { [report, laps] fit in
            fit.put(254, .uint16, laps)
            fit.put(Number.timestamp, .uint32, to)
            fit.put(0, .enumeration, 9)
            fit.put(1, .enumeration, 1)
            fit.put(2, .uint32, from)
            fit.put(7, .uint32, grown(\.elapsed))
            fit.put(8, .uint32, grown(\.active))
            fit.put(9, .uint32, report.distanceMillimetres.map { _ in grown(\.centimetres) })
            fit.put(10, .uint32, report.knownSteps.map { _ in grown { $0.steps / 2 } })
            fit.put(15, .uint8, mean?.rounded)
            fit.put(16, .uint8, heart.max())
            fit.put(63, .uint8, heart.min())
            fit.put(24, .enumeration, trigger)
            fit.put(25, .enumeration, Self.walking)
            fit.put(.steps, report.knownSteps.map { _ in grown(\.steps) })
        }
        laps += 1
    }

    mutating func writeEnd() {
        let (start, stop, all) = (time(0), time(end), FITAmounts(report))
        fit.write(Number.session) { [report, laps] fit in
            fit.put(254, .uint16, 0)
            fit.put(Number.timestamp, .uint32, stop)
            fit.put(0, .enumeration, 8)
            fit.put(1, .enumeration, 1)
            fit.put(2, .uint32, start)
            fit.put(5, .enumeration, Self.walking)
            fit.put(6, .enumeration, 0)
            fit.put(7, .uint32, all.elapsed)
            fit.put(8, .uint32, all.active)
            fit.put(9, .uint32, report.distanceMillimetres.map { _ in all.centimetres })
            fit.put(10, .uint32, report.knownSteps.map { $0 / 2 })
            fit.put(11, .uint16, report.knownEnergyCalories.map { ($0 + 500) / 1_000 })
            fit.put(16, .uint8, report.heartRate.mean?.rounded)
            fit.put(17, .uint8, report.heartRate.maximum?.bpm)
            fit.put(64, .uint8, report.heartRate.minimum)
            let hasRoute = report.route.fixes > 0
            fit.put(22, .uint16, hasRoute ? (report.route.ascentMillimetres + 500) / 1_000 : nil)
            fit.put(23, .uint16, hasRoute ? (report.route.descentMillimetres + 500) / 1_000 : nil)
            fit.put(25, .uint16, 0)
            fit.put(26, .uint16, laps)
            fit.put(28, .enumeration, 0)
            fit.put(.steps, report.knownSteps)
            fit.put(.daySteps, report.stepsToday)
        }
        fit.write(Number.activity) { [series] fit in
            fit.put(Number.timestamp, .uint32, stop)
            fit.put(0, .uint32, all.active)
            fit.put(1, .uint16, 1)
            fit.put(2, .enumeration, 0)
            fit.put(3, .enumeration, 26)
            fit.put(4, .enumeration, 1)
            fit.put(5, .uint32, stop + series.offsetMinutes * 60)
        }
    }
}

/// How far the walk has come.
private struct FITAmounts {
    var elapsed: UInt64 = 0
    var active: UInt64 = 0
    var centimetres: UInt64 = 0
    var steps: UInt64 = 0

    init() {}

    init(elapsed: UInt64, active: UInt64, _ row: SessionSeries.Row) {
        (self.elapsed, self.active) = (elapsed, active)
        (centimetres, steps) = (row.distanceMillimetres?.centimetres ?? 0, row.steps ?? 0)
    }

    /// All of it.
    init(_ report: SessionReport) {
        (elapsed, active) = (report.elapsedMilliseconds, report.activeMilliseconds)
        (centimetres, steps) = (report.distanceMillimetres?.centimetres ?? 0, report.steps)
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
