package import Events

/// The states of a log at some positions, so that looking back starts close by.
///
/// What is over is the same in all of them, and is kept once: a state takes some kilobytes, however
/// long the log is. Like a snapshot they are never a source: each is held against the event before
/// it, and verification makes its own.
package struct EarlierStates: Sendable {
    /// How many events are between two of them: so many are folded in some 3 ms.
    package static let usualInterval: Position = 1 << 15

    private struct Entry: StatePart {
        var next: Position = 0
        var lastEvent: [UInt8] = []
        var state: [UInt8] = []

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&next)
            try coder.bytes(&lastEvent)
            try coder.bytes(&state)
        }
    }

    private let interval: Position
    private var pool = ChunkPool()
    /// In order of position.
    private var entries: [Entry] = []
    /// Whether one came since they were read.
    package private(set) var hasNews = false

    /// Begins with none.
    ///
    /// - Parameter interval: How many events are between two.
    package init(interval: Position = usualInterval) {
        self.interval = max(1, interval)
    }

    /// How many there are.
    package var count: Int { entries.count }

    /// Whether a fold from one position to another passes one at which a state is wanted.
    package static func arePassed(from start: Position, to end: Position) -> Bool {
        end / usualInterval > start / usualInterval
    }

    /// Whether none is missing up to a position.
    package func areComplete(until end: Position) -> Bool {
        end / interval <= UInt64(entries.count)
    }

    /// Where a fold from a position stops next: where a state is wanted, or kept already.
    package func stop(after position: Position) -> Position {
        let wanted = (position / interval + 1) * interval
        let place = entries.partitioningIndex { $0.next > position }
        return place < entries.count ? min(wanted, entries[place].next) : wanted
    }

    /// Whether a state at a position is wanted: it is the first one of the stretch that comes next.
    ///
    /// None is if they take more than a byte for each event already: those of a log that changes
    /// all of its days time and again share little.
    package func isWanted(at position: Position) -> Bool {
        !areComplete(until: position) && areComplete(until: position - interval)
            && pool.byteCount <= max(1 << 22, position)
    }

    /// Forgets states at the end that do not belong to the log: an older copy was put in its place
    /// and continued differently.
    ///
    /// - Parameter isOfLog: Whether the event before a position is the one that a state ends with.
    package mutating func forgetLast(
        unless isOfLog: (_ next: Position, _ lastEvent: [UInt8]) -> Bool
    ) {
        while let last = entries.last, !isOfLog(last.next, last.lastEvent) {
            entries.removeLast()
            hasNews = true
        }
    }

    /// Keeps a state.
    ///
    /// - Parameters:
    ///   - state: The state before a position; passed over unless it is wanted.
    ///   - lastEvent: Its last event, header and payload.
    package mutating func keep(_ state: inout LogState, lastEvent: [UInt8]) {
        guard isWanted(at: state.next) else { return }
        entries.append(
            Entry(next: state.next, lastEvent: lastEvent, state: state.bytes(pool: &pool)))
        hasNews = true
    }

    /// Whether a state is what is kept of its position, if that is one of the log.
    package mutating func agree(
        with state: inout LogState,
        where isOfLog: (_ next: Position, _ lastEvent: [UInt8]) -> Bool
    ) -> Bool {
        let place = entries.partitioningIndex { $0.next >= state.next }
        guard place < entries.count, case let entry = entries[place], entry.next == state.next,
            isOfLog(entry.next, entry.lastEvent)
        else { return true }
        // Nearly always the parts are in the same chunks; what they are in is no part of a state.
        return state.bytes(pool: &pool) == entry.state
            || self.state(of: entry) == state
    }

    /// The last state at or before a position that is one of the log.
    ///
    /// - Parameters:
    ///   - end: The position.
    ///   - isOfLog: Whether the event before a position is the one that a state ends with.
    /// - Returns: The state; nil if there is none.
    package func last(
        notAfter end: Position, where isOfLog: (_ next: Position, _ lastEvent: [UInt8]) -> Bool
    ) -> LogState? {
        let place = entries.partitioningIndex { $0.next > end }
        guard let entry = entries[..<place].last, isOfLog(entry.next, entry.lastEvent) else {
            return nil
        }
        return state(of: entry)
    }

    private func state(of entry: Entry) -> LogState? {
        do throws(DamagedState) {
            let state = try LogState(bytes: entry.state, pool: pool)
            return state.next == entry.next ? state : nil
        } catch {
            return nil
        }
    }

    /// A part of a log, and how things stood before it.
    package struct Stretch: Sendable {
        /// The state before its first event.
        package let state: LogState
        /// The position to stop before.
        package let end: Position
    }

    /// The stretches of a log in which something happened to the steps of a date: those at whose
    /// ends they are not the same, found by halving.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - last: The state at the position to stop before.
    ///   - isOfLog: Whether the event before a position is the one that a state ends with.
    /// - Returns: The stretches in order, each of some milliseconds if the states are there.
    package func stretches(
        of date: CivilDate, until last: LogState,
        where isOfLog: (_ next: Position, _ lastEvent: [UInt8]) -> Bool
    ) -> [Stretch] {
        var found: [Stretch] = []
        func look(_ first: LogState, _ inside: ArraySlice<Entry>, _ last: LogState) {
            guard last.haveStepsChanged(on: date, since: first) else { return }
            let middle = inside.startIndex + inside.count / 2
            guard let entry = inside[middle...].first, isOfLog(entry.next, entry.lastEvent),
                let state = state(of: entry)
            else {
                // No state stands between, or one that is none of the log.
                return found.append(Stretch(state: first, end: last.next))
            }
            look(first, inside[..<middle], state)
            look(state, inside[(middle + 1)...], last)
        }
        let end = entries.partitioningIndex { $0.next >= last.next }
        look(LogState(rules: last.rules), entries[..<end], last)
        return found
    }

    /// The states in the form in which they are stored.
    package func bytes() -> [UInt8] { StateCoder.bytes(of: CollectionOfOne(self)) }

    /// Reads what was kept.
    ///
    /// - Parameter bytes: What ``bytes()`` gave under the same version of ``LogState``.
    /// - Throws: ``DamagedState`` if nothing has these bytes.
    package init(bytes: [UInt8]) throws(DamagedState) {
        self.init()
        var reader = StateCoder(bytes)
        try reader(&self)
        try reader.finish()
    }
}

