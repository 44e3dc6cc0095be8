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
        guard control & 7 != 7,
            let device = takeDevice(lane, &source, isReferenced: control & 0x80 != 0)
        else {
            source.isFailed = true
            return false
        }
        var intervals = InlineArray<5, UInt16>(repeating: 0)
        let heart = BlockCursor.takeHeart(control, &source, &states[lane].first) {
            intervals[$0] = $1
        }
        guard !source.isFailed else { return false }
        scratch.write(heart, of: device) { intervals[$0] }
        return true
    }

    /// Takes the fields of a dense heart-rate value after its control byte and its device.
    ///
    /// - Parameters:
    ///   - control: The control byte; its code is none of 7.
    ///   - source: What follows it.
    ///   - last: The last interval of the section so far.
    ///   - keep: Called with the index of each RR interval, and the interval.
    /// - Returns: The fields; they mean nothing if the source failed.
    @inlinable
    @inline(__always)
    static func takeHeart(
        _ control: UInt8, _ source: inout ByteSource, _ last: inout Int64,
        _ keep: (Int, UInt16) -> Void
    ) -> DenseHeart {
        var heart = DenseHeart()
        heart.control = control & 0x7F
        heart.heartRateBPM = UInt16(source.byte())
        if heart.isWide { heart.heartRateBPM |= UInt16(source.byte()) &<< 8 }
        if heart.hasEnergy { heart.energy = UInt16(truncatingIfNeeded: source.fixed(2)) }
        let code = control & 7
        heart.intervalCount = code == 6 ? 0 : code
        var excess: Int64 = 0
        for index in 0..<Int(heart.intervalCount) {
            last &+= source.signed()
            excess |= last
            keep(index, UInt16(truncatingIfNeeded: last))
        }
        if excess < 0 || excess > 0xFFFF { source.isFailed = true }
        return heart
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
        guard form == 2 else {
            let count = BlockCursor.takeCount(control, &source, &states[lane])
            guard !source.isFailed else { return false }
            scratch.write(count, of: device)
            return true
        }
        let rate = takeRate(&source)
        var fields = PedometerFields(
            device: device, form: .runningSpeedCadenceMeasurement, value: 0..<rate.end)
        if control & 8 != 0 {
            fields.distanceMillimetres = UInt64(
                bitPattern: BlockCursor.takeDistance(&source, &states[lane]))
        }
        let place = scratch.write(fields)
        let end = scratch.offset
        scratch.offset = place.value.lowerBound
        var bytes = rate
        for _ in 0..<rate.end { scratch.byte(bytes.byte()) }
        scratch.offset = end
        return !source.isFailed
    }

    /// Takes the count of a counter or a watch after the control byte and the device.
    @inlinable
    @inline(__always)
    static func takeCount(
        _ control: UInt8, _ source: inout ByteSource, _ state: inout LaneState
    ) -> DenseCount {
        var count = DenseCount()
        count.isWatch = control & 7 == 1
        state.first = accumulate(
            &source, state.first, below: count.isWatch ? 1 &<< 32 : numberLimit)
        count.count = UInt64(bitPattern: state.first)
        count.hasDistance = control & 8 != 0
        if count.hasDistance {
            count.distanceMillimetres = UInt64(bitPattern: takeDistance(&source, &state))
        }
        return count
    }

    @inlinable
    @inline(__always)
    static func takeDistance(_ source: inout ByteSource, _ state: inout LaneState) -> Int64 {
        state.second = accumulate(&source, state.second, below: numberLimit)
        return state.second
    }

    /// The bytes of a foot pod's rate: its flags tell how many.
    @usableFromInline
    func takeRate(_ source: inout ByteSource) -> ByteSource {
        var ahead = source
        let flags = ahead.byte()
        if flags > 7 { source.isFailed = true }
        return source.part(UInt64(4 + Int(flags & 1) * 2 + Int(flags >> 1 & 1) * 4)).source
    }

    /// Reads a dense `positionFixed`.
    @usableFromInline
    mutating func readPosition(
        _ lane: Int, _ source: inout ByteSource, wall: Int64
    ) -> Bool {
        let control = source.byte()
        if control == 255 { return false }
        let fix = BlockCursor.takePosition(control, &source, &states[lane], wall: wall)
        guard !source.isFailed else { return false }
        _ = scratch.write(fix)
        return true
    }

    /// Takes the fields of a dense position after the control byte.
    @inline(__always)
    static func takePosition(
        _ control: UInt8, _ source: inout ByteSource, _ state: inout LaneState, wall: Int64
    ) -> PositionFixed {
        if control >= 32 { source.isFailed = true }
        var fix = PositionFixed()
        state.first = accumulate(&source, state.first)
        state.second = accumulate(&source, state.second)
        fix.latitudeE7 = state.first
        fix.longitudeE7 = state.second
        if control & 1 != 0 {
            state.third = accumulate(&source, state.third)
            fix.altitudeMillimetres = state.third
        }
        if control & 2 != 0 { fix.accuracyMillimetres = source.varint() }
        if control & 4 != 0 { fix.speedMillimetresPerSecond = source.varint() }
        if control & 8 != 0 { fix.satellites = source.varint() }
        if control & 16 != 0 { fix.fixedAtMilliseconds = accumulate(&source, wall) }
        return fix
    }

    /// A value plus the difference that follows; failed if the sum leaves plus or minus 2^53.
    @inline(__always)
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

// MARK: - Payloads

extension ByteSink {
    /// Writes a payload's fields, with room for the bytes of a value.
    ///
    /// - Returns: The fields with the place at which these belong.
    @inlinable
    @inline(__always)
    mutating func write<Fields: FieldsInPlace>(_ fields: Fields) -> Fields {
        var fields = fields
        do throws(FieldError) {
            try fields.code(&self)
        } catch {
            preconditionFailure("A dense body's fields are within their limits.")
        }
        return fields
    }

    /// Writes the payload of a heart-rate value with its RR intervals.
    @inlinable
    @inline(__always)
    mutating func write(
        _ heart: DenseHeart, of device: DeviceID, interval: (Int) -> UInt16
    ) {
        let control = heart.control
        let place = write(HeartFields(device: device, value: 0..<heart.length))
        // The value stands last: what follows fills its place.
        offset = place.value.lowerBound
        byte(
            control &>> 5 & 1 | (control &>> 3 & 3) &<< 1 | (control &>> 6 & 1) &<< 3
                | (control & 7 == 0 ? 0 : 0x10))
        byte(UInt8(truncatingIfNeeded: heart.heartRateBPM))
        if heart.isWide { byte(UInt8(truncatingIfNeeded: heart.heartRateBPM &>> 8)) }
        if heart.hasEnergy { fixed(UInt64(heart.energy), 2) }
        for index in 0..<Int(heart.intervalCount) { fixed(UInt64(interval(index)), 2) }
    }

    /// Writes the payload of a count.
    @inlinable
    @inline(__always)
    mutating func write(_ count: DenseCount, of device: DeviceID) {
        var fields = PedometerFields(device: device)
        if count.hasDistance { fields.distanceMillimetres = count.distanceMillimetres }
        if count.isWatch {
            fields.form = .infiniTimeStepCount
            fields.value = 0..<4
        } else {
            fields.count = count.count
        }
        let place = write(fields)
        guard count.isWatch else { return }
        let end = offset
        offset = place.value.lowerBound
        fixed(count.count, 4)
        offset = end
    }
}
