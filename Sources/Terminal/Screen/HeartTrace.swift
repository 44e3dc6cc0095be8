internal import Decoding
internal import Events
internal import Projections

/// The heart rate of the last ten minutes, for a few rows of bars.
///
/// It is made of the events that a front is handed, so it begins where the front began.
struct HeartTrace: Sendable {
    /// How far back it goes.
    static let spanMilliseconds: UInt64 = 600_000

    /// The values of one second.
    private struct Second {
        let number: UInt64
        var sum: UInt64
        var count: UInt64
    }

    /// A time without a link.
    private struct Loss {
        let since: UInt64
        /// When the link stood again; nil while it does not.
        var until: UInt64?
    }

    private var seconds: [Second] = []
    private var losses: [Loss] = []
    /// Whose value came last.
    private var strap: DeviceID?

    /// Hears an event of the live recorder, in the state after it.
    mutating func hear(_ recorded: RecordedEvent, in state: LogState) {
        guard recorded.header.source == 0 else { return }
        let now = recorded.header.stamp.bootMilliseconds
        switch recorded.event {
        case .characteristicNotified(let event)
        where event.characteristic == .heartRateMeasurement:
            endLoss(at: now)
            guard let bpm = Self.heartRate(event, state) else { return }
            strap = event.device
            add(UInt64(bpm), at: now)
        case .linkUp(let event) where event.device == strap: endLoss(at: now)
        case .linkLost(let event) where event.device == strap:
            if losses.last?.until != nil || losses.isEmpty { losses.append(Loss(since: now)) }
        // The clock of another boot counts from nothing.
        case .bootBegan: self = HeartTrace()
        default: return
        }
        forget(before: now - min(now, Self.spanMilliseconds))
    }

    private mutating func endLoss(at now: UInt64) {
        guard let last = losses.indices.last, losses[last].until == nil else { return }
        losses[last].until = now
    }

    private mutating func add(_ bpm: UInt64, at now: UInt64) {
        let number = now / 1_000
        if let last = seconds.last, last.number >= number {
            seconds[seconds.count - 1].sum += bpm
            seconds[seconds.count - 1].count += 1
        } else {
            seconds.append(Second(number: number, sum: bpm, count: 1))
        }
    }

    private mutating func forget(before time: UInt64) {
        let second = time / 1_000
        if let first = seconds.first, first.number < second {
            seconds.removeFirst(seconds.prefix { $0.number < second }.count)
        }
        losses.removeAll { $0.until.map { $0 < time } ?? false }
    }

    private static func heartRate(_ event: CharacteristicNotified, _ state: LogState) -> UInt16? {
        do throws(MalformedMeasurement) {
            let measurement = try HeartRateMeasurement(decoding: event.value.span)
            let strap = state.own.devices[event.device]
            let reading = HeartReading(measurement, of: strap, state.rules)
            let isHeart = !reading.isWithoutContact && reading.heartRateBPM > 0
            return isHeart ? reading.heartRateBPM : nil
        } catch {
            return nil  // The log has it, and counts it.
        }
    }

    /// The mean of each column's time, the oldest first; nil where no value came.
    func means(columns: Int, at now: UInt64) -> [UInt64?] {
        guard columns > 0 else { return [] }
        var cells = [(sum: UInt64, count: UInt64)](repeating: (0, 0), count: columns)
        for second in seconds {
            guard let column = column(of: second.number * 1_000, columns, now) else { continue }
            cells[column].sum += second.sum
            cells[column].count += second.count
        }
        return cells.map { $0.count > 0 ? $0.sum / $0.count : nil }
    }

    /// The columns of times without a link that were longer than the grace.
    func lossColumns(columns: Int, at now: UInt64) -> [ClosedRange<Int>] {
        losses.compactMap { loss in
            let until = min(loss.until ?? now, now)
            let begin = now - min(now, Self.spanMilliseconds)
            guard until > loss.since + Rules().graceMilliseconds, until > begin,
                let first = column(of: max(loss.since, begin), columns, now),
                let last = column(of: until, columns, now)
            else { return nil }
            return first...last
        }
    }

    private func column(of time: UInt64, _ columns: Int, _ now: UInt64) -> Int? {
        let age = now - min(now, time)
        guard age <= Self.spanMilliseconds else { return nil }
        let column = Int((Self.spanMilliseconds - age) * UInt64(columns) / Self.spanMilliseconds)
        return min(column, columns - 1)
    }
}
