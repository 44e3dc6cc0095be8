import Events

/// A part of a state with its fields.
protocol StatePart {
    /// A blank one, which a reader reads into.
    init()
    /// Passes every field to a coder, in order.
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState)
}

/// Whether a coder writes or reads: a type, so that neither asks while it runs.
protocol Direction {
    static var isReading: Bool { get }
}

enum Writing: Direction {
    static var isReading: Bool { false }
}

enum Reading: Direction {
    static var isReading: Bool { true }
}

/// Takes a state's fields in their order, and writes or reads each.
///
/// A state names its fields once, so that what is written and what is read cannot drift apart, and
/// equal states are equal bytes. Every number is a varint in shortest form, signed ones zigzag;
/// texts and lists begin with their count; what can be absent begins with 0 or 1. Nothing is named
/// and nothing is padded. A reader refuses all that no writer writes.
struct StateCoder<Way: Direction> {
    /// Whether ordered parts are in chunks: that is a snapshot's form, and not canonical.
    let isInChunks: Bool
    /// Where chunks are that several states share; nil if each state has its own.
    var pool: ChunkPool?
    private var written: [UInt8] = []
    /// Takes what was written when that is much; nil if it is to stay.
    private let drain: (([UInt8]) -> Void)?
    private let source: [UInt8]
    /// Whether the source has the form of ``ZeroRuns``.
    private var isPacked = false
    private var offset = 0
    /// How many zeros of a run are still to come.
    private var zeros = 0
    /// Where a run ended that another would have gone on with, if it were longer.
    private var shortRunEnd = -1

    var isReading: Bool { Way.isReading }

    // MARK: - What may stand in a state

    /// What a reader throws here.
    var damage: DamagedState { DamagedState(offset: offset) }

    /// A condition that every state fulfils; a reader refuses bytes that do not.
    func require(_ condition: Bool) throws(DamagedState) {
        guard condition || !isReading else { throw damage }
    }

    /// A value that every state has; a reader refuses bytes that have none.
    func required<Value>(_ value: Value?) throws(DamagedState) -> Value {
        guard let value else { throw damage }
        return value
    }

    // MARK: - Numbers and bytes

    /// Writes a number.
    mutating func write(_ number: UInt64) { written.appendVarint(number) }

    /// Reads a number.
    mutating func number() throws(DamagedState) -> UInt64 {
        let first = try byte()
        // Nearly all take one byte, and no byte of a longer one is 0.
        guard first >= 0x80 else { return UInt64(first) }
        var next = offset - 1
        guard let number = source.span.varint(at: &next) else { throw damage }
        offset = next
        return number
    }

    @inline(__always)
    private mutating func byte() throws(DamagedState) -> UInt8 {
        if zeros == 0 {
            guard offset < source.count else { throw damage }
            let byte = source[offset]
            guard byte == 0, isPacked else {
                offset += 1
                return byte
            }
            try enterRun()
        }
        zeros -= 1
        return 0
    }

    /// Reads how long a run of zeros is; it goes on only with one of the greatest length.
    private mutating func enterRun() throws(DamagedState) {
        guard offset + 1 < source.count, offset != shortRunEnd, source[offset + 1] > 0 else {
            throw damage
        }
        zeros = Int(source[offset + 1])
        offset += 2
        if zeros < UInt8.max { shortRunEnd = offset }
    }

    /// Writes how many things follow, each of which takes a byte at least, or reads it instead.
    mutating func count(_ value: Int) throws(DamagedState) -> Int {
        guard isReading else {
            write(UInt64(value))
            return value
        }
        let count = try number()
        // A run has 255 zeros in two bytes.
        try require(count <= UInt64((source.count - offset) * (isPacked ? 128 : 1) + zeros))
        return Int(count)
    }

    /// Writes or reads how many bytes there are, and these.
    mutating func bytes(_ bytes: inout [UInt8]) throws(DamagedState) {
        let count = try count(bytes.count)
        if isReading { bytes = try read(count) } else { write(bytes) }
    }

