// The dense bodies of the record format, writing. Each answers false, and has written nothing,
// where the dense form would not reproduce the payload to the byte.

/// Writes the device reference of a dense body; false if the list is full.
///
/// - Returns: Whether a reference is needed, or nil if the device has no place in the list.
@inline(__always)
private func reference(
    to device: UInt64, lane: Int, _ state: inout LaneState, _ devices: inout DeviceList
) -> DeviceReference? {
    if state.device == device { return .same }
    if let index = devices.index(of: device, lane: lane, count: state.deviceCount) {
        state.device = device
        return .listed(UInt8(index))
    }
    guard state.deviceCount < BlockLayout.maximumDevices else { return nil }
    let index = state.deviceCount
    devices[lane, index] = device
    state.deviceCount = index + 1
    state.device = device
    return .new(UInt8(index))
}

/// How a dense body names its device.
private enum DeviceReference {
    case same
    case listed(UInt8)
    case new(UInt8)

    var controlBit: UInt8 {
        if case .same = self { 0 } else { 0x80 }
    }

    @inline(__always)
    func write(_ device: UInt64, to sink: inout ByteSink) {
        switch self {
        case .same: break
        case .listed(let index): sink.byte(index)
        case .new(let index):
            sink.byte(index)
            sink.fixed(device, 7)
        }
    }
}

/// The seven bytes of a device at the start of a payload of eight or more; all ones if they are
/// none.
@inline(__always)
private func deviceWord(_ payload: Span<UInt8>) -> UInt64 {
    let word = payload.word(at: 0) & 0xFF_FFFF_FFFF_FFFF
    return DeviceID(word: word) == nil ? UInt64.max : word
}

/// Writes a dense `characteristicNotified`.
@inline(__always)
func writeHeart(
    _ sink: inout ByteSink, _ state: inout LaneState, _ devices: inout DeviceList,
    _ payload: Span<UInt8>
) -> Bool {
    // Device, characteristic 1, length, flags and at least one byte of BPM.
    guard payload.count >= 11, payload[7] == 1, Int(payload[8]) == payload.count &- 9 else {
        return false
    }
    let flags = payload[9]
    let wide = Int(flags & 1)
    let energy = Int(flags &>> 3 & 1) &* 2
    let fixed = 2 &+ wide &+ energy
    let rest = Int(payload[8]) &- fixed
    let hasIntervals = flags & 0x10 != 0
    guard flags < 0x20, rest >= 0, rest & 1 == 0, rest <= 10, hasIntervals || rest == 0 else {
        return false
    }
    let device = deviceWord(payload)
    guard device != UInt64.max, let reference = reference(to: device, lane: 2, &state, &devices)
    else { return false }
    let count = rest / 2
    let code = hasIntervals ? (count == 0 ? 6 : UInt8(truncatingIfNeeded: count)) : 0
    sink.byte(
        code | (flags &>> 1 & 3) &<< 3 | (flags & 1) &<< 5 | (flags &>> 3 & 1) &<< 6
            | reference.controlBit)
    reference.write(device, to: &sink)
    for index in 10..<(9 &+ fixed) { sink.byte(payload[index]) }
    var last = state.first
    var offset = 9 &+ fixed
    for _ in 0..<count {
        let interval = Int64(payload[offset]) | Int64(payload[offset &+ 1]) &<< 8
        sink.signed(interval &- last)
        last = interval
        offset &+= 2
    }
    state.first = last
    return true
}

