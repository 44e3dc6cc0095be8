import Events

/// The time of a capture, in milliseconds from its first event; it never runs backwards.
struct CaptureClock {
    private var first: Stamp?
    /// The time of the first event of the boot.
    private var bootMilliseconds: UInt64 = 0
    private var last: (stamp: Stamp, milliseconds: UInt64)?

    /// The time of an event: the boot clock within a boot, the wall clock from one to the next.
    mutating func read(_ stamp: Stamp) -> UInt64 {
        if let last, stamp.bootNumber != last.stamp.bootNumber {
            let gap = stamp.wallMilliseconds - last.stamp.wallMilliseconds
            bootMilliseconds = last.milliseconds + UInt64(clamping: gap)
            first = nil
        }
        let begin = first ?? stamp
        first = begin
        let progress = Int64(stamp.bootMilliseconds) - Int64(begin.bootMilliseconds)
        let time = max(bootMilliseconds + UInt64(clamping: progress), last?.milliseconds ?? 0)
        last = (stamp, time)
        return time
    }
}

/// A value that a device sent by itself, whichever lane it was recorded in.
struct SentValue {
    let device: DeviceID
    let characteristic: CharacteristicCode
    let value: [UInt8]
}

extension SentValue {
    /// Takes the value out of an event, or gives nil if there is none in it.
    init?(_ event: Event) {
        switch event {
        case .characteristicNotified(let notified):
            self.init(
                device: notified.device, characteristic: notified.characteristic,
                value: notified.value)
        case .pedometerRead(let read):
            guard case .characteristic(let code, let value) = read.reading else { return nil }
            self.init(device: read.device, characteristic: code, value: value)
        case .valueCut(let cut):
            self.init(
                device: cut.device, characteristic: cut.characteristic,
                value: SentValue.lengthened(cut.value, to: cut.fullLength))
        case .pedometerValueCut(let cut):
            self.init(
                device: cut.device, characteristic: cut.characteristic,
                value: SentValue.lengthened(cut.value, to: cut.fullLength))
        default: return nil
        }
    }

    /// What was cut off was not recorded; zeros stand for it.
    private static func lengthened(_ value: [UInt8], to fullLength: UInt64) -> [UInt8] {
        let longest = 64 * 1_024
        let missing = min(Int(clamping: fullLength), longest) - value.count
        return value + [UInt8](repeating: 0, count: max(missing, 0))
    }
}
