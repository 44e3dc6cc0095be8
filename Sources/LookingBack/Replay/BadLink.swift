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
    /// For how long a link or a recorder is gone, in seconds.
    private static let gap: ClosedRange<UInt64> = 3...60

    /// A heart rate as it came.
    private typealias Value = (header: EventHeader, device: DeviceID)

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

    /// What happens to which strap, by the value that it hits first.
    private var faults: [Position: (fault: LinkFault, device: DeviceID)] = [:]
    /// Those that were put in so far: where nobody listens already, none can be.
    private var applied: [LinkFault] = []
    /// All straps that sent heart rates.
    private let straps: Set<DeviceID>
    /// Events that stand where others did.
    private var swapped: [Position: Event] = [:]
    private var gaps: [Gap] = []
    private var lastStart: Event?

    /// Chooses where the faults are.
    ///
    /// - Parameters:
    ///   - kinds: What each does.
    ///   - seed: Which places.
    ///   - log: The log.
    ///   - positions: Where they may be.
    /// - Throws: `EventLogError`; ``CommandFailure`` if there are fewer heart rates than faults.
    package init(
        _ kinds: [LinkFault.Kind], seed: UInt64, in log: any EventLog,
        _ positions: WindowedPositions
    ) throws {
        let values = try Self.values(of: log, positions)
        try require(
            kinds.count <= values.count, .noInput,
            "There are \(values.count) heart rates, too few for \(kinds.count) faults.")
        straps = Set(values.map(\.device))
        var generator = Generator(state: seed)
        var left = values
        for kind in kinds {
            let value = left.remove(at: Int(generator.next() % UInt64(left.count)))
            let seconds = Self.gap.lowerBound + generator.next() % UInt64(Self.gap.count)
            let position = value.header.position
            let fault = LinkFault(
                kind, at: position, value.header.stamp,
                milliseconds: kind == .drops || kind == .crash ? seconds * 1_000 : 0)
            faults[position] = (fault, value.device)
            if kind == .reorder { try swap(value, among: values, in: log) }
        }
    }

    private static func values(
        of log: any EventLog, _ positions: WindowedPositions
    ) throws(EventLogError) -> [Value] {
        var values: [Value] = []
        for range in positions.ranges {
            try log.read(from: range.lowerBound) { event in
                guard range.contains(event.header.position) else { return false }
                if event.header.kind == .characteristicNotified, let fields = event.heartFields,
                    fields.characteristic == .heartRateMeasurement
                {
                    values.append((event.header, fields.device))
                }
                return true
            }
        }
        return values
    }

    /// Lets a value and the next one of its strap change places, or the one before where it is the
    /// last; they keep their times.
    private mutating func swap(
        _ value: Value, among values: [Value], in log: any EventLog
    ) throws(EventLogError) {
        let position = value.header.position
        let places = values.filter { $0.device == value.device }.map(\.header.position)
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
        try log.read { event in
            guard event.header.position < end ?? .max, !stop.hasCome else { return false }
            do throws(FieldError) {
                for event in link.take(event.recorded) { try state.evolve(event) }
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw EventLogError(.damaged, detail: failure.description) }
        return (state, link.applied)
    }

    /// - Returns: What the recorder would have recorded in the place of an event.
    private mutating func take(_ event: RecordedEvent) -> [RecordedEvent] {
        var event = event
        let header = event.header
        if let other = swapped[header.position] { event.event = other }
        if case .recorderStarted = event.event { lastStart = event.event }
        let events = endGaps(before: event)
        guard !gaps.contains(where: { $0.hides(event) }) else { return events }
        guard let (fault, device) = faults[header.position] else { return events + [event] }
        applied.append(fault)
        func gap(of device: DeviceID?) -> Gap {
            Gap(
                until: header.stamp.bootMilliseconds + fault.milliseconds,
                bootNumber: header.stamp.bootNumber, source: header.source, device: device)
        }
        switch fault.kind {
        case .duplicates: return events + [event, event]
        case .reorder: return events + [event]
        case .drops:
            gaps.append(gap(of: device))
            return events + [header.around(.linkLost(LinkLost(device: device)))]
        case .crash:
            // Each strap has to be connected to again.
            gaps += [gap(of: nil)] + straps.map(gap)
            return events
        }
    }

    /// What ends the gaps that are over: a recorder begins again by itself, and a link is back with
    /// what it brings.
    private mutating func endGaps(before event: RecordedEvent) -> [RecordedEvent] {
        let header = event.header
        let over = gaps.filter { $0.isOver(at: header) }
        var events: [RecordedEvent] = []
        if over.contains(where: { $0.device == nil }) {
            gaps.removeAll { $0.device == nil && $0.isOver(at: header) }
            events.append(header.around(.recorderStopped(RecorderStopped(reason: .foundDead))))
            // Where one begins here anyway, it is that one.
            if header.kind != .recorderStarted, let lastStart {
                events.append(header.around(lastStart))
            }
        }
        let brings = [.linkUp, .characteristicNotified].contains(header.kind)
        let back = over.compactMap(\.device).first(where: event.event.devices.contains)
        // While no recorder runs, no link is back.
        guard brings, let back, !gaps.contains(where: { $0.device == nil }) else { return events }
        gaps.removeAll { $0.device == back }
        guard header.kind == .characteristicNotified else { return events }
        return events + [
            header.around(.linkUp(LinkUp(device: back))),
            header.around(.subscribed(Subscribed(device: back))),
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
