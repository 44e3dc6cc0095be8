internal import Events
internal import Projections
internal import Recording
internal import Text
internal import Words

/// A scene as lines for a terminal of a size.
///
/// Numbers stand in fixed columns: nothing moves when 99 becomes 100, or a value becomes a dash.
struct WalkScreen {
    /// Where text begins.
    static let left = 3
    /// The smallest screen that is more than a line.
    static let smallest = (columns: 40, rows: 10)

    /// The lines from the top.
    private(set) var lines: [StyledLine] = []

    let front: WalkFront
    let scene: Scene
    let report: SessionReport?
    let now: UInt64
    let columns: Int
    let look: Look

    init(
        _ front: WalkFront, _ scene: Scene, at now: UInt64, size: (columns: Int, rows: Int),
        _ look: Look
    ) {
        (self.front, self.scene) = (front, scene)
        report = scene.report
        self.now = now
        columns = size.columns
        self.look = look
        if size.columns < Self.smallest.columns || size.rows < Self.smallest.rows {
            lines = [front.prompt == .none ? small : lastLine]
        } else {
            lines = full(rows: size.rows)
        }
    }

    /// Which parts are shown, by how many times something was dropped to make room.
    private struct Parts {
        let dropped: Int
        var present: Bool { dropped < 1 }
        var messages: Int { dropped < 2 ? .max : dropped == 2 ? 1 : 0 }
        var page: Bool { dropped < 4 }
        var today: Bool { dropped < 5 }
        var trace: Bool { dropped < 6 }
        var spaces: Bool { dropped < 7 }
    }

    private func full(rows: Int) -> [StyledLine] {
        for parts in (0...7).map(Parts.init) {
            let groups = groups(parts, rows: rows)
            let spaces = parts.spaces ? groups.count : 0
            let height = groups.reduce(1) { $0 + $1.count } + spaces
            guard height <= rows || !parts.spaces else { continue }
            var lines: [StyledLine] = []
            for group in groups { lines += group + (parts.spaces ? [StyledLine()] : []) }
            lines = Array(lines.prefix(rows - 1))
            let room = rows - 1 - lines.count
            lines += [StyledLine](repeating: StyledLine(), count: room)
            lines.append(lastLine)
            guard parts.messages == 0 else { return lines }
            let brief = brief.suffix(rows - 3)
            return lines.dropLast(brief.count) + brief
        }
        return []
    }

    /// Groups of lines that belong together, without the last line.
    private func groups(_ parts: Parts, rows: Int) -> [[StyledLine]] {
        var groups = [[header]]
        if front.showsHelp { return groups + [help(rows: rows - 4)] }
        let bluetooth = scene.bluetoothProblem.map { told($0, .caution) }
        groups.append(bluetooth ?? (hasHeart ? [heart] : []))
        groups.append(scene.storageProblem.map { told($0, .caution) } ?? [])
        if report == nil {
            groups.append(goals)
        } else {
            if parts.trace, hasHeart { groups.append(trace) }
            groups.append(
                measures + (parts.present ? present : [])
                    + (parts.today ? today : []))
        }
        if parts.page { groups.append(page) }
        groups.append(messages(parts.messages))
        return groups.filter { !$0.isEmpty }
    }

    /// Whether something senses the heart, or has.
    var hasHeart: Bool { scene.strap.device != nil || report?.heartRate.samples ?? 0 > 0 }

    // MARK: - The first line

    private var header: StyledLine {
        var line = StyledLine(" ")
        line.add(state)
        if let report {
            let time = TimeText.duration(report.activeMilliseconds)
            line.add(alignedRight(time, 9), .strong, at: 20)
        }
        let strap = strap(within: columns - 1 - line.columns)
        let room = columns - 1 - line.columns - 2 - strap.columns
        let name = scene.strap.title ?? scene.loneCounter.map { deviceTitle($0.name, $0.id) }
        let title = room < 4 ? "" : cut(name ?? "", to: room)
        let width = Text.columns(of: title) + strap.columns
        line.add(title, at: columns - width - 1)
        line.add(strap)
        return line
    }

    private var state: StyledLine {
        switch scene.phase {
        case .settingUp:
            scene.strap.word == .scanning
                ? StyledLine("\(look.ready) Looking for the strap", .quiet)
                : StyledLine("\(look.ready) Ready", .quiet)
        case .starting: StyledLine("\(look.ready) Starting", .quiet)
        case .ending, .failed: StyledLine("\(look.ready) Ending", .quiet)
        case .ended: StyledLine("\(look.ready) Finished", .quiet)
        case nil where report.map({ $0.state == .ended }) ?? true:
            StyledLine("\(look.ready) Replay", .quiet)
        case .recording, nil:
            if let pause = report?.pauseMilliseconds {
                StyledLine(
                    "\(look.paused) \(report?.standsStill == true ? "Standing still" : "Paused") "
                        + TimeText.duration(pause), .caution)
            } else if scene.storageProblem != nil {
                StyledLine("\(look.running) Waiting", .caution)
            } else {
                scene.isReplay || !scene.state.isSimulated
                    ? StyledLine(look.running + (scene.isReplay ? " Replay" : " Recording"), .good)
                    : StyledLine("\(look.running) Simulated", .caution)
            }
        }
    }

