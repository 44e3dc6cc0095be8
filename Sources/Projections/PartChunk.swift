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

    /// The parts; none in bytes that nobody has packed, which only a forged snapshot has.
    var parts: [Part] {
        guard let packed else { return loaded }
        var reader = StateCoder(packed, isPacked: true)
        var parts: [Part] = []
        do throws(DamagedState) {
            try parts.read(count, from: &reader)
            try reader.finish()
        } catch {
            return []
        }
        let isInOrder = zip(parts, parts.dropFirst()).allSatisfy { $0.key < $1.key }
        return isInOrder && parts.first?.key == firstKey ? parts : []
    }

    /// Their canonical bytes.
    var bytes: [UInt8] { packed.map(ZeroRuns.expanded) ?? StateCoder.bytes(of: loaded) }

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
}

extension PartChunk: StatePart {
    init() { self.init([Part()]) }

    /// The first key, the number of parts, and their packed bytes, into which nobody looks yet.
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        if !coder.isReading { pack() }
        var saved = packed ?? []
        var number = UInt64(count)
        try coder(&firstKey, &number)
        try coder.chunk(&saved)
        guard coder.isReading else { return }
        try coder.require(number > 0 && number <= OrderedParts<Part>.chunkLimit)
        (loaded, packed, count) = ([], saved, Int(number))
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

    /// The bytes of what was packed; some bytes of anything else.
    static func expanded(_ packed: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index < packed.count {
            if packed[index] == 0, index + 1 < packed.count {
                bytes.append(contentsOf: repeatElement(0, count: Int(packed[index + 1])))
                index += 2
            } else {
                bytes.append(packed[index])
                index += 1
            }
        }
        return bytes
    }
}