    /// Writes bytes.
    mutating func write(_ bytes: some Sequence<UInt8>) {
        written.append(contentsOf: bytes)
    }

    /// Writes or reads the bytes of a chunk, or where the pool has them.
    mutating func chunk(_ bytes: inout [UInt8]) throws(DamagedState) {
        guard pool != nil else { return try self.bytes(&bytes) }
        guard isReading else { return write(UInt64(pool?.place(of: bytes) ?? 0)) }
        bytes = try required(pool?[try number()])
    }

    /// Passes on what was written, if that is much and somebody takes it.
    mutating func flush() {
        guard let drain, written.count > 1 << 16 else { return }
        drain(written)
        written.removeAll(keepingCapacity: true)
    }

    /// Reads as many bytes as a count said.
    mutating func read(_ count: Int) throws(DamagedState) -> [UInt8] {
        guard isPacked else {
            defer { offset += count }
            return Array(source[offset..<offset + count])
        }
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(try byte()) }
        return bytes
    }
}

extension StateCoder<Writing> {
    /// The bytes of parts, one after the other; those that were not passed on, if somebody takes
    /// them.
    static func bytes(
        of parts: some Sequence<some StatePart>, inChunks isInChunks: Bool = false,
        drain: (([UInt8]) -> Void)? = nil
    ) -> [UInt8] {
        var coder = StateCoder(isInChunks: isInChunks, drain: drain, source: [])
        coder.write(parts)
        return coder.written
    }

    /// The bytes of a part whose chunks are in a pool, which takes those that are new.
    static func bytes(of part: some StatePart, pool: inout ChunkPool) -> [UInt8] {
        var coder = StateCoder(isInChunks: true, pool: pool, drain: nil, source: [])
        coder.write(CollectionOfOne(part))
        if let taken = coder.pool { pool = taken }
        return coder.written
    }

    private mutating func write(_ parts: some Sequence<some StatePart>) {
        do throws(DamagedState) {
            for var part in parts { try part.code(&self) }
        } catch {
            preconditionFailure("Only a reader refuses; some part throws by itself.")
        }
    }
}

extension StateCoder<Reading> {
    /// Begins to read bytes.
    init(
        _ bytes: [UInt8], inChunks isInChunks: Bool = false, isPacked: Bool = false,
        pool: ChunkPool? = nil
    ) {
        self.init(
            isInChunks: isInChunks, pool: pool, drain: nil, source: bytes, isPacked: isPacked)
    }

    /// Ends the reading; nothing may be left over.
    func finish() throws(DamagedState) { try require(offset == source.count && zeros == 0) }
}

// MARK: - Fields

extension StateCoder {
    mutating func callAsFunction<A: StatePart>(_ a: inout A) throws(DamagedState) {
        try a.code(&self)
    }

    mutating func callAsFunction<A: StatePart, B: StatePart>(
        _ a: inout A, _ b: inout B
    ) throws(DamagedState) {
        try a.code(&self)
        try b.code(&self)
    }

    mutating func callAsFunction<A: StatePart, B: StatePart, C: StatePart>(
        _ a: inout A, _ b: inout B, _ c: inout C
    ) throws(DamagedState) {
        try self(&a, &b)
        try self(&c)
    }

    mutating func callAsFunction<A: StatePart, B: StatePart, C: StatePart, D: StatePart>(
        _ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D
    ) throws(DamagedState) {
        try self(&a, &b)
        try self(&c, &d)
    }

    mutating func callAsFunction<
        A: StatePart, B: StatePart, C: StatePart, D: StatePart, E: StatePart
    >(
        _ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D, _ e: inout E
    ) throws(DamagedState) {
        try self(&a, &b, &c)
        try self(&d, &e)
    }

    mutating func callAsFunction<
        A: StatePart, B: StatePart, C: StatePart, D: StatePart, E: StatePart, F: StatePart
    >(
        _ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D, _ e: inout E, _ f: inout F
    ) throws(DamagedState) {
        try self(&a, &b, &c)
        try self(&d, &e, &f)
    }
}
