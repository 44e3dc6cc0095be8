/// An event as it was read, for the time in which it is lent: where an ``EventView`` looks.
///
/// A reader fills it in for one event after the other, field by field, and folds read of it what
/// they need: nothing is put together to be taken apart. Of a dense body the payload is written
/// only if somebody asks for it.
@usableFromInline
@frozen
struct EventRecord {
    /// What of the record holds.
    @usableFromInline
    @frozen
    enum Form: UInt8 {
        /// ``bytes``: the payload.
        case payload
        /// ``device``, and a heart-rate value in its place in ``bytes``.
        case heart
        /// ``reading``, and a characteristic's value in its place in ``bytes``.
        case reading
        /// ``fix``.
        case fix
    }

    @usableFromInline var header: EventHeader
    @usableFromInline var form = Form.payload
    /// The payload; of a dense body its beginning, up to the end of a value.
    @usableFromInline var bytes: BytesInPlace
    /// The strap of a heart-rate value.
    @usableFromInline var device = DeviceID.blank
    @usableFromInline var reading = PedometerFields()
    @usableFromInline var fix = PositionFixed()

    @inlinable
    @inline(__always)
    init(_ header: EventHeader, _ bytes: BytesInPlace) {
        self.header = header
        self.bytes = bytes
    }

    /// The fields of a heart-rate value.
    @inlinable
    @inline(__always)
    var heart: HeartFields {
        HeartFields(device: device, value: HeartFields.shortValueOffset..<bytes.count)
    }

    /// The payload of a dense body, with a gap for the value, which stays in the block.
    @inlinable
    var written: BytesInPlace {
        var sink = ByteSink(again: bytes)
        do throws(FieldError) {
            switch form {
            case .payload: return bytes
            case .heart:
                var fields = heart
                try fields.code(&sink)
            case .reading:
                var fields = reading
                try fields.code(&sink)
            case .fix:
                var fields = fix
                try fields.code(&sink)
            }
        } catch {
            preconditionFailure("A dense body's fields are within their limits.")
        }
        return sink.written
    }

    /// Lends the event.
    @inlinable
    @inline(__always)
    func lend<Result, Failure: Error>(
        _ body: (borrowing EventView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafePointer(to: self) { (record) throws(Failure) -> Result in
            try body(EventView(unsafe RecordPlace(record)))
        }
    }
}

/// Where a record is, in memory that the lender keeps alive, as for ``ByteSource``.
@usableFromInline
@frozen
@safe
struct RecordPlace {
    @usableFromInline let address: UnsafePointer<EventRecord>

    @inlinable
    @inline(__always)
    init(_ address: UnsafePointer<EventRecord>) {
        unsafe self.address = unsafe address
    }

    @inlinable
    var record: EventRecord {
        @inline(__always)
        _read { yield unsafe address.pointee }
    }
}

/// The record that a reader fills in, in memory that is its own for the time of a walk.
@usableFromInline
@frozen
@safe
struct RecordRoom {
    @usableFromInline let address: UnsafeMutablePointer<EventRecord>

    @inlinable
    init(_ address: UnsafeMutablePointer<EventRecord>) {
        unsafe self.address = unsafe address
    }

    @inlinable
    var record: EventRecord {
        @inline(__always)
        _read { yield unsafe address.pointee }
        @inline(__always)
        nonmutating _modify { yield unsafe &address.pointee }
    }

    /// The event that it holds now.
    @inlinable
    @inline(__always)
    var view: EventView { EventView(unsafe RecordPlace(UnsafePointer(address))) }
}