extension EarlierStates: StatePart {
    init() { self.init(interval: Self.usualInterval) }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&pool, &entries)
        for (entry, next) in zip(entries, entries.dropFirst()) {
            try coder.require(entry.next < next.next)
        }
    }
}

/// Packed chunks, each once.
struct ChunkPool: StatePart {
    private var chunks: [[UInt8]] = []
    /// Where each is; made when the first one is looked for.
    private var places: [Chunk: Int] = [:]

    private struct Chunk: Hashable {
        let bytes: [UInt8]

        /// Eight bytes at once: an array hashes each by itself.
        func hash(into hasher: inout Hasher) {
            for start in stride(from: 0, to: bytes.count, by: 8) {
                let word = bytes[start..<min(start + 8, bytes.count)]
                hasher.combine(word.reduce(0) { $0 << 8 | UInt64($1) })
            }
        }
    }

    /// How many bytes the chunks have.
    private(set) var byteCount: UInt64 = 0

    subscript(place: UInt64) -> [UInt8]? {
        place < UInt64(chunks.count) ? chunks[Int(place)] : nil
    }

    /// Where a chunk is; it is added if it is new.
    mutating func place(of chunk: [UInt8]) -> Int {
        if places.isEmpty {
            for (place, bytes) in chunks.enumerated() { places[Chunk(bytes: bytes)] = place }
        }
        if let place = places[Chunk(bytes: chunk)] { return place }
        places[Chunk(bytes: chunk)] = chunks.count
        chunks.append(chunk)
        byteCount += UInt64(chunk.count)
        return chunks.count - 1
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        let count = try coder.count(chunks.count)
        for place in 0..<count {
            if coder.isReading { chunks.append([]) }
            try coder.bytes(&chunks[place])
        }
        guard coder.isReading else { return }
        byteCount = chunks.reduce(0) { $0 + UInt64($1.count) }
    }
}
