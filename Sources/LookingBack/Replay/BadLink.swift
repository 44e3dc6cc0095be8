internal import Deciding
package import EventStore
package import Events
package import Projections
package import Words

/// What a strap's story would be with a bad link: the same events, with faults put in at places
/// that follow from a seed.
///
/// Each event keeps its position, so that sessions are the same ones: what is lost leaves a gap,
/// and what is put in has the position of the event after it.
package struct BadLink {
    /// How many faults of each kind.
    package typealias Counts = [(kind: LinkFault.Kind, count: Int)]

    /// For how long a link or a recorder is gone, in seconds.
    private static let gap: ClosedRange<UInt64> = 3...60

    /// A heart rate as it came.
    private struct Value {
        let header: EventHeader
        let device: DeviceID
    }

    /// What does not arrive until a time on the boot clock.
    private struct Gap {
        let until: UInt64
        let bootNumber: UInt32
        let source: UInt32
        /// The strap that is out of reach; nil if nobody records at all.
        let device: DeviceID?

        func isOver(at header: EventHeader) -> Bool {
            header.source == source
                && (header.stamp.bootNumber != bootNumber
                    || header.stamp.bootMilliseconds >= until)
        }

        /// Whether an event does not arrive.
        func hides(_ event: RecordedEvent) -> Bool {
            guard event.header.source == source else { return false }
            guard let device else { return true }
            let lane = event.header.kind.lane
            return (lane == .heart || lane == .link) && event.event.devices.contains(device)
        }
    }

    /// The faults, in order.
    package private(set) var faults: [LinkFault] = []
    private var devices: [Position: DeviceID] = [:]
    /// Events that stand where others did.
    private var swapped: [Position: Event] = [:]
    private var gaps: [Gap] = []
    private var lastStart: Event?

    /// Chooses where the faults are.
    ///
    /// - Parameters:
    ///   - counts: How many of each.
    ///   - seed: Which places.
    ///   - log: The log.
    ///   - positions: Where they may be.
    /// - Throws: `EventLogError`; ``CommandFailure`` if there are fewer heart rates than faults.
    package init(
        _ counts: Counts, seed: UInt64, in log: any EventLog, _ positions: WindowedPositions
    ) throws {
        var values = try Self.values(of: log, positions)
        let wanted = counts.reduce(0) { $0 + $1.count }
        guard wanted <= values.count else {
            throw CommandFailure(
                .noInput,
                "There are \(values.count) heart rates, too few for \(wanted) faults.")
        }
        var generator = Generator(state: seed)
        let order = values
        for (kind, count) in counts {
            for _ in 0..<count {
                let value = values.remove(at: Int(generator.next() % UInt64(values.count)))
                let (header, lasts) = (value.header, kind == .drops || kind == .crash)
                let seconds = Self.gap.lowerBound + generator.next() % UInt64(Self.gap.count)
                faults.append(
                    LinkFault(
                        kind, at: header.position, header.stamp,
                        milliseconds: lasts ? seconds * 1_000 : 0))
                devices[header.position] = value.device
            }
        }
        faults.sort { $0.position < $1.position }
        for fault in faults where fault.kind == .reorder {
            try swap(fault.position, among: order, in: log)
        }
    }

    private static func values(
        of log: any EventLog, _ positions: WindowedPositions
    ) throws(EventLogError) -> [Value] {
        guard let span = positions.span else { return [] }
        var values: [Value] = []
        try log.read(from: span.lowerBound) { event in
            let header = event.header
            if header.position < span.upperBound, header.kind == .characteristicNotified,
                let fields = event.heartFields, fields.characteristic == .heartRateMeasurement,
                positions.ranges.contains(where: { $0.contains(header.position) })
            {
                values.append(Value(header: header, device: fields.device))
            }
            return header.position + 1 < span.upperBound
        }
        return values
    }

    /// Lets a value and the next one of its strap change places; they keep their times.
    private mutating func swap(
        _ position: Position, among values: [Value], in log: any EventLog
    ) throws(EventLogError) {
        let device = devices[position]
        let next = values.first { $0.header.position > position && $0.device == device }
        guard let next = next?.header.position else { return }
        for (from, to) in [(position, next), (next, position)] {
            swapped[to] = try log.events(in: from..<from + 1).first?.event
        }
    }

    /// Folds the log with the faults.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - end: The position to stop before; nil for its end.
    /// - Returns: The state.
    /// - Throws: `EventLogError`.
    package func folded(
        _ log: any EventLog, until end: Position?
    ) throws(EventLogError) -> LogState {
        var link = self
        var state = LogState()
        var failure: FieldError?
        var faults = self.faults[...]
        try log.read { event in
            guard event.header.position < end ?? .max else { return false }
            do throws(FieldError) {
                for event in link.take(event.recorded, &faults) { try state.evolve(event) }
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw EventLogError(.damaged, detail: failure.description) }
        return state
    }

    /// - Returns: What the recorder would have recorded in the place of an event.
    private mutating func take(
        _ event: RecordedEvent, _ faults: inout ArraySlice<LinkFault>
    ) -> [RecordedEvent] {
        let header = event.header
        if case .recorderStarted = event.event { lastStart = event.event }
        var events = endGaps(before: header)
        var event = event
        if let other = swapped[header.position] { event.event = other }
        let fault = faults.first?.position == header.position ? faults.popFirst() : nil
        // What happens while nobody listens changes nothing.
        guard !gaps.contains(where: { $0.hides(event) }) else { return events }
        guard let fault else { return events + [event] }
        let device = devices[header.position]
        let gap = Gap(
            until: header.stamp.bootMilliseconds + fault.milliseconds,
            bootNumber: header.stamp.bootNumber, source: header.source,
            device: fault.kind == .crash ? nil : device)
        switch fault.kind {
        case .duplicates: events += [event, event]
        case .reorder: events.append(event)
        case .drops:
            let loss = LinkLost(device: device ?? DeviceID(address: 0, space: .public))
            events.append(RecordedEvent(header: header.of(.linkLost), event: .linkLost(loss)))
            gaps.append(gap)
        case .crash: gaps.append(gap)
        }
        return events
    }

    /// What ends the gaps that are over.
    private mutating func endGaps(before header: EventHeader) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        for gap in gaps where gap.isOver(at: header) {
            if gap.device == nil, let lastStart {
                let died = RecorderStopped(reason: .foundDead)
                events.append(
                    RecordedEvent(
                        header: header.of(.recorderStopped), event: .recorderStopped(died)))
                events.append(RecordedEvent(header: header.of(.recorderStarted), event: lastStart))
            }
            for device in gap.device.map({ [$0] }) ?? linked {
                events.append(
                    RecordedEvent(
                        header: header.of(.linkUp), event: .linkUp(LinkUp(device: device))))
                events.append(
                    RecordedEvent(
                        header: header.of(.subscribed),
                        event: .subscribed(Subscribed(device: device))))
            }
        }
        gaps.removeAll { $0.isOver(at: header) }
        return events
    }

    /// The straps whose values the faults hit, which come back after a crash.
    private var linked: [DeviceID] {
        var linked: [DeviceID] = []
        for fault in faults {
            if let device = devices[fault.position], !linked.contains(device) {
                linked.append(device)
            }
        }
        return linked
    }

    /// SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
    private struct Generator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}

extension EventHeader {
    /// The same envelope around another kind of event.
    fileprivate func of(_ kind: EventKind) -> EventHeader {
        var header = self
        (header.kind, header.version) = (kind, 1)
        return header
    }
}
