package import Events
internal import Text

/// Reads a list of intervals between heart beats: one a line, in milliseconds or seconds, as HRV
/// programs exchange them.
///
/// Where a head names the column that they are in, there may be others.
///
/// A line that begins with `#` is a comment; one that says an instant before the first interval
/// says when that one began, and `# gap 4210 ms` is time without intervals. The heart rate is
/// worked out from each interval.
package struct RRTextReader: WalkReader {
    /// The most bytes of a line.
    private static let lineLimit = 1_024
    /// The most milliseconds of a gap: a week.
    private static let gapLimit: Int64 = 604_800_000

    private var now: Int64?
    private var microseconds: Int64 = 0
    private var line: [UInt8] = []
    private var lineNumber = 0
    private var isInSeconds: Bool?
    /// Which of a line's cells is the interval.
    private var column = 0
    private var points: WalkPoints

    /// Why nothing can be read any further.
    package private(set) var damage: String?

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - times: What somebody says of its times.
    ///   - end: As of ``WalkFacts/init(until:keptIn:)``.
    ///   - keeper: Where facts are kept; nil for memory.
    package init(_ times: StatedTimes, until end: Int64, keptIn keeper: ByteKeeper? = nil) {
        now = times.beganAtMilliseconds
        points = WalkPoints(until: end, keptIn: keeper)
        points.beginLap(at: now)
    }

    /// Recognizes a list: four lines or more, of nothing but numbers between comments, nine in ten
    /// of which can be intervals; a head may stand before them.
    ///
    /// - Parameter start: Its first lines.
    /// - Returns: Whether it is one.
    static func recognizes(_ start: [UInt8]) -> Bool {
        guard !start.contains(0) else { return false }
        var lines = start.prefix(4_096).split { $0 == 0x0A || $0 == 0x0D }
            .map { String(decoding: $0, as: UTF8.self).withoutSpace }
        if start.count > 4_096 { lines = lines.dropLast() }
        lines.removeAll { $0.isEmpty || $0.hasPrefix("#") }
        let column = column(of: lines.first ?? "")
        let hasHead = column != nil
        if hasHead || DecimalText(lines.first ?? "") == nil { lines = Array(lines.dropFirst()) }
        if let column { lines = lines.map { cell(column, of: $0) } }
        let wrong = lines.count { line in
            // Two bytes of a value begin with flags below 0x10: with a zero.
            let isSeconds = line.contains(".") && BeatInterval(line, inSeconds: true) != nil
            return !isSeconds && (line.hasPrefix("0") || BeatInterval(line) == nil)
        }
        return lines.count >= (hasHead ? 1 : 4) && wrong * 10 <= lines.count
            && lines.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } }
    }

    /// Which cell of a head names intervals; nil if none does, and if this is no head.
    private static func column(of head: String) -> Int? {
        cells(head).firstIndex { cell in
            cell.lowercased().split { !$0.isLetter }.contains {
                ["rr", "rri", "ibi", "hrv", "interval", "intervals"].contains($0)
            }
        }
    }

    /// The cells of a line, with a point in its numbers.
    private static func cells(_ line: String) -> [String] {
        let separator = ";\t,".first { line.contains($0) }
        guard let separator else { return [line] }
        return line.split(separator: separator, omittingEmptySubsequences: false).map {
            String($0).withoutSpace.replacing(",", with: ".")
        }
    }

    private static func cell(_ column: Int, of line: String) -> String {
        let cells = cells(line)
        return column < cells.count ? cells[column] : ""
    }

    /// Reads the next bytes.
    package mutating func push(_ bytes: Span<UInt8>) {
        for index in bytes.indices where damage == nil {
            let byte = bytes[index]
            if byte == 0x0A || byte == 0x0D { endLine() } else { line.append(byte) }
            if line.count > Self.lineLimit { damage = "Line \(lineNumber + 1) is too long." }
        }
    }

    /// Says that no bytes follow.
    package mutating func finish() {
        if damage == nil { endLine() }
        points.endWalk()
    }

    /// What the file says.
    package var facts: WalkFacts { points.facts }

    private mutating func endLine() {
        defer { line.removeAll(keepingCapacity: true) }
        lineNumber += 1
        let text = String(decoding: line, as: UTF8.self).withoutSpace
        guard !text.isEmpty else { return }
        if text.hasPrefix("#") { return takeComment(text) }
        if isInSeconds == nil, let column = Self.column(of: text) {
            self.column = column
            let others = Self.cells(text).count - 1
            guard others > 0 else { return }
            return points.facts.leaveOut("columns that are not known", count: UInt64(others))
        }
        let cell = Self.cell(column, of: text)
        // A list is in one unit, and no interval of 10 ms or 10 s is one, nor of 0.
        if isInSeconds == nil, let value = DecimalText(cell)?.whole(timesTenTo: 3), value > 0 {
            isInSeconds = value < 10_000
        }
        guard let interval = BeatInterval(cell, inSeconds: isInSeconds ?? false) else {
            return points.facts.leaveOut("lines that are not an interval")
        }
        guard let now else { return damage = StatedTimes.withoutDate }
        microseconds += interval.microseconds
        points.add(
            WalkPoints.Point(heartRateBPM: interval.heartRateBPM, rrTicks: [interval.ticks]),
            at: now + microseconds / 1_000)
    }

    private mutating func takeComment(_ text: String) {
        let words = text.dropFirst().split { " \t,".contains($0) }.map(String.init)
        if now == nil, let instant = words.lazy.compactMap({ InstantText($0) }).first {
            now = instant.milliseconds
            points.beginLap(at: now)
        }
        if words.first == "gap", words.count > 1, let gap = words[1].whole(upTo: Self.gapLimit) {
            now = now.map { $0 + Int64(gap) }
        }
    }
}
