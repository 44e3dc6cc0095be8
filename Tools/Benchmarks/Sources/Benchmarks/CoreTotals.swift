import CReference
import Decoding
import EventStore
import Events
import Projections

/// What a plain loop over all events adds up, as `CReference.h` says: the same on every side.
struct CoreTotals {
    /// A counter of steps, and what it said last.
    private struct Stream {
        let source: UInt32
        let device: DeviceID
        var count: UInt64
    }

    private(set) var figures = ref_core()
    private var streams: [Stream] = []
    /// The stream of the reading before.
    private var last = 0

    /// Adds up a log, event by event.
    init(of log: some EventLog) throws(EventLogError) {
        try log.read { event in
            add(event)
            return true
        }
    }

    /// Takes an event in.
    private mutating func add(_ event: borrowing EventView) {
        figures.events += 1
        switch event.header.kind {
        case .characteristicNotified:
            guard let fields = event.heartFields, fields.characteristic == .heartRateMeasurement,
                let bpm = event.withBytes(fields.value, Self.heartRate)
            else { return }
            figures.hearts += 1
            figures.sum_bpm += bpm
            figures.maximum_bpm = max(figures.maximum_bpm, bpm)
        case .pedometerRead:
            guard let fields = event.pedometerFields, fields.form == .counter else { return }
            add(fields.count, source: event.header.source, device: fields.device)
        default: break
        }
    }

    private mutating func add(_ count: UInt64, source: UInt32, device: DeviceID) {
        figures.readings += 1
        func isIts(_ stream: Stream) -> Bool { stream.source == source && stream.device == device }
        if last >= streams.count || !isIts(streams[last]) {
            last = streams.firstIndex(where: isIts) ?? streams.count
            if last == streams.count {
                streams.append(Stream(source: source, device: device, count: count))
            }
        }
        if count > streams[last].count { figures.steps &+= count - streams[last].count }
        streams[last].count = count
    }

    private static func heartRate(_ value: Span<UInt8>) -> UInt64? {
        do throws(MalformedMeasurement) {
            return UInt64(try HeartRateMeasurement(decoding: value).heartRateBPM)
        } catch {
            return nil
        }
    }

    /// Compares these totals with those of another side.
    ///
    /// - Throws: ``TotalsDiffer`` for the first figure that differs.
    func compare(with other: ref_core, of side: String) throws(TotalsDiffer) {
        for ((name, ours), (_, theirs)) in zip(figures.named, other.named) where ours != theirs {
            throw TotalsDiffer(figure: name, swift: ours, other: theirs, side: side)
        }
    }
}

extension LogState {
    /// Compares what a fold has seen of one strap and one pedometer with the core totals.
    ///
    /// - Throws: ``TotalsDiffer`` if it has not taken every event, value and reading in.
    func compare(with totals: CoreTotals) throws(TotalsDiffer) {
        var seen = totals.figures
        seen.events = events
        seen.hearts = own.devices.strap?.link.values ?? 0
        seen.readings = own.steps.chosen?.readings ?? 0
        try totals.compare(with: seen, of: "the fold")
    }
}

extension ref_core {
    /// The figures with their names.
    fileprivate var named: [(String, UInt64)] {
        [
            ("number of events", events), ("number of heart rates", hearts),
            ("sum of heart rates", sum_bpm), ("highest heart rate", maximum_bpm),
            ("number of readings", readings), ("number of steps", steps),
        ]
    }
}

/// Core totals of the same log that do not agree.
struct TotalsDiffer: Error, CustomStringConvertible {
    let figure: String
    let swift: UInt64
    let other: UInt64
    let side: String

    var description: String {
        "The totals differ: the \(figure) is \(swift) in Swift and \(other) by \(side)."
    }
}
