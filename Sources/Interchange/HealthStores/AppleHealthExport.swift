internal import Text
internal import XML

/// Reads the steps out of Apple Health's `export.xml`, in pieces.
///
/// Source of the form: the document type at the head of the file itself. Only elements `Record` of
/// type `HKQuantityTypeIdentifierStepCount` directly in `HealthData` count; how several sources of
/// one time become one count is the rule of ``StepRecords``, since the health store's own merging
/// is not in the file. A record is of the zone that its metadata names (`HKTimeZone`), or else of
/// the one that its start is written in, which is the phone's when it was exported.
///
/// ```swift
/// var records = StepRecords { _ in 60 }
/// var export = AppleHealthExport()
/// for chunk in chunks { try export.push(chunk, into: &records) }
/// try export.finish(into: &records)
/// let totals = try records.totals()
/// ```
///
/// The document type is passed over: some versions of iOS wrote one that is not XML, and nothing of
/// it is needed. After bytes that are not XML reading continues at the next record.
///
/// After an error of code `damaged` the records that stand before the damage are there: a part of
/// the file has no more steps than the whole, so their totals are lower bounds.
package struct AppleHealthExport: ~Copyable {
    /// Minutes east of UTC of a zone by its name, at a UTC time in milliseconds; nil for a zone
    /// that is not known.
    package typealias NamedZone = (_ name: String, _ milliseconds: Int64) -> Int64?

    /// Step records whose count, unit or dates cannot be read.
    package var unreadableCount: UInt64 { reader.unreadableCount }
    /// What the first of these has for its start, count and unit; nil if there is none.
    package var firstUnreadable: String? { reader.firstUnreadable }
    /// How many times bytes that are not XML were passed over, up to the next record.
    package private(set) var skippedCount = 0
    /// The first of these places, in a sentence.
    package private(set) var firstSkipped: String?
    /// The workouts.
    package var workouts: [HealthWorkout] { reader.workouts.all }
    /// The walks that the given workouts are, with the heart rates in them.
    package var walks: HealthWalks {
        var walks = reader.walks
        walks.finish()
        for (what, count) in reader.workouts.facts.leftOut {
            walks.facts.leaveOut(what, count: count)
        }
        return walks
    }

    /// Files with more places that are not XML are not read further.
    static let skippedLimit = 100_000
    /// The document type begins within so many bytes.
    private static let headBytes = 4_096
    private static let root = Array("<HealthData".utf8)
    private static let documentType = Array("<!DOCTYPE".utf8)
    private static let record = Array("<Record".utf8)
    private static let end = Array("</HealthData".utf8)

    private enum Phase {
        /// Nothing but the beginning of the file is held.
        case head
        /// What comes before the outermost element is passed over.
        case documentType
        case reading
        /// What comes before the next record is passed over, because of an error.
        case skipping(XMLError)
    }

    private var phase = Phase.head
    private var stream = XMLStream()
    private var reader: RecordReader
    /// How many bytes the stream has read before those that are held.
    private var streamedCount = 0
    /// What has not been read yet, from `position`.
    private var held: [UInt8] = []
    private var position = 0

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - workouts: Those whose heart rates are wanted, from an earlier reading, because they
    ///     stand after them; in order, none within another.
    ///   - namedZone: The zones that are known by name; none by default.
    package init(
        heartRatesOf workouts: [HealthWorkout] = [],
        namedZone: @escaping NamedZone = { _, _ in nil }
    ) {
        reader = RecordReader(namedZone: namedZone, walks: HealthWalks(workouts))
    }

    /// Reads the next piece of the file.
    ///
    /// - Parameters:
    ///   - bytes: The piece, less than 2 GiB; pieces may be cut anywhere.
    ///   - records: Where the step records go.
    /// - Throws: ``HealthStoreError``; nothing can be read after it.
    package mutating func push(
        _ bytes: [UInt8], into records: inout StepRecords
    ) throws(HealthStoreError) {
        if position == held.count {
            held = bytes
        } else {
            held.removeFirst(position)
            held += bytes
        }
        position = 0
        var hasMore = true
        while hasMore { hasMore = try advance(&records) }
    }

    /// Ends the file.
    ///
    /// - Parameter records: Where the step records go.
    /// - Throws: ``HealthStoreError`` of code `damaged` if the file is cut off.
    package mutating func finish(into records: inout StepRecords) throws(HealthStoreError) {
        switch phase {
        case .head:
            phase = .reading
            var hasMore = true
            while hasMore { hasMore = try advance(&records) }
            return try finish(into: &records)
        case .documentType:
            throw HealthStoreError(
                .damaged,
                "This XML has no HealthData after its document type: it is cut off, or not an "
                    + "Apple Health export.")
        case .skipping(let error):
            reader.flush(into: &records)
            throw HealthStoreError(error)
        case .reading: break
        }
        var reader = reader
        defer { self.reader = reader }
        do throws(XMLError) {
            try stream.finish { reader.take($0, into: &records) }
        } catch {
            reader.flush(into: &records)
            throw HealthStoreError(error)
        }
        reader.flush(into: &records)
        if let failure = reader.failure { throw failure }
    }

    fileprivate static let foreign = HealthStoreError(
        .foreign,
        "This XML is neither a walk, as GPX or TCX, nor an Apple Health export, which has a "
            + "HealthData. Export it in another format.")

    // MARK: - Pieces

    /// Reads what is held as far as the phase goes.
    ///
    /// - Returns: Whether another phase has more to read of it.
    private mutating func advance(_ records: inout StepRecords) throws(HealthStoreError) -> Bool {
        switch phase {
        case .head:
            if let place = held.place(of: [Self.documentType, Self.root]) {
                let hasDocumentType = held[place...].starts(with: Self.documentType)
                phase = hasDocumentType ? .documentType : .reading
                return hasDocumentType ? try read(to: place, &records) : true
            }
            guard held.count >= Self.headBytes else { return false }
            phase = .reading
            return true
        case .documentType:
            guard pass(to: [Self.root]) else { return false }
            phase = .reading
            return true
        case .reading: return try read(to: held.count, &records)
        case .skipping:
            guard pass(to: [Self.record, Self.end]) else { return false }
            let lines = stream.linesBefore
            stream = XMLStream()
            stream.linesBefore = lines
            streamedCount = try begin()
            phase = .reading
            return true
        }
    }

    /// Begins the outermost element again.
    private mutating func begin() throws(HealthStoreError) -> Int {
        let tag = Self.root + Array(">".utf8)
        do throws(XMLError) {
            _ = try stream.push(tag.span) { _ in true }
        } catch {
            throw HealthStoreError(error)
        }
        return tag.count
    }

    /// Drops what is held up to the first of some texts, and counts its lines.
    ///
    /// - Returns: Whether one is there; if not, what may be the beginning of one is still held.
    private mutating func pass(to texts: [[UInt8]]) -> Bool {
        let found = held.place(of: texts, from: position)
        let longest = texts.reduce(0) { max($0, $1.count) }
        let next = found ?? max(position, held.count - longest + 1)
        stream.linesBefore += held[position..<next].count { $0 == UInt8(ascii: "\n") }
        position = next
        return found != nil
    }

    /// Lets the stream read up to a place.
    ///
    /// - Returns: Whether there is more to read.
    private mutating func read(
        to end: Int, _ records: inout StepRecords
    ) throws(HealthStoreError) -> Bool {
        var reader = reader
        defer { self.reader = reader }
        let bytes = held
        do throws(XMLError) {
            _ = try stream.push(bytes.span.extracting(position..<end)) {
                reader.take($0, into: &records)
            }
        } catch {
            reader.flush(into: &records)
            guard error.code == .malformed, reader.hasRoot, skippedCount < Self.skippedLimit else {
                throw HealthStoreError(error)
            }
            skippedCount += 1
            firstSkipped = firstSkipped ?? error.description
            // Where a tag began in an earlier piece, what is left of it is in this one. A stream
            // that fails at once does not begin there again.
            let isFresh = streamedCount == Self.root.count + 1
            let place = max(error.offset - streamedCount, isFresh ? 1 : 0)
            position = min(position + place, end)
            stream.linesBefore = error.line - 1
            phase = .skipping(error)
            return true
        }
        if let failure = reader.failure { throw failure }
        streamedCount += end - position
        position = end
        return end < held.count
    }
}

