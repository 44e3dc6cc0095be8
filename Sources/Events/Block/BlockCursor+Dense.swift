// The dense bodies of the record format: each writes the payload's canonical bytes to the scratch
// buffer, and answers false for a verbatim body or after it has marked the source as failed.

extension BlockCursor {
    /// Takes the device of a dense body: a reference if the control byte says so.
    ///
    /// - Returns: The device; nil and failed if there is none.
    @inlinable
    @inline(__always)
    mutating func takeDevice(
        _ lane: Int, _ source: inout ByteSource, isReferenced: Bool
    ) -> DeviceID? {
        if isReferenced { readDevice(lane, &source) }
        let device = DeviceID(word: states[lane].device)
        if device == nil { source.isFailed = true }
        return device
    }

    @usableFromInline
    mutating func readDevice(_ lane: Int, _ source: inout ByteSource) {
        let index = Int(source.byte())
        let count = states[lane].deviceCount
        if index == count && index < BlockLayout.maximumDevices {
            let word = source.fixed(7)
            guard DeviceID(word: word) != nil else {
                source.isFailed = true
                return
            }
            devices[lane, index] = word
            states[lane].deviceCount = count + 1
        } else if index >= count {
            source.isFailed = true
            return
        }
        states[lane].device = devices[lane, index]
    }

    /// Reads a dense `characteristicNotified`.
    @inlinable
    @inline(__always)
    mutating func readHeart(_ lane: Int, _ source: inout ByteSource) -> Bool {
        let control = source.byte()
        if control == 7 { return false }
        let code = control & 7
        guard code != 7,
            let device = takeDevice(lane, &source, isReferenced: control & 0x80 != 0)
        else {
            source.isFailed = true
            return false
        }
        let isWide = control & 0x20 != 0
        let hasEnergy = control & 0x40 != 0
        let count = code == 6 ? 0 : Int(code)
        let length = 2 &+ (isWide ? 1 : 0) &+ (hasEnergy ? 2 : 0) &+ 2 &* count
        let place = write(HeartFields(device: device, value: 0..<length))
        // The value stands last: what follows fills its place.
        scratch.offset = place.value.lowerBound
        scratch.byte(
            control &>> 5 & 1 | (control &>> 3 & 3) &<< 1 | (control &>> 6 & 1) &<< 3
                | (code == 0 ? 0 : 0x10))
        scratch.byte(source.byte())
        if isWide { scratch.byte(source.byte()) }
        if hasEnergy { scratch.fixed(source.fixed(2), 2) }
        var last = states[lane].first
        for _ in 0..<count {
            last &+= source.signed()
            if last < 0 || last > 0xFFFF {
                source.isFailed = true
                return false
            }
            scratch.byte(UInt8(truncatingIfNeeded: last))
            scratch.byte(UInt8(truncatingIfNeeded: last &>> 8))
        }
        states[lane].first = last
        return true
    }

    /// Reads a dense `pedometerRead`.
    @inlinable
    @inline(__always)
    mutating func readPedometer(_ lane: Int, _ source: inout ByteSource) -> Bool {
        let control = source.byte()
        if control == 7 { return false }
        let form = control & 7
        guard form < 3, control & 0x70 == 0,
            let device = takeDevice(lane, &source, isReferenced: control & 0x80 != 0)
        else {
            source.isFailed = true
            return false
        }
        var fields = PedometerFields(device: device)
        var rate = source.part(0).source
        if form == 2 {
            fields.form = .runningSpeedCadenceMeasurement
            rate = takeRate(&source)
            fields.value = 0..<rate.end
        } else {
            let limit = form == 0 ? BlockCursor.numberLimit : 1 &<< 32
            states[lane].first = BlockCursor.accumulate(&source, states[lane].first, below: limit)
            fields.count = UInt64(bitPattern: states[lane].first)
            if form == 1 {
                fields.form = .infiniTimeStepCount
                fields.value = 0..<4
            }
        }
        if control & 8 != 0 {
            states[lane].second = BlockCursor.accumulate(
                &source, states[lane].second, below: BlockCursor.numberLimit)
            fields.distanceMillimetres = UInt64(bitPattern: states[lane].second)
        }
        let place = write(fields)
        guard form > 0 else { return !source.isFailed }
        let end = scratch.offset
        scratch.offset = place.value.lowerBound
        if form == 1 {
            scratch.fixed(fields.count, 4)
        } else {
            for _ in 0..<rate.end { scratch.byte(rate.byte()) }
        }
        scratch.offset = end
        return !source.isFailed
    }

    /// The bytes of a foot pod's rate: its flags tell how many.
    @usableFromInline
    func takeRate(_ source: inout ByteSource) -> ByteSource {
        var ahead = source
        let flags = ahead.byte()
        if flags > 7 { source.isFailed = true }
        return source.part(UInt64(4 + Int(flags & 1) * 2 + Int(flags >> 1 & 1) * 4)).source
    }

    /// Writes a payload's fields, with room for the bytes of a value.
    ///
    /// - Returns: The fields with the place at which these belong.
    @inlinable
    @inline(__always)
    mutating func write<Fields: FieldsInPlace>(_ fields: Fields) -> Fields {
        var fields = fields
        do throws(FieldError) {
            try fields.code(&scratch)
        } catch {
            preconditionFailure("A dense body's fields are within their limits.")
        }
        return fields
    }

    /// Reads a dense `positionFixed`.
    @usableFromInline
    mutating func readPosition(
        _ lane: Int, _ source: inout ByteSource, wall: Int64
    ) -> Bool {
        let control = source.byte()
        if control == 255 { return false }
        guard control < 32 else {
            source.isFailed = true
            return false
        }
        var fix = PositionFixed()
        states[lane].first = BlockCursor.accumulate(&source, states[lane].first)
        states[lane].second = BlockCursor.accumulate(&source, states[lane].second)
        fix.latitudeE7 = states[lane].first
        fix.longitudeE7 = states[lane].second
        if control & 1 != 0 {
            states[lane].third = BlockCursor.accumulate(&source, states[lane].third)
            fix.altitudeMillimetres = states[lane].third
        }
        if control & 2 != 0 { fix.accuracyMillimetres = source.varint() }
        if control & 4 != 0 { fix.speedMillimetresPerSecond = source.varint() }
        if control & 8 != 0 { fix.satellites = source.varint() }
        if control & 16 != 0 { fix.fixedAtMilliseconds = BlockCursor.accumulate(&source, wall) }
        _ = write(fix)
        return !source.isFailed
    }

    /// A value plus the difference that follows; failed if the sum leaves plus or minus 2^53.
    private static func accumulate(_ source: inout ByteSource, _ value: Int64) -> Int64 {
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
