internal import Events

/// What was counted at a moment of a FIT file.
struct FITCount {
    let at: Int64
    var steps: UInt64?
    var distance: UInt64?
    /// Whether the walk goes on then, after a pause.
    var isResumed = false
}

extension FITCount {
    /// As it waits for the end of the file: the device's number says what there is.
    var event: Event {
        let flags: UInt64 = (steps == nil ? 0 : 1) | (isResumed ? 2 : 0)
        return .pedometerRead(
            PedometerRead(
                device: DeviceID(address: flags, space: .other),
                reading: .counter(min(steps ?? 0, 1 << 53 - 1)),
                distanceMillimetres: distance.map { min($0, 1 << 53 - 1) }))
    }

    /// What has waited.
    init(_ fact: borrowing EventView) {
        at = fact.header.stamp.wallMilliseconds
        guard case .pedometerRead(let read) = fact.decoded, case .counter(let steps) = read.reading
        else { return }
        let flags = read.device.word
        self.steps = flags & 1 == 0 ? nil : steps
        (distance, isResumed) = (read.distanceMillimetres, flags & 2 != 0)
    }
}
