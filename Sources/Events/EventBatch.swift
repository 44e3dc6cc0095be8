/// Events that are about to be appended, in order, their payloads encoded.
///
/// Limits are checked when an event is added, so that what a batch holds can be appended.
///
/// A batch with a keeper may have any number of events: most of them stand there, packed in blocks
/// as a log has them, and it is gone through with ``forEach(from:_:)``. What is said of indices is
/// then of the newest events, which stand in memory.
public struct EventBatch: Sendable {
    /// How much is held in memory before it is packed.
    private static let recentEvents = 16_384
    private static let recentBytes = 1 << 20
    /// A piece has some blocks, so that many can be read in turn.
    private static let pieceBytes = 16 * 1_024

    /// The envelopes; their positions are 0-based within the batch until the log places them.
    public private(set) var headers: [EventHeader] = []
    private var keeper: ByteKeeper?
    private var pieces: [KeptPiece] = []
    /// How many events stand in the pieces, and of which source they are if they were told it.
    private var packedCount = 0
    private var source: UInt32?
    private var namesSession = false
    /// The payloads, one after the other.
    @usableFromInline private(set) var payloads = PayloadWriter()
    /// Where each payload ends in `payloads`.
    @usableFromInline private(set) var ends: [Int] = []

    /// Makes an empty batch.
    ///
    /// - Parameter keeper: Where its events are kept that are too many for memory; nil if they
    ///   never are.
    public init(keptIn keeper: ByteKeeper? = nil) {
        self.keeper = keeper
    }

    /// The number of events.
    public var count: Int { packedCount + headers.count }

    /// Whether there is no event.
    public var isEmpty: Bool { count == 0 }

    /// How many bytes the payloads take.
    public var payloadBytes: Int { payloads.bytes.count }

    /// Adds an event.
    ///
    /// - Throws: ``FieldError`` if a field is outside of its limits; nothing is added then.
    public mutating func append(
        _ event: Event, source: UInt32 = 0, stamp: Stamp, flags: EventFlags
    ) throws(FieldError) {
        let header = EventHeader(
            position: 0, source: source, stamp: stamp, flags: flags, kind: event.kind,
            version: event.version)
        try append(header) { (writer) throws(FieldError) in try event.writePayload(to: &writer) }
    }

    /// Makes all events those of a source, which an import learns late.
    ///
    /// - Parameter source: 0 for the live recorder, n for the n-th import.
    public mutating func setSource(_ source: UInt32) {
        self.source = source
        for index in headers.indices { headers[index].source = source }
    }

    /// The batch for a position in a log, if its events name sessions by their places in it.
    ///
    /// - Parameter first: The position of its first event.
    /// - Returns: The batch, whose events name sessions by their positions in the log.
    public func placed(from first: Position) -> EventBatch {
        guard namesSession, first > 0 else { return self }
        var placed = EventBatch(keptIn: keeper)
        do throws(FieldError) {
            try forEach { (event) throws(FieldError) in
                let header = event.header
                guard header.kind.namesSession else { return try placed.append(event) }
                var named = event.decoded
                named.namedSession = named.namedSession.map { first + $0 }
                try placed.append(
                    named, source: header.source, stamp: header.stamp, flags: header.flags)
            }
        } catch {
            preconditionFailure("A session is beyond the last position of a log: \(error)")
        }
        return placed
    }

    /// Adds an event from another batch or log, whether its kind is known or not.
    ///
    /// - Throws: ``FieldError`` as ``append(_:payload:)``; of what a log holds never.
    public mutating func append(_ event: borrowing EventView) throws(FieldError) {
        let header = event.header
        try event.withPayload { (payload) throws(FieldError) in
            try append(header, payload: payload)
        }
    }

    /// Adds an event whose payload is encoded already, known or not.
    ///
    /// - Throws: ``FieldError`` if the envelope or the payload's size is outside of its limits.
    public mutating func append(
        _ header: EventHeader, payload: Span<UInt8>
    ) throws(FieldError) {
        try append(header) { (writer) in writer.append(payload) }
    }

    /// Adds an event whose payload `write` appends.
    ///
    /// - Throws: ``FieldError`` of `write`, or of the envelope or the payload's size.
    @inline(__always)
    private mutating func append(
        _ header: EventHeader, write: (inout PayloadWriter) throws(FieldError) -> Void
    ) throws(FieldError) {
        let start = payloads.bytes.count
        do throws(FieldError) {
            try write(&payloads)
            try header.check()
            guard payloads.bytes.count - start <= EventLimit.payloadBytes else {
                throw FieldError(.wrongLength, field: "payload")
            }
        } catch {
            payloads.keep(first: start)
            throw error
        }
        if header.kind.namesSession { namesSession = true }
        var placed = header
        placed.position = UInt64(headers.count)
        assert(ends.last ?? 0 <= payloads.bytes.count, "Payloads follow each other.")
        headers.append(placed)
        ends.append(payloads.bytes.count)
        assert(ends.count == headers.count, "Each event has a payload.")
        if keeper != nil,
            headers.count >= Self.recentEvents || payloads.bytes.count >= Self.recentBytes
        {
            pack()
        }
    }