/// Writes a dense `pedometerRead`.
func writePedometer(
    _ sink: inout ByteSink, _ state: inout LaneState, _ devices: inout DeviceList,
    _ payload: Span<UInt8>
) -> Bool {
    guard payload.count >= 10 else { return false }
    var reader = PayloadCursor(payload, from: 8)
    var form: UInt8
    var count: Int64 = 0
    var value = 0..<0
    switch payload[7] {
    case 0:
        form = 0
        count = Int64(reader.unsigned(payload))
    case 5:
        form = 2
        let flags = payload[9]
        let length = 4 &+ Int(flags & 1) &* 2 &+ Int(flags &>> 1 & 1) &* 4
        guard flags < 8, Int(payload[8]) == length, 9 &+ length < payload.count else {
            return false
        }
        value = 9..<(9 &+ length)
        reader.offset = value.upperBound
    case 6:
        form = 1
        guard payload[8] == 4, payload.count > 13 else { return false }
        count =
            Int64(payload[9]) | Int64(payload[10]) &<< 8 | Int64(payload[11]) &<< 16
            | Int64(payload[12]) &<< 24
        reader.offset = 13
    default: return false
    }
    let hasDistance = reader.byte(payload)
    let distance = hasDistance == 1 ? Int64(reader.unsigned(payload)) : 0
    let device = deviceWord(payload)
    guard reader.isAtEnd(payload), hasDistance < 2, device != UInt64.max,
        let reference = reference(to: device, lane: 3, &state, &devices)
    else { return false }
    if hasDistance == 1 { form |= 8 }
    sink.byte(form | reference.controlBit)
    reference.write(device, to: &sink)
    if form & 7 == 2 {
        for index in value { sink.byte(payload[index]) }
    } else {
        sink.signed(count &- state.first)
        state.first = count
    }
    if hasDistance == 1 {
        sink.signed(distance &- state.second)
        state.second = distance
    }
    return true
}

/// Writes a dense `positionFixed`.
func writePosition(
    _ sink: inout ByteSink, _ state: inout LaneState, _ payload: Span<UInt8>, wall: Int64
) -> Bool {
    var reader = PayloadCursor(payload, from: 0)
    let latitude = reader.signed(payload)
    let longitude = reader.signed(payload)
    // Altitude, accuracy, speed, satellites and the time of the fix, each if its bit is set.
    var control: UInt8 = 0
    var values = InlineArray<5, UInt64>(repeating: 0)
    for field in 0..<5 {
        let isThere = reader.byte(payload)
        guard isThere < 2 else { return false }
        guard isThere == 1 else { continue }
        control |= 1 &<< UInt8(field)
        values[field] =
            field == 0 || field == 4
            ? zigzag(reader.signed(payload)) : reader.unsigned(payload)
    }
    guard reader.isAtEnd(payload) else { return false }
    let altitude = unzigzag(values[0])
    sink.byte(control)
    sink.signed(latitude &- state.first)
    sink.signed(longitude &- state.second)
    state.first = latitude
    state.second = longitude
    if control & 1 != 0 {
        sink.signed(altitude &- state.third)
        state.third = altitude
    }
    for field in 1..<4 where control &>> UInt8(field) & 1 != 0 { sink.varint(values[field]) }
    if control & 16 != 0 { sink.signed(unzigzag(values[4]) &- wall) }
    return true
}

/// Reads numbers from a payload; past the end or malformed it is never at the end again.
private struct PayloadCursor {
    var offset: Int
    private var isFailed = false

    init(_ payload: Span<UInt8>, from offset: Int) {
        self.offset = offset
    }

    func isAtEnd(_ payload: Span<UInt8>) -> Bool {
        !isFailed && offset == payload.count
    }

    mutating func byte(_ payload: Span<UInt8>) -> UInt8 {
        guard offset < payload.count else {
            isFailed = true
            return 0
        }
        defer { offset &+= 1 }
        return payload[offset]
    }

    /// A signed number below 2^53 in magnitude.
    mutating func signed(_ payload: Span<UInt8>) -> Int64 {
        let value = unzigzag(varint(payload))
        if value.magnitude >= UInt64(BlockCursor.numberLimit) { isFailed = true }
        return value
    }

    /// A number below 2^53.
    mutating func unsigned(_ payload: Span<UInt8>) -> UInt64 {
        let value = varint(payload)
        if value >= UInt64(BlockCursor.numberLimit) { isFailed = true }
        return value
    }

    private mutating func varint(_ payload: Span<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<8 {
            let next = byte(payload)
            value |= UInt64(next & 0x7F) << UInt64(7 * index)
            if next < 0x80 {
                if next == 0 && index > 0 { isFailed = true }
                return value
            }
        }
        isFailed = true
        return value
    }
}