    /// What comes after the strap's name, as far as there is room for it.
    private func strap(within room: Int) -> StyledLine {
        let status = scene.strap
        var line = StyledLine()
        let isQuiet = status.word != .connected && status.word.bluetoothProblem == nil
        let counter = status.word.bluetoothProblem == nil ? scene.loneCounter : nil
        let trouble = counter.map { $0.link.isUp ? nil : "no link" } ?? status.trouble
        func fits(_ text: String) -> Bool { line.columns + text.count <= room }
        let words = trouble.map { "  \($0)" } ?? ""
        if fits(words) { line.add(words, isQuiet ? .quiet : .caution) }
        let isUp = status.word == .connected || trouble == nil
        if isUp, let battery = status.batteryPercent ?? counter?.batteryPercent {
            let isLow = battery <= Narrator.lowBatteryPercents.max() ?? 0
            let words = ["  battery \(battery) %" + (isLow ? ", low" : ""), "  \(battery) %"]
            line.add(words.first(where: fits) ?? "", isLow ? .caution : .plain)
        }
        return line
    }

    // MARK: - The heart

    private var heart: StyledLine {
        var line = StyledLine("   ")
        if report?.state == .paused, report?.standsStill == false {
            line.add("\(look.outlineHeart) \(alignedRight(look.dash, 3)) BPM", .quiet)
            line.add("paused", .quiet, at: 15)
        } else if let bpm = scene.strap.currentBPM {
            let isBright = front.isHeartBright(at: now, look)
            line.add(look.heart, isBright ? .heart : .dimHeart)
            line.add(" \(alignedRight("\(bpm)", 3)) BPM", .strong)
            line.move(to: 15)
            let zone = zones.zone(ofHundredths: UInt64(bpm) * 100)
            line.add(zone.name, .zone(zone))
        } else {
            line.add("\(look.heart) \(alignedRight(look.dash, 3)) BPM", .quiet)
            line.move(to: 15)
            let isLinked = scene.strap.status != .disconnected
            line.add(isLinked ? scene.strap.trouble ?? "no value" : "no link", .quiet)
        }
        if let report { addMeans(report, to: &line) }
        return line
    }

    private var zones: Zones {
        scene.state.own.sessions.open?.zones
            ?? Zones(of: scene.state.own.recorder.profile)
    }

    private func addMeans(_ report: SessionReport, to line: inout StyledLine) {
        let rate = report.heartRate
        let mean = rate.mean?.description ?? look.dash
        let highest = rate.supportedMaximum.map { "\($0.bpm)" } ?? look.dash
        let rmssd = report.filteredRR.rmssdMilliseconds.map { "\(($0.value + 50) / 100)" }
        let figures = [
            (33, "mean \(alignedRight(mean, 6))"), (47, "highest \(alignedRight(highest, 3))"),
            (61, "HRV \(alignedRight(rmssd ?? look.dash, 3))\(rmssd == nil ? "" : " ms")"),
            (75, "over time \(alignedRight(rate.timeWeightedMean?.description ?? look.dash, 6))"),
            (94, "lowest \(alignedRight(rate.minimum.map { "\($0)" } ?? look.dash, 3))"),
        ]
        for (column, figure) in figures where column + figure.count < columns {
            line.add(figure, at: column)
        }
    }

    // MARK: - The last minutes

    /// Three rows of bars between the limits of the zones, and the axis below.
    private var trace: [StyledLine] {
        let width = columns - 11
        let means = front.trace.means(columns: width, at: now)
        let limits = zones.starts.dropFirst().map { $0 / 100 }
        let lowest = limits[0] - min(limits[0], 40)
        var rows: [StyledLine] = []
        for (row, top) in limits.enumerated().reversed() {
            let bottom = row == 0 ? lowest : limits[row - 1]
            var line = StyledLine("   \(alignedRight("\(top)", 3)) \(look.axis.side)", .quiet)
            for mean in means { addCell(mean, bottom, top, isLowest: row == 0, to: &line) }
            rows.append(line)
        }
        return rows + [axis(width)]
    }

    private func addCell(
        _ mean: UInt64?, _ bottom: UInt64, _ top: UInt64, isLowest: Bool, to line: inout StyledLine
    ) {
        guard let mean, mean > bottom || isLowest else { return line.add(" ") }
        let zone = zones.zone(ofHundredths: mean * 100)
        let height = mean - min(mean, bottom)
        let eighth = top > bottom ? Int(height * 8 / (top - bottom)) : 7
        line.add(look.eighths[min(eighth, 7)], .zone(zone))
    }

    private func axis(_ width: Int) -> StyledLine {
        let wall = scene.moment.stamp.wallMilliseconds
        let (first, _) = wall.subtractingReportingOverflow(Int64(HeartTrace.spanMilliseconds))
        let (begin, end) = (scene.time(first).clock, scene.now.clock)
        var line = StyledLine("       \(look.axis.corner) \(begin)", .quiet)
        let label = "\(look.dot)no link\(look.dot)"
        for range in front.trace.lossColumns(columns: width, at: now) {
            let start = 8 + (range.lowerBound + range.upperBound + 1 - label.count) / 2
            guard start > line.columns, start + label.count < columns - 8 else { continue }
            line.add(label, .quiet, at: start)
        }
        line.add(end, .quiet, at: columns - 8)
        return line
    }
}
