internal import Deciding
package import EventStore
package import Events
package import Projections
package import Terminal
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

        /// Whether an event does not arrive; what the walker did always does.
        func hides(_ event: RecordedEvent) -> Bool {
            let kind = event.header.kind
            guard event.header.source == source else { return false }
            guard let device else {
                return [.heart, .link, .steps, .place].contains(kind.lane)
            }
            let isOfLink = [.linkUp, .linkLost, .subscribed, .connectFailed].contains(kind)
            return (kind.lane == .heart || isOfLink) && event.event.devices.contains(device)
        }
    }

    /// The faults, in order.
    private var faults: [LinkFault] = []
    /// Those that were put in so far: where nobody listens already, none can be.
    private var applied: [LinkFault] = []
    /// All straps that sent heart rates.
    private var straps: [DeviceID] = []
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
        for value in order where !straps.contains(value.device) { straps.append(value.device) }
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

    /// Lets a value and the next one of its strap change places, or the one before where it is the
    /// last; they keep their times.
    private mutating func swap(
        _ position: Position, among values: [Value], in log: any EventLog
    ) throws(EventLogError) {
        let places = values.filter { $0.device == devices[position] }.map(\.header.position)
        let other = places.first { $0 > position } ?? places.last { $0 < position }
        guard let other else { return }
        for place in [position, other] where swapped[place] == nil {
            swapped[place] = try log.events(in: place..<place + 1).first?.event
        }
        (swapped[position], swapped[other]) = (swapped[other], swapped[position])
    }

    /// Folds the log with the faults.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - end: The position to stop before; nil for its end.
    ///   - stop: Ends it between two events.
    /// - Returns: The state, and the faults that were put in.
    /// - Throws: `EventLogError`.
    package func folded(
        _ log: any EventLog, until end: Position?, orUntil stop: StopRequest
    ) throws(EventLogError) -> (state: LogState, faults: [LinkFault]) {
        var link = self
        var state = LogState()
        var failure: FieldError?
        var faults = self.faults[...]
        try log.read { event in
            guard event.header.position < end ?? .max, !stop.hasCome else { return false }
            do throws(FieldError) {
                for event in link.take(event.recorded, &faults) { try state.evolve(event) }
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw EventLogError(.damaged, detail: failure.description) }
        return (state, link.applied)
    }

    /// - Returns: What the recorder would have recorded in the place of an event.
    private mutating func take(
        _ event: RecordedEvent, _ faults: inout ArraySlice<LinkFault>
    ) -> [RecordedEvent] {
        var event = event
        let header = event.header
        if let other = swapped[header.position] { event.event = other }
        if case .recorderStarted = event.event { lastStart = event.event }
        let events = endGaps(before: event)
        let fault = faults.first?.position == header.position ? faults.popFirst() : nil
        guard !gaps.contains(where: { $0.hides(event) }) else { return events }
        guard let fault, let device = devices[header.position] else { return events + [event] }
        applied.append(fault)
        let gap = Gap(
            until: header.stamp.bootMilliseconds + fault.milliseconds,
            bootNumber: header.stamp.bootNumber, source: header.source,
            device: fault.kind == .crash ? nil : device)
        switch fault.kind {
        case .duplicates: return events + [event, event]
        case .reorder: return events + [event]
        case .drops:
            gaps.append(gap)
            return events + [header.around(.linkLost(LinkLost(device: device)))]
        case .crash:
            gaps.append(gap)
            return events
        }
    }

    /// What ends the gaps that are over: a recorder begins again by itself, and a link is back with
    /// what it brings.
    private mutating func endGaps(before event: RecordedEvent) -> [RecordedEvent] {
        let header = event.header
        var events: [RecordedEvent] = []
        for gap in gaps where gap.device == nil && gap.isOver(at: header) {
            let died = RecorderStopped(reason: .foundDead)
            events.append(header.around(.recorderStopped(died)))
            // Where one begins here anyway, it is that one.
            if header.kind != .recorderStarted, let lastStart {
                events.append(header.around(lastStart))
            }
            gaps += straps.map {
                Gap(
                    until: gap.until, bootNumber: gap.bootNumber, source: gap.source, device: $0)
            }
        }
        gaps.removeAll { $0.device == nil && $0.isOver(at: header) }
        let back = gaps.first {
            guard let device = $0.device, $0.isOver(at: header) else { return false }
            return [.linkUp, .characteristicNotified].contains(header.kind)
                && event.event.devices.contains(device)
        }
        guard let device = back?.device else { return events }
        gaps.removeAll { $0.device == device }
        guard header.kind == .characteristicNotified else { return events }
        return events + [
            header.around(.linkUp(LinkUp(device: device))),
            header.around(.subscribed(Subscribed(device: device))),
        ]
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
    /// The same envelope around another event.
    fileprivate func around(_ event: Event) -> RecordedEvent {
        var header = self
        (header.kind, header.version) = (event.kind, 1)
        return RecordedEvent(header: header, event: event)
    }
}