extension [UInt8] {
    /// Where the first of some texts begins, each of which begins with `<`.
    fileprivate func place(of texts: [[UInt8]], from start: Int = 0) -> Int? {
        var place = start
        while let next = self[place...].firstIndex(of: UInt8(ascii: "<")) {
            if texts.contains(where: { self[next...].starts(with: $0) }) { return next }
            place = next + 1
        }
        return nil
    }
}

/// What came of the elements so far.
private struct RecordReader {
    /// A step record whose metadata may follow.
    struct Pending {
        let source: String
        let start: InstantText
        let end: InstantText
        let thousandths: Int64
        var offsetMinutes: Int64?
    }

    let namedZone: AppleHealthExport.NamedZone
    var hasRoot = false
    var unreadableCount: UInt64 = 0
    var firstUnreadable: String?
    var failure: HealthStoreError?
    var workouts = AppleHealthWorkouts()
    var walks: HealthWalks
    var pending: Pending?

    /// Looks at an element.
    ///
    /// - Returns: Whether to continue.
    mutating func take(_ element: borrowing XMLElement, into records: inout StepRecords) -> Bool {
        workouts.take(element)
        walks.take(element)
        if element.depth > 2 {
            takeZone(element)
            return true
        }
        flush(into: &records)
        if element.depth == 1 {
            hasRoot = element.isNamed("HealthData")
            if !hasRoot { failure = AppleHealthExport.foreign }
        } else if element.isNamed("Record"),
            element.attribute("type", is: "HKQuantityTypeIdentifierStepCount")
        {
            takeRecord(element)
        }
        return failure == nil
    }

