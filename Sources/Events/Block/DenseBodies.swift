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
    assert(devices.index(of: device, lane: lane, count: state.deviceCount) == index, "Listed once.")
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

/// Writes a dense `characteristicNotified`.
@inline(__always)
func writeHeart(
    _ sink: inout ByteSink, _ state: inout LaneState, _ devices: inout DeviceList,
    _ event: borrowing EventView
) -> Bool {
    guard let fields = event.heartFields, fields.characteristic == .heartRateMeasurement else {
        return false
    }
    let value = event.payload.part(fields.value)
    // Flags and at least one byte of BPM.
    guard value.count >= 2 else { return false }
    let flags = value[0]
    let fixed = 2 &+ Int(flags & 1) &+ Int(flags &>> 3 & 1) &* 2
    let rest = value.count &- fixed
    let device = fields.device.word
    let hasIntervals = flags & 0x10 != 0
    guard flags < 0x20, rest >= 0, rest & 1 == 0, rest <= 10, hasIntervals || rest == 0,
        let reference = reference(to: device, lane: 2, &state, &devices)
    else { return false }
    let count = rest / 2
    let code = hasIntervals ? (count == 0 ? 6 : UInt8(truncatingIfNeeded: count)) : 0
    sink.byte(
        code | (flags &>> 1 & 3) &<< 3 | (flags & 1) &<< 5 | (flags &>> 3 & 1) &<< 6
            | reference.controlBit)
    reference.write(device, to: &sink)
    for index in 1..<fixed { sink.byte(value[index]) }
    var last = state.first
    var offset = fixed
    for _ in 0..<count {
        let interval = Int64(value[offset]) | Int64(value[offset &+ 1]) &<< 8
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
    _ event: borrowing EventView
) -> Bool {
    guard let fields = event.pedometerFields else { return false }
    let form: UInt8
    var count = Int64(bitPattern: fields.count)
    let value = event.payload.part(fields.value)
    switch fields.form {
    case .counter: form = 0
    case .infiniTimeStepCount:
        guard value.count == 4 else { return false }
        form = 1
        for index in 0..<4 { count |= Int64(value[index]) &<< Int64(8 &* index) }
    case .runningSpeedCadenceMeasurement:
        guard value.count >= 4 else { return false }
        form = 2
        let flags = value[0]
        let length = 4 &+ Int(flags & 1) &* 2 &+ Int(flags &>> 1 & 1) &* 4
        guard flags < 8, value.count == length else { return false }
    }
    let device = fields.device.word
    guard let reference = reference(to: device, lane: 3, &state, &devices) else { return false }
    sink.byte(form | (fields.distanceMillimetres == nil ? 0 : 8) | reference.controlBit)
    reference.write(device, to: &sink)
    if form == 2 {
        for index in 0..<value.count { sink.byte(value[index]) }
    } else {
        sink.signed(count &- state.first)
        state.first = count
    }
    if let distance = fields.distanceMillimetres {
        sink.signed(Int64(bitPattern: distance) &- state.second)
        state.second = Int64(bitPattern: distance)
    }
    return true
}

/// Writes a dense `positionFixed`.
func writePosition(
    _ sink: inout ByteSink, _ state: inout LaneState, _ event: borrowing EventView
) -> Bool {
    guard let fix = event.fields(PositionFixed()) else { return false }
    // Altitude, accuracy, speed, satellites and the time of the fix, each if its bit is set.
    var control: UInt8 = fix.altitudeMillimetres == nil ? 0 : 1
    if fix.accuracyMillimetres != nil { control |= 2 }
    if fix.speedMillimetresPerSecond != nil { control |= 4 }
    if fix.satellites != nil { control |= 8 }
    if fix.fixedAtMilliseconds != nil { control |= 16 }
    sink.byte(control)
    sink.signed(fix.latitudeE7 &- state.first)
    sink.signed(fix.longitudeE7 &- state.second)
    state.first = fix.latitudeE7
    state.second = fix.longitudeE7
    if let altitude = fix.altitudeMillimetres {
        sink.signed(altitude &- state.third)
        state.third = altitude
    }
    if let accuracy = fix.accuracyMillimetres { sink.varint(accuracy) }
    if let speed = fix.speedMillimetresPerSecond { sink.varint(speed) }
    if let satellites = fix.satellites { sink.varint(satellites) }
    if let fixedAt = fix.fixedAtMilliseconds {
        sink.signed(fixedAt &- event.header.stamp.wallMilliseconds)
    }
    return true
}
