/// Heart rates that a strap has stored and sent afterwards: messages `hr` of FIT (Profile, 132).
///
/// Each beat has a time of the strap's own clock, in 1/1024 s: in full, or as its last twelve bits.
/// A message that has the watch's time too says which moment that was.
struct FITHearts {
    /// A beat with the heart rate that the strap gave then.
    struct Beat {
        /// Milliseconds since 1970 by the watch's clock.
        let at: Int64
        let bpm: UInt16
        /// 1/1024 s since the beat before; nil if that is not the one before.
        let ticks: UInt16?
    }

    /// A moment by both clocks.
    private var anchor: (milliseconds: Int64, event: UInt32)?
    private var last: UInt32?

    /// Takes a message.
    ///
    /// - Returns: Its beats; nil if no message has said yet when it was.
    mutating func take(_ message: FITMessage) -> [Beat]? {
        var events = (message.numbers(9) ?? []).map { UInt32(truncatingIfNeeded: $0) }
        if let told = FITTime.milliseconds(message.timestamp), let event = events.first {
            let fraction = (message.number(0) ?? 0) * 1_000 / 32_768
            anchor = (told + fraction, event)
        }
        if events.isEmpty, var event = last {
            for low in Self.pairs(message.bytes(of: 10)) {
                event &+= (low &- event) & 0xFFF
                events.append(event)
            }
        }
        guard let anchor else { return nil }
        var beats: [Beat] = []
        for (event, bpm) in zip(events, message.bytes(of: 6)) {
            let ticks = last.map { event &- $0 }
            last = event
            guard bpm != 0, bpm != 255 else { continue }
            let passed = Int64(Int32(bitPattern: event &- anchor.event))
            // Only what fits the heart rate is the time from beat to beat.
            let fits = ticks.map { (48...72).contains(UInt64($0) * UInt64(bpm) / 1_024) } ?? false
            beats.append(
                Beat(
                    at: anchor.milliseconds + passed * 1_000 / 1_024, bpm: UInt16(bpm),
                    ticks: fits ? ticks.flatMap { UInt16(exactly: $0) } : nil))
        }
        return beats
    }

    /// Twelve bits each, the lower ones first.
    private static func pairs(_ bytes: ArraySlice<UInt8>) -> [UInt32] {
        var (numbers, rest) = ([UInt32](), bytes)
        while rest.count >= 3 {
            let (low, middle, high) = (rest.removeFirst(), rest.removeFirst(), rest.removeFirst())
            numbers.append(UInt32(low) | UInt32(middle & 0x0F) << 8)
            numbers.append(UInt32(middle >> 4) | UInt32(high) << 4)
        }
        return numbers
    }
}
