internal import Events

/// One link, as far as it was captured.
struct CapturedLink {
    /// One end of a link.
    struct End {
        /// Who it is: its address, or a number that stands for it.
        var device: DeviceID
        /// Whether it is the machine that captured.
        var isLocal = false
        /// What it sends.
        var sending = MessageAssembly()
        /// What it was asked last, and has not answered.
        var question: Question?
        /// The last packet of the air that it sent, to know when one is repeated.
        var lastAirPacket: AirPacketMark?
    }

    /// A request of the Attribute Protocol whose response says nothing without it.
    enum Question {
        case read(UInt16)
        case readByType(AttributeType)
        case findService(AttributeType)
        case readServices
    }

    /// Of the air the central and the peripheral; between host and controller the host and the
    /// other.
    var ends: InlineArray<2, End>
    /// Whether what follows is encrypted.
    var isEncrypted = false
    /// Whether neither its beginning nor a message was captured: perhaps it has already ended.
    var isSupposed = false

    init(_ first: End, _ second: End) {
        ends = [first, second]
    }

    /// The end whose message is not whole yet; nil if it is neither, or both.
    var onlyUnfinishedEnd: Int? {
        switch (ends[0].sending.isUnfinished, ends[1].sending.isUnfinished) {
        case (true, false): 0
        case (false, true): 1
        case (true, true), (false, false): nil
        }
    }
}

/// What a repeated packet of the air has in common with the one before it.
struct AirPacketMark: Equatable {
    let sequenceNumber: UInt8
    let kind: UInt8
    let sum: UInt64
}

/// The links of a capture, by a number that tells them apart.
struct CapturedLinks {
    /// More than a radio can hold at once: Linux ends at 32 for each adapter.
    private static let limit = 512

    private var indices: [UInt64: Int] = [:]
    private var slots: [(key: UInt64, connection: CapturedLink)] = []
    private var freeSlots: [Int] = []
    /// Who goes when there are too many.
    private var oldest = 0

    /// Whether there is a connection with this key.
    func contains(_ key: UInt64) -> Bool { indices[key] != nil }

    /// Lends the connection of a key to `body`; nil if there is none.
    mutating func with<Result>(
        _ key: UInt64, _ body: (inout CapturedLink) -> Result
    ) -> Result? {
        guard let index = indices[key] else { return nil }
        return body(&slots[index].connection)
    }

    /// Begins a connection in place of one with the same key.
    mutating func begin(_ key: UInt64, _ connection: CapturedLink) {
        var index = indices[key] ?? freeSlots.popLast() ?? slots.count
        if index == Self.limit {
            index = oldest
            indices[slots[index].key] = nil
            oldest = (oldest + 1) % Self.limit
        }
        if index == slots.count { slots.append((key, connection)) }
        slots[index] = (key, connection)
        indices[key] = index
    }

    /// Forgets what has not come whole.
    mutating func forgetPieces() {
        for index in slots.indices {
            for end in 0..<2 { slots[index].connection.ends[end].sending = MessageAssembly() }
        }
    }

    /// Ends a connection, and returns it.
    mutating func end(_ key: UInt64) -> CapturedLink? {
        guard let index = indices.removeValue(forKey: key) else { return nil }
        freeSlots.append(index)
        return slots[index].connection
    }
}
