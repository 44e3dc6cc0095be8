public import Events

/// The imports of a log, by what was imported.
///
/// It goes through the log once, and then through what was appended since: so thousands of files
/// that are imported one after the other take time in proportion.
///
/// An import whose end is not in the log does not count: what came after a damage was cut off.
public struct ImportIndex: Sendable {
    /// Where an import began, and which source it is.
    public typealias Import = (position: Position, source: UInt32)

    /// An import, as far as it was read.
    fileprivate struct Record {
        let position: Position
        let source: UInt32
        let sha256: [UInt8]
        var events = 0
        var heartRates = HeartRates()
        /// When the first of them was; if there is none, the last event.
        var firstAt: Int64 = 0

        var isKnown: Import { (position, source) }
    }

    /// How many heart rates there are, and a digest of them.
    fileprivate struct HeartRates: Hashable {
        var count = 0
        private var digest: UInt64 = 0xCBF2_9CE4_8422_2325

        /// FNV-1a, 64 bits; what is the same by it is compared.
        mutating func take(_ event: borrowing EventView) {
            let after = event.withHeartRate { value in
                value.indices.reduce(digest) { ($0 ^ UInt64(value[$1])) &* 0x100_0000_01B3 }
            }
            guard let after else { return }
            count += 1
            digest = after
        }
    }

    /// Where the events begin that were not looked at.
    private var next: Position
    private var open: [UInt32: Record] = [:]
    private var bySHA256: [[UInt8]: [Record]] = [:]
    private var byHeartRates: [HeartRates: [Record]] = [:]

    /// Makes an index.
    ///
    /// - Parameter start: The position before which there is no import.
    public init(from start: Position = 0) {
        next = start
    }

    /// Takes in what was appended since.
    ///
    /// - Throws: ``EventLogError``.
    public mutating func catchUp(with log: some EventLog) throws(EventLogError) {
        var (index, next) = (self, next)
        self = ImportIndex()
        defer {
            self = index
            self.next = next
        }
        try log.read(from: next) { event in
            next = event.header.position + 1
            index.take(event)
            return true
        }
    }

    /// Takes in events that a log could have.
    ///
    /// - Parameter events: The events of an import.
    public mutating func take(_ events: EventBatch) {
        events.forEach { take($0) }
    }

    private mutating func take(_ event: borrowing EventView) {
        let header = event.header
        if header.kind == .importBegan, case .importBegan(let began) = event.decoded {
            open[header.source] = Record(
                position: header.position, source: header.source, sha256: began.sha256)
        }
        guard let index = open.index(forKey: header.source) else { return }
        open.values[index].events += 1
        if open.values[index].heartRates.count == 0 {
            open.values[index].firstAt = header.stamp.wallMilliseconds
        }
        open.values[index].heartRates.take(event)
        if header.kind == .importEnded {
            let record = open.remove(at: index).value
            bySHA256[record.sha256, default: []].append(record)
            byHeartRates[record.heartRates, default: []].append(record)
        }
    }

    /// Looks for a file.
    ///
    /// - Parameter sha256: The SHA-256 of the file's bytes.
    /// - Returns: Its last import; nil if there is none.
    public func known(_ sha256: [UInt8]) -> Import? { bySHA256[sha256]?.last?.isKnown }

    /// The numbers of the sources that came of a file, part by part.
    ///
    /// - Parameter sha256: The SHA-256 of the file's bytes.
    /// - Returns: The numbers; empty if it is not known.
    public func sources(of sha256: [UInt8]) -> [UInt32] {
        bySHA256[sha256]?.map(\.source) ?? []
    }

    /// Looks for the import of the same capture in another form: the same heart rates at the same
    /// times.
    ///
    /// Forms differ in how finely they tell times, and in what they hold besides: one that holds
    /// more than what was imported is not the same.
    ///
    /// - Parameters:
    ///   - events: What would be imported.
    ///   - log: The log that was read.
    /// - Returns: The import; nil if there is none, or if there is no heart rate.
    /// - Throws: ``EventLogError``.
    public func known(
        byHeartRatesOf events: EventBatch, in log: some EventLog
    ) throws(EventLogError) -> Import? {
        guard !byHeartRates.isEmpty else { return nil }
        var (wanted, firstAt): (HeartRates, Int64) = (HeartRates(), 0)
        events.forEach { event in
            if wanted.count == 0 { firstAt = event.header.stamp.wallMilliseconds }
            wanted.take(event)
        }
        guard wanted.count > 0, let records = byHeartRates[wanted] else { return nil }
        // Of walks with the same heart rates, and there may be thousands, few began together.
        for record in records
        where record.events >= events.count && record.couldBegin(at: firstAt) {
            if try record.isSame(events, in: log) { return record.isKnown }
        }
        return nil
    }
}

extension ImportIndex.Record {
    /// What the coarsest form leaves of times: whole seconds.
    private static var timeGrainMilliseconds: Int64 { 1_000 }

    /// Whether its first heart rate can be one of a time.
    fileprivate func couldBegin(at wall: Int64) -> Bool {
        (firstAt - wall).magnitude <= Self.timeGrainMilliseconds
    }

    /// Whether each of its heart rates, of which there are as many, is the same at the same time.
    fileprivate func isSame(
        _ events: EventBatch, in log: some EventLog
    ) throws(EventLogError) -> Bool {
        var (next, isSame) = (position, true)
        for index in 0..<events.portionCount where isSame {
            let portion = events.portion(index)
            let rates = (0..<portion.count).compactMap { index in
                portion.withEvent(at: index) { $0.heartRate }
            }
            var rest = rates[...]
            guard !rest.isEmpty else { continue }
            try log.read(from: next) { event in
                next = event.header.position + 1
                guard event.header.source == source else { return true }
                if let (value, wall) = event.heartRate, let wanted = rest.popFirst() {
                    isSame =
                        wanted.value == value
                        && (wanted.wall - wall).magnitude <= Self.timeGrainMilliseconds
                }
                return isSame && !rest.isEmpty && event.header.kind != .importEnded
            }
            isSame = isSame && rest.isEmpty
        }
        return isSame
    }
}

extension EventView {
    /// A heart rate that a strap sent, and when; nil for any other event.
    fileprivate var heartRate: (value: [UInt8], wall: Int64)? {
        withHeartRate { ([UInt8](copying: $0), header.stamp.wallMilliseconds) }
    }

    /// Lends the bytes of a heart rate that a strap sent; nil for any other event.
    fileprivate func withHeartRate<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
        guard header.kind == .characteristicNotified, let fields = heartFields,
            fields.characteristic == .heartRateMeasurement
        else { return nil }
        return withBytes(fields.value, body)
    }
}