    /// Adds the record whose metadata is complete.
    mutating func flush(into records: inout StepRecords) {
        guard let record = pending else { return }
        pending = nil
        do throws(HealthStoreError) {
            try records.add(
                source: record.source, from: record.start.milliseconds,
                until: record.end.milliseconds, thousandths: record.thousandths,
                offsetMinutes: record.offsetMinutes ?? record.start.offsetMinutes)
        } catch {
            failure = error
        }
    }

    private mutating func takeZone(_ element: borrowing XMLElement) {
        guard let record = pending, element.depth == 3, element.isNamed("MetadataEntry"),
            element.attribute("key", is: "HKTimeZone"), let name = element.attribute("value")
        else { return }
        pending?.offsetMinutes = namedZone(name, record.start.milliseconds)
    }

    private mutating func takeRecord(_ element: borrowing XMLElement) {
        guard element.attribute("unit", is: "count"),
            let thousandths = element.attribute("value").flatMap(DecimalText.init)?.whole(
                timesTenTo: 3),
            let start = element.attribute("startDate").flatMap({ InstantText($0) }),
            let end = element.attribute("endDate").flatMap({ InstantText($0) })
        else {
            unreadableCount += 1
            if firstUnreadable == nil {
                firstUnreadable =
                    "startDate \(text(element.attribute("startDate"))), "
                    + "value \(text(element.attribute("value"))), "
                    + "unit \(text(element.attribute("unit")))"
            }
            return
        }
        pending = Pending(
            source: element.attribute("sourceName") ?? "", start: start, end: end,
            thousandths: thousandths)
    }

    private func text(_ value: String?) -> String {
        value.map { "\"\($0.prefix(40))\"" } ?? "missing"
    }
}
