/// Parts that follow each other: at hand, or packed.
struct PartChunk<Part: OrderedPart>: Sendable {
    /// The key of the first part; that of the last first one, if all have been taken out.
    private(set) var firstKey: Part.Key
    /// How many parts there are.
    private(set) var count: Int
    /// Their canonical bytes in the form of ``ZeroRuns``; nil while they are at hand.
    private var packed: [UInt8]?
    /// Whether they are packed.
    var isPacked: Bool { packed != nil }
    /// The parts, while they are at hand.
    private var loaded: [Part] = []

    /// Takes parts that are in order, at least one.
    init(_ parts: [Part]) {
        (firstKey, count, loaded) = (parts[0].key, parts.count, parts)
    }

    /// The parts.
    var parts: [Part] {
        guard let packed else { return loaded }
        do throws(DamagedState) {
            return try Self.parts(count, in: packed)
        } catch {
            preconditionFailure("What was packed, or read whole, can be unpacked.")
        }
    }

    /// Their canonical bytes.
    var bytes: [UInt8] { packed.flatMap(ZeroRuns.expanded) ?? StateCoder.bytes(of: loaded) }

    /// Makes the parts as small as they are in a snapshot.
    mutating func pack() {
        guard packed == nil else { return }
        let bytes = StateCoder.bytes(of: loaded)
        (packed, loaded) = (ZeroRuns.packed(bytes), [])
        assert(self.bytes == bytes, "What was packed is not what is unpacked.")
    }

    /// Changes the parts, in their place; they are at hand from then on.
    ///
    /// - Parameter body: Keeps them in order.
    /// - Returns: What `body` gives.
    @discardableResult
    mutating func change<Result>(_ body: (inout [Part]) -> Result) -> Result {
        if packed != nil { (loaded, packed) = (parts, nil) }
        defer {
            // Keys never change, and a copy of a part takes longer than most changes of it.
            if count != loaded.count {
                count = loaded.count
                firstKey = loaded.first?.key ?? firstKey
            }
            assert(zip(loaded, loaded.dropFirst()).allSatisfy { $0.key < $1.key }, "Keys ascend.")
        }
        return body(&loaded)
    }

    private static func parts(_ count: Int, in packed: [UInt8]) throws(DamagedState) -> [Part] {
        guard let bytes = ZeroRuns.expanded(packed) else { throw DamagedState(offset: 0) }
        var reader = StateCoder(bytes[...])
        var parts: [Part] = []
        try parts.read(count, from: &reader)
        try reader.finish()
        return parts
    }
}

extension PartChunk: StatePart {
    init() { self.init([Part()]) }

    /// The number of parts, the length of their packed bytes, and these.
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        if !coder.isReading { pack() }
        var saved = packed ?? []
        var number = UInt64(count)
        try coder(&number)
        let place = try coder.chunk(&saved)
        guard coder.isReading else { return }
        try coder.require(number > 0 && number <= OrderedParts<Part>.chunkLimit)
        count = Int(number)
        (loaded, packed) = ([], saved)
        func key() throws(DamagedState) -> Part.Key { try Self.parts(count, in: saved)[0].key }
        guard let place, var pool = coder.pool.take() else { return firstKey = try key() }
        defer { coder.pool = pool }
        firstKey = try pool.firstKey(of: place, number, of: Part.self, read: key)
    }
}

/// Bytes of which most are 0, in less: each run of zeros is a 0 and its length, 1 to 255.
enum ZeroRuns {
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = []
        var zeros: UInt8 = 0
        for byte in bytes {
            if zeros > 0, byte != 0 || zeros == .max {
                packed += [0, zeros]
                zeros = 0
            }
            if byte == 0 { zeros += 1 } else { packed.append(byte) }
        }
        return zeros > 0 ? packed + [0, zeros] : packed
    }

    /// The bytes; nil if nobody has packed these.
    static func expanded(_ packed: [UInt8]) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4 * packed.count)
        var (index, end) = (0, 0)
        // A run goes on only after one of the greatest length.
        var mayGoOn = true
        while index < packed.count {
            let byte = packed[index]
            index += 1
            if bytes.count - end <= Int(UInt8.max) {
                bytes += repeatElement(0, count: bytes.count + 512)
            }
            guard byte == 0 else {
                bytes[end] = byte
                end += 1
                mayGoOn = true
                continue
            }
            guard mayGoOn, index < packed.count, packed[index] > 0 else { return nil }
            end += Int(packed[index])
            mayGoOn = packed[index] == .max
            index += 1
        }
        bytes.removeLast(bytes.count - end)
        return bytes
    }
}
