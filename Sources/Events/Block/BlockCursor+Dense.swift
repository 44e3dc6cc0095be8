// The dense bodies of the record format: each fills in the record, with a value's bytes in the
// scratch buffer where the payload has them; a verbatim body stays a payload.

extension BlockCursor {
    /// Takes the device of a dense body: a reference if the control byte says so.
    ///
    /// - Returns: The device; nil and failed if there is none.
    @inlinable
    @inline(__always)
    mutating func takeDevice(
        _ lane: Int, _ source: inout ByteSource, isReferenced: Bool
    ) -> DeviceID? {
        if isReferenced { source = readDevice(lane, source) }
        let device = DeviceID(word: states[lane].device)
        if device == nil { source.isFailed = true }
        return device
    }

    @usableFromInline
    mutating func readDevice(_ lane: Int, _ start: ByteSource) -> ByteSource {
        var source = start
        let index = Int(source.byte())
        let count = states[lane].deviceCount
        if index == count && index < BlockLayout.maximumDevices {
            devices[lane, index] = source.fixed(7)
            states[lane].deviceCount = count + 1
        } else if index >= count {
            source.isFailed = true
            return source
        }
        states[lane].device = devices[lane, index]
        return source
    }

    /// Reads a dense `characteristicNotified`.
    @inlinable
    @inline(__always)
    mutating func readHeart(_ lane: Int, _ source: inout ByteSource) {
        let control = source.byte()
        if control == 7 { return }
        guard control & 7 != 7,
            let device = takeDevice(lane, &source, isReferenced: control & 0x80 != 0)
        else {
            source.isFailed = true
            return
        }
        var value = ByteSink(again: scratch)
        value.offset = HeartFields.shortValueOffset
        value.byte(
            control &>> 5 & 1 | (control &>> 3 & 3) &<< 1 | (control &>> 6 & 1) &<< 3
                | (control & 7 == 0 ? 0 : 0x10))
        // BPM in one byte or two, and energy.
        value.byte(source.byte())
        if control & 0x20 != 0 { value.byte(source.byte()) }
        if control & 0x40 != 0 { value.twoBytes(UInt16(truncatingIfNeeded: source.fixed(2))) }
        var (last, excess) = (states[lane].first, Int64(0))
        for _ in 0..<(control & 7 == 6 ? 0 : Int(control & 7)) {
            last &+= source.signed()
            excess |= last
            value.twoBytes(UInt16(truncatingIfNeeded: last))
        }
        states[lane].first = last
        if excess < 0 || excess > 0xFFFF { source.isFailed = true }
        room.record.form = .heart
        room.record.device = device
        room.record.bytes = value.written
    }

    /// Reads a dense `pedometerRead`.
    @inlinable
    @inline(__always)
    mutating func readPedometer(_ lane: Int, _ source: inout ByteSource) {
        let control = source.byte()
        if control == 7 { return }
        let form = control & 7
        guard form < 3, control & 0x70 == 0,
            let device = takeDevice(lane, &source, isReferenced: control & 0x80 != 0)
        else {
            source.isFailed = true
            return
        }
        var fields = PedometerFields(device: device)
        var value = ByteSink(again: scratch)
        value.offset = HeartFields.shortValueOffset
        if form == 2 {
            fields.form = .runningSpeedCadenceMeasurement
            let bytes = takeRate(&source)
            for index in 0..<bytes.count { value.byte(bytes[index]) }
        } else {
            states[lane].first = BlockCursor.accumulate(
                &source, states[lane].first, below: form == 1 ? 1 &<< 32 : BlockCursor.numberLimit)
            let count = UInt64(bitPattern: states[lane].first)
            if form == 1 {
                fields.form = .infiniTimeStepCount
                value.fixed(count, 4)
            } else {
                fields.count = count
            }
        }
        fields.value = HeartFields.shortValueOffset..<value.offset
        if control & 8 != 0 {
            states[lane].second = BlockCursor.accumulate(
                &source, states[lane].second, below: BlockCursor.numberLimit)
            fields.distanceMillimetres = UInt64(bitPattern: states[lane].second)
        }
        room.record.form = .reading
        room.record.reading = fields
        room.record.bytes = value.written
    }

    /// The bytes of a foot pod's rate: its flags tell how many.
    @inlinable
    @inline(__always)
    func takeRate(_ source: inout ByteSource) -> BytesInPlace {
        let flags = source.next
        if flags > 7 { source.isFailed = true }
        return source.part(4 &+ UInt64(flags & 1) &* 2 &+ UInt64(flags &>> 1 & 1) &* 4)
    }

    /// Reads a dense `positionFixed`.
    @usableFromInline
    mutating func readPosition(_ lane: Int, _ start: ByteSource, wall: Int64) -> ByteSource {
        var source = start
        let control = source.byte()
        if control == 255 { return source }
        if control >= 32 { source.isFailed = true }
        var fix = PositionFixed()
        states[lane].first = accumulate(&source, states[lane].first)
        states[lane].second = accumulate(&source, states[lane].second)
        fix.latitudeE7 = states[lane].first
        fix.longitudeE7 = states[lane].second
        if control & 1 != 0 {
            states[lane].third = accumulate(&source, states[lane].third)
            fix.altitudeMillimetres = states[lane].third
        }
        if control & 2 != 0 { fix.accuracyMillimetres = source.varint() }
        if control & 4 != 0 { fix.speedMillimetresPerSecond = source.varint() }
        if control & 8 != 0 { fix.satellites = source.varint() }
        if control & 16 != 0 { fix.fixedAtMilliseconds = accumulate(&source, wall) }
        room.record.form = .fix
        room.record.fix = fix
        room.record.bytes = scratch
        return source
    }

    /// A value plus the difference that follows; failed if the sum leaves plus or minus 2^53.
    @inline(__always)
    private func accumulate(_ source: inout ByteSource, _ value: Int64) -> Int64 {
        let (sum, overflow) = value.addingReportingOverflow(source.signed())
        guard !overflow, sum.magnitude < UInt64(BlockCursor.numberLimit) else {
            source.isFailed = true
            return 0
        }
        return sum
    }

    /// A count plus the difference that follows; failed if the sum is negative or `limit` or more.
    @inlinable
    @inline(__always)
    static func accumulate(
        _ source: inout ByteSource, _ value: Int64, below limit: Int64
    ) -> Int64 {
        let (sum, overflow) = value.addingReportingOverflow(source.signed())
        guard !overflow, sum >= 0, sum < limit else {
            source.isFailed = true
            return 0
        }
        return sum
    }
}
