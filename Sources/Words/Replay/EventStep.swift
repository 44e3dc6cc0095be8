internal import BluetoothCentral
internal import Decoding
package import Events
package import JSON
package import Projections
internal import Text

/// One event of a replay, taken apart: what happened, the bytes that arrived, what they mean, what
/// was shown then, and which figures, or which fields of the state, became another one.
package struct EventStep: Answer, JSONObject {
    /// Columns before what belongs to the event.
    private static let indent = "            "
    /// The most columns of a line.
    private static let columnLimit = 80
    /// The most hexadecimal digits of a line, and the most lines of them.
    private static let digitsPerLine = 64
    private static let digitLines = 4

    private let recorded: RecordedEvent
    private let value: ReportedValue?
    private let changes: [FieldChange]
    private let connection: ConnectionView
    private let stepsToday: UInt64
    private let digest: String?
    /// The event's own line, below the headings that it needs.
    private let heading: String

    /// Takes an event apart.
    ///
    /// - Parameters:
    ///   - recorded: The event.
    ///   - before: The state before it.
    ///   - after: The state after it.
    ///   - isWhole: Whether every field of the state is compared, and not only what people see.
    ///   - heading: The event's own line for people, with its end.
    ///   - digest: The digest of the state after it, if that is wanted.
    package init(
        _ recorded: RecordedEvent, from before: LogState, to after: LogState, isWhole: Bool = true,
        heading: String, digest: String? = nil
    ) {
        self.recorded = recorded
        value = recorded.event.value
        (self.heading, self.digest) = (heading, digest)
        changes =
            isWhole
            ? FieldChange.changes(from: before, to: after)
            : ShownFigures(before).changes(to: ShownFigures(after)).filter(\.isNews)
        // Now is when the event came, as a recorder would have shown it.
        let now = Moment(recorded.header.stamp, recorded.header.flags)
        let after = after.seenByOthers(isRecording: after.isRecording)
        connection = ConnectionView(after, at: now)
        stepsToday = after.own.stepsToday(at: now)
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to line: inout JSONWriter) {
        line.field("position", recorded.header.position)
        line.field("event", recorded)
        line.field("words", recorded.event.words)
        line.field("bytes", hexadecimal(bytes))
        writeMeaning(to: &line)
        line.object("view") { view in
            view.field("connection", connection.status.rawValue)
            view.field("heartRateBPM", connection.heartRateBPM)
            view.field("ageMilliseconds", connection.ageMilliseconds)
            view.field("stepsToday", stepsToday)
        }
        line.field("changes", changes)
        if let digest { line.field("digest", digest) }
    }

    /// The event's line, and below it what belongs to it.
    package var text: String {
        var text = heading
        let digits = hexadecimal(bytes)
        for (index, line) in Self.pieces(of: digits).enumerated() {
            text += Self.row(index == 0 ? "bytes" : "", line)
        }
        if let meaning = decoded { text += Self.row("decoded", meaning) }
        var shown = connection.status.rawValue
        if let bpm = connection.heartRateBPM { shown = "\(bpm) BPM, " + shown }
        text += Self.row("shown", "\(shown), today \(counted(stepsToday, "step"))")
        if let digest { text += Self.row("digest", digest) }
        for change in changes { text += Self.lines(change) }
        return text
    }

    // MARK: - The bytes

    /// What arrived: the characteristic's value; of any other event the payload in the log.
    private var bytes: [UInt8] {
        if let value { return value.bytes }
        do throws(FieldError) {
            return try recorded.event.encodedPayload()
        } catch {
            return []  // No log holds such an event.
        }
    }

    private func writeMeaning(to line: inout JSONWriter) {
        guard let value else { return line.field("decoded", nil as String?) }
        line.object("decoded") { object in
            object.field("characteristic", value.code.shortUUID)
            switch value.meaning {
            case .success(let decoded): decoded.writeMeaning(to: &object)
            case .failure(let error): error.writeError(to: &object)
            }
        }
    }

    private var decoded: String? {
        switch value?.meaning {
        case .success(let decoded)?: decoded.words
        case .failure(let error)?: error.description
        case nil: nil
        }
    }

    // MARK: - Lines

    private static func row(_ title: String, _ words: String) -> String {
        labelled(title, to: 9, indent: indent.utf8.count, words)
    }

    private static func pieces(of digits: String) -> [String] {
        var pieces: [String] = []
        var rest = digits[...]
        while !rest.isEmpty, pieces.count < digitLines {
            pieces.append(String(rest.prefix(digitsPerLine)))
            rest = rest.dropFirst(digitsPerLine)
        }
        if !rest.isEmpty { pieces.append("… \(rest.utf8.count / 2) bytes more") }
        return pieces
    }

    /// `field: before -> after`, in two lines where one is too short.
    private static func lines(_ change: FieldChange) -> String {
        let values = "\(printable("\(change.before)")) -> \(printable("\(change.after)"))"
        let field = printable(change.field, limit: columnLimit - indent.utf8.count - 2)
        let line = "\(indent)\(field): \(values)"
        guard columns(of: line) > columnLimit else { return line + "\n" }
        return "\(indent)\(field):\n\(indent)  \(cut(values, to: columnLimit - 14))\n"
    }
}

extension FieldChange {
    /// Whether a person asks for it: not for what begins with nothing, nor how time and positions
    /// pass, which the event's own line says, nor for what only tells other figures apart.
    fileprivate var isNews: Bool {
        let nothing: [FieldValue] = [.absent, .unsigned(0), .hundredths(0), .flag(false)]
        if nothing.contains(before), nothing.contains(after) { return false }
        let isInner = field.contains(".bounds.") || field.contains(".standing.")
        if isInner || field.hasSuffix("].positions") { return false }
        guard field.hasSuffix("Milliseconds"), case .unsigned = after else { return true }
        return false
    }
}
