// The dense bodies of the record format: each writes the payload's canonical bytes to the scratch
// buffer, and answers false for a verbatim body or after it has marked the source as failed.

extension BlockCursor {
    /// Takes the device of a dense body: a reference if the control byte says so.
    @inlinable
    @inline(__always)
    mutating func takeDevice(
        _ lane: Int, _ source: inout ByteSource, isReferenced: Bool
    ) -> UInt64 {
        if isReferenced { readDevice(lane, &source) }
        let word = states[lane].device
        if word == UInt64.max { source.isFailed = true }
        return word
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
        let device = takeDevice(lane, &source, isReferenced: control & 0x80 != 0)
        let isWide = control & 0x20 != 0
        let hasEnergy = control & 0x40 != 0
        let count = code == 6 ? 0 : Int(code)
        guard code != 7, !source.isFailed else {
            source.isFailed = true
            return false
        }
        scratch.fixed(device | 1 &<< 56, 8)
        scratch.byte(UInt8(2 &+ (isWide ? 1 : 0) &+ (hasEnergy ? 2 : 0) &+ 2 &* count))
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
        guard form < 3, control & 0x70 == 0 else {
            source.isFailed = true
            return false
        }
        let device = takeDevice(lane, &source, isReferenced: control & 0x80 != 0)
        scratch.fixed(device, 7)
        if form == 2 {
            let flags = source.byte()
            if flags > 7 { source.isFailed = true }
            let length = 4 &+ Int(flags & 1) &* 2 &+ Int(flags &>> 1 & 1) &* 4
            scratch.byte(5)
            scratch.byte(UInt8(truncatingIfNeeded: length))
            scratch.byte(flags)
            for _ in 1..<length { scratch.byte(source.byte()) }
        } else {
            let limit = form == 0 ? BlockCursor.numberLimit : 1 &<< 32
            let (count, overflow) = states[lane].first.addingReportingOverflow(
                source.signed())
            guard !overflow, count >= 0, count < limit else {
                source.isFailed = true
                return false
            }
            states[lane].first = count
            if form == 0 {
                scratch.byte(0)
                scratch.varint(UInt64(bitPattern: count))
            } else {
                scratch.byte(6)
                scratch.byte(4)
                scratch.fixed(UInt64(bitPattern: count), 4)
            }
        }
        guard control & 8 != 0 else {
            scratch.byte(0)
            return true
        }
        let (distance, overflow) = states[lane].second.addingReportingOverflow(
            source.signed())
        guard !overflow, distance >= 0, distance < BlockCursor.numberLimit else {
            source.isFailed = true
            return false
        }
        states[lane].second = distance
        scratch.byte(1)
        scratch.varint(UInt64(bitPattern: distance))
        return true
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
        states[lane].first = BlockCursor.accumulate(&source, states[lane].first)
        scratch.signed(states[lane].first)
        states[lane].second = BlockCursor.accumulate(&source, states[lane].second)
        scratch.signed(states[lane].second)
        scratch.byte(control & 1)
        if control & 1 != 0 {
            states[lane].third = BlockCursor.accumulate(&source, states[lane].third)
            scratch.signed(states[lane].third)
        }
        for bit in 1..<4 {
            let isThere = control >> UInt8(bit) & 1
            scratch.byte(isThere)
            if isThere == 1 { scratch.varint(source.varint()) }
        }
        scratch.byte(control >> 4 & 1)
        if control & 16 != 0 { scratch.signed(BlockCursor.accumulate(&source, wall)) }
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
}