    /// Lends the event at an index to `body`.
    ///
    /// - Parameters:
    ///   - index: Which event, 0 to ``count`` - 1.
    ///   - first: The position of the batch's first event.
    ///   - body: Called with the event, valid during the call.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @inlinable
    @inline(__always)
    public func withEvent<Result, Failure: Error>(
        at index: Int, from first: Position = 0,
        _ body: (borrowing EventView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = index == 0 ? 0 : ends[index - 1]
        var header = headers[index]
        header.position = first + UInt64(index)
        return try EventView.lend(
            header, payload: payloads.bytes.span.extracting(start..<ends[index]), body)
    }

    /// The event at `index`, decoded.
    public func event(at index: Int) -> Event {
        withEvent(at: index) { $0.decoded }
    }
}

// MARK: - More than memory holds

extension EventBatch {
    /// How many portions ``portion(_:)`` gives.
    public var portionCount: Int { pieces.count + 1 }

    /// Some of the events, all of which stand in memory.
    ///
    /// - Parameter index: Which portion, 0 to ``portionCount`` - 1.
    /// - Returns: Its events, in order after those of the portion before.
    public func portion(_ index: Int) -> EventBatch {
        var portion = EventBatch()
        guard index < pieces.count else {
            (portion.headers, portion.payloads, portion.ends) = (headers, payloads, ends)
            return portion
        }
        unpack(pieces[index]) { event in
            do throws(FieldError) {
                try portion.append(event)
            } catch {
                preconditionFailure("An event was within its limits before: \(error)")
            }
            return true
        }
        if let source { portion.setSource(source) }
        return portion
    }

    /// Lends each event to `body`, in order.
    ///
    /// - Parameters:
    ///   - first: The position of the batch's first event.
    ///   - body: Called with the event, valid during the call.
    /// - Throws: What `body` throws.
    public func forEach<Failure: Error>(
        from first: Position = 0, _ body: (borrowing EventView) throws(Failure) -> Void
    ) throws(Failure) {
        var failure: Failure?
        visit(from: first) { event in
            do throws(Failure) {
                try body(event)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    /// As ``forEach(from:_:)``, until `body` gives false; apart, as what is generic is slower.
    private func visit(from first: Position, _ body: (borrowing EventView) -> Bool) {
        var (position, goesOn) = (first, true)
        for piece in pieces where goesOn {
            unpack(piece) { event in
                var header = event.header
                header.position = position
                header.source = source ?? header.source
                position += 1
                goesOn = goesOn && event.withPayload { EventView.lend(header, payload: $0, body) }
                return goesOn
            }
        }
        for index in headers.indices where goesOn {
            goesOn = withEvent(at: index, from: position, body)
        }
    }

    /// Packs what is in memory; for a batch to which nothing will be added for a while.
    public mutating func pack() {
        let recent = portion(pieces.count)
        var builder = BlockBuilder()
        var (piece, index): ([UInt8], Int) = ([], 0)
        while index < recent.count {
            index = builder.append(recent, from: index)
            builder.withBytes { block in
                piece += [UInt8(truncatingIfNeeded: block.count), UInt8(block.count >> 8)]
                piece.append(copying: block)
            }
            builder.startNextBlock()
            guard piece.count >= Self.pieceBytes || index == recent.count else { continue }
            pieces.append(keeper?(piece) ?? { @Sendable [piece] in piece })
            piece = []
        }
        assert(recent.count == headers.count, "All that stands in memory is packed.")
        packedCount += recent.count
        (headers, payloads, ends) = ([], PayloadWriter(), [])
    }

    private func unpack(_ piece: KeptPiece, _ body: (borrowing EventView) -> Bool) {
        let bytes = piece()
        var start = 0
        while start < bytes.count {
            let end = start + 2 + Int(bytes[start]) + Int(bytes[start + 1]) << 8
            let block = bytes.span.extracting(start + 2..<end)
            do throws(DamagedBlock) {
                try BlockReader.forEach(in: block, body)
            } catch {
                preconditionFailure("What was kept of a batch is damaged: \(error)")
            }
            start = end
        }
    }
}

extension EventHeader {
    /// Refuses an envelope that is outside of its limits.
    fileprivate func check() throws(FieldError) {
        guard kind.isStorable else { throw FieldError(.outOfRange, field: "kind") }
        guard version > 0 else { throw FieldError(.outOfRange, field: "version") }
        guard FieldRange.unsigned.contains(stamp.bootMilliseconds) else {
            throw FieldError(.outOfRange, field: "bootMilliseconds")
        }
        guard FieldRange.signed.contains(stamp.wallMilliseconds) else {
            throw FieldError(.outOfRange, field: "wallMilliseconds")
        }
    }
}
