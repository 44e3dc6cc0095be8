public import Events

/// Certifies displayed counts from the events alone, or finds the event after which one is wrong.
///
/// It shares no code with the fold that displays them and works another way: odometers that only
/// go up, and for each day the greatest lead of a total over what was walked. It certifies the
/// rule as written, not what-if rules.
///
/// ```swift
/// var certifier = StepsCertifier()
/// for event in log {
///     state.evolve(event)
///     try certifier.take(event) { state.displayed(on: $0) }
/// }
/// let certificates = try certifier.finish { state.displayed(on: $0) }
/// ```
public struct StepsCertifier: Sendable {
    /// What the chosen pedometer's next reading is worth.
    private enum Worth: Int {
        case everything
        /// A new counter's; else what legs can have made since midnight, where somebody walks.
        case sinceMidnight
        case nothing
    }

    private static let pedometerLimit = 64
    private static let kindsOfMachine: [EventKind] = [.bootBegan, .zoneOffsetChanged, .originBegan]

    private var timeline = Timeline()
    private var zoneOffsetMinutes: Int64 = 0
    private var odometers: [Odometer] = []
    /// Whether somebody chose; the first one read counts until then.
    private var hasChosen = false
    private var chosenDevice: DeviceID?
    private var stepsPerCadenceCount: UInt8 = 1
    private var worth = Worth.everything
    /// What the chosen pedometer's readings go on.
    private var legs: Legs? = Legs()
    /// Places at the beginning of the next reading that totals were already ahead by.
    private var covered: Int128 = 0
    /// Likewise of the days before, if the counter went on.
    private var coveredBefore: Int128 = 0
    private var today: CivilDate?
    private var midnight = Midnight()
    /// The text of the last note.
    public private(set) var note: String?
    private var days: [CertifiedDay] = []
    /// Where the day of a date stands in `days`; only looked up, never walked.
    private var places: [CivilDate: Int] = [:]

    /// Begins before the first event.
    ///
    /// - Parameters:
    ///   - zoneOffsetMinutes: Minutes east of UTC, if no event before gives them.
    ///   - stepsPerCadenceCount: Steps for one count of a foot pod's cadence, likewise.
    public init(zoneOffsetMinutes: Int64 = 0, stepsPerCadenceCount: UInt8 = 1) {
        self.zoneOffsetMinutes = zoneOffsetMinutes
        self.stepsPerCadenceCount = stepsPerCadenceCount
    }

    /// Takes one event in and holds what is displayed after it against it.
    ///
    /// - Parameters:
    ///   - event: The event, in place.
    ///   - displayed: What is displayed for a date after this event, or nil if nothing is.
    /// - Throws: ``CounterExample`` if that is not what the events add up to.
    public mutating func take(
        _ event: borrowing EventView, displayed: (CivilDate) -> UInt64?
    ) throws(CounterExample) {
        let (named, today) = add(event)
        if let named { try compare(named, event.header.position, displayed(named)) }
        if let today { try compare(today, event.header.position, displayed(today)) }
    }

    /// Takes one event in, and holds nothing against it.
    ///
    /// - Parameter event: The event, in place.
    public mutating func take(_ event: borrowing EventView) {
        _ = add(event)
    }

    /// What the events so far add up to for a date; nil if none of them speaks of it.
    public func certificate(of date: CivilDate) -> Certificate? {
        places[date].map { days[$0].certificate }
    }

    /// Counts an event.
    ///
    /// - Returns: The dates of which something may be displayed otherwise than before.
    private mutating func add(
        _ event: borrowing EventView
    ) -> (named: CivilDate?, today: CivilDate?) {
        let header = event.header
        let isSimulated = header.flags.contains(.simulated)
        // What the machine says of itself is true, whatever else is recorded.
        let isOwn =
            header.source == 0 && (!isSimulated || Self.kindsOfMachine.contains(header.kind))
        if isOwn { timeline.advance(to: header) }
        if isOwn, !isSimulated, header.kind.lane == .session {
            midnight.hear(event.decoded, at: timeline.instant)
        }
        let isHeard = isOwn || header.kind == .healthTotalObserved && !isSimulated
        if isHeard, header.kind.lane == .control { listen(event.decoded) }
        guard isHeard, header.kind.lane == .steps else { return (nil, nil) }
        return (count(event.decoded, header), today)
    }

    /// Looks at the days again after the last event.
    ///
    /// - Parameters:
    ///   - date: The only one that is looked at; nil for all.
    ///   - displayed: What is displayed for a date, or nil if nothing is.
    /// - Returns: A certificate for each day, in order of date.
    /// - Throws: ``CounterExample`` if a day changed that no event spoke of.
    public mutating func finish(
        _ date: CivilDate? = nil, displayed: (CivilDate) -> UInt64?
    ) throws(CounterExample) -> [Certificate] {
        let certificates = days.map(\.certificate).filter { date == nil || date == $0.date }
        for certificate in certificates {
            let position = certificate.positions.upperBound
            try compare(certificate.date, position, displayed(certificate.date))
        }
        return certificates.sorted { $0.date < $1.date }
    }

    private mutating func compare(
        _ date: CivilDate, _ position: Position, _ displayed: UInt64?
    ) throws(CounterExample) {
        let displayed = displayed ?? 0
        var (before, expected): (UInt64, UInt64) = (0, 0)
        if let index = places[date] {
            (before, expected) = (days[index].lastDisplayed, days[index].expected)
            days[index].lastDisplayed = displayed
        }
        let fault: CounterExample.Fault
        if displayed < before {
            fault = .fell
        } else if displayed == expected {
            return
        } else {
            fault = displayed > expected ? .tooMany : .tooFew
        }
        throw CounterExample(
            fault: fault, position: position, date: date, before: before, displayed: displayed,
            expected: expected)
    }
}

// MARK: - In the middle of a log

extension StepsCertifier: Carried {
    init() { self.init(zoneOffsetMinutes: 0) }

    mutating func carry(_ carrier: inout Carrier) {
        var worth = worth.rawValue
        carrier(&timeline, &zoneOffsetMinutes, &odometers)
        carrier(&hasChosen, &chosenDevice, &stepsPerCadenceCount, &worth)
        carrier(&legs, &covered, &coveredBefore)
        carrier(&today, &midnight, &note)
        carrier(&days)
        self.worth = Worth(rawValue: worth) ?? .nothing
        carrier.require(odometers.count <= Self.pedometerLimit)
        carrier.require(odometers.allSatisfy { $0.isPast(at: timeline.milliseconds) })
    }

    /// What is needed to go on from here after others, one for each part of the log.
    ///
    /// - Parameter start: Where the part begins; of the days those are given that it spoke of.
    /// - Returns: The part.
    func part(since start: Position) -> StepsCertifier {
        var part = self
        part.days = days.filter { $0.lastPosition >= start }
        part.places = [:]
        return part
    }

    /// Goes on after parts of a log, in order, in which nothing was compared.
    init(after parts: some Sequence<StepsCertifier>) {
        self.init()
        var (days, places) = (days, places)
        for part in parts {
            self = part
            for day in part.days {
                let place = places[day.date] ?? days.count
                if place == days.count { days.append(day) } else { days[place] = day }
                places[day.date] = place
            }
        }
        (self.days, self.places) = (days, places)
    }

    /// Goes on from one that has taken in the same and more, and during which no other count was
    /// displayed for a date.
    public mutating func goOn(from later: StepsCertifier, displaying date: CivilDate) {
        let displayed = places[date].map { days[$0].lastDisplayed } ?? 0
        self = later
        if let place = places[date] { days[place].lastDisplayed = displayed }
    }
}

// MARK: - What events say

extension StepsCertifier {
    /// Zone and silence: nobody counts while no recorder listens.
    private mutating func listen(_ event: Event) {
        var isGap = false
        switch event {
        case .bootBegan(let event): zoneOffsetMinutes = event.zoneOffsetMinutes
        case .zoneOffsetChanged(let event): zoneOffsetMinutes = event.toMinutes
        case .recorderStarted(let event):
            zoneOffsetMinutes = event.zoneOffsetMinutes
            isGap = true
        case .recorderStopped: isGap = true
        case .noted(let event): note = event.text
        default: break
        }
        guard isGap else { return }
        for index in odometers.indices { odometers[index].isUnheard = true }
    }

    /// Counts an event of the steps lane.
    ///
    /// - Returns: The date that it speaks of, or nil.
    private mutating func count(_ event: Event, _ header: EventHeader) -> CivilDate? {
        let position = header.position
        switch event {
        case .pedometerRead(let event):
            read(event, header)
            return nil
        case .pedometerChosen(let event):
            choose(event)
            return nil
        case .healthTotalObserved(let event):
            let index = seenDay(event.date, position)
            guard days[index].believes(event.total, at: position) else { return event.date }
            days[index].hear(event.total, from: event.reporter, at: position)
            if event.date != today { days[index].tellLate(event.total, at: position) }
            return event.date
        case .legacyValueImported(let event):
            let index = seenDay(event.date, position)
            guard days[index].believes(event.total, at: position) else { return event.date }
            days[index].tellLegacy(event.total, from: event.reporter(noted: note), at: position)
            if event.date != today { days[index].tellLate(event.total, at: position) }
            return event.date
        case .stepsCorrected(let event):
            _ = seenDay(event.date, position)
            return event.date
        case .setAsideTaken(let event):
            let index = seenDay(event.date, position)
            if event.reading == nil { days[index].mean(event.steps) }
            return event.date
        case .reconciliationTriggered(let event):
            reconcile(event, header)
            return event.date
        default: return nil
        }
    }

    /// Where the day of a date stands; it is made if need be.
    private mutating func seenDay(_ date: CivilDate, _ position: Position) -> Int {
        guard let index = places[date] else {
            places[date] = days.count
            days.append(CertifiedDay(date, at: position))
            return days.count - 1
        }
        days[index].see(position)
        return index
    }

    private mutating func reconcile(_ event: ReconciliationTriggered, _ header: EventHeader) {
        let position = header.position
        let isMeant = event.trigger.known == .clockTrusted
        if let today, event.date < today, !isMeant, !givesWay(today, to: event.date) {
            guard let total = event.healthTotal else { return }
            let index = seenDay(event.date, position)
            guard days[index].believes(total, at: position) else { return }
            days[index].tellLate(total, at: position)
            return
        }
        if today != event.date { begin(event.date, event.offsetMinutes, position) }
        let index = seenDay(event.date, position)
        if timeline.isSure { days[index].isSure = true }
        // A rollover that saw no total only begins the day.
        guard event.trigger.known != .rollover || event.healthTotal != nil else { return }
        var total = event.healthTotal
        if let told = total, !days[index].believes(told, at: position) { total = nil }
        let brought = days[index].reconcile(total, at: position)
        guard brought > 0, let chosen = chosenIndex else { return }
        let wall = header.stamp.wallMilliseconds
        let (age, overflow) = wall.subtractingReportingOverflow(
            event.validUntilMilliseconds ?? wall)
        let milliseconds = overflow ? 0 : UInt64(max(0, age))
        if odometers[chosen].mayRepeat(aged: milliseconds, at: timeline.milliseconds) {
            covered += Int128(brought)
        }
    }

    /// Whether the date goes back: from one that no trusted clock named, by a trusted clock or by
    /// more than a day.
    private func givesWay(_ today: CivilDate, to date: CivilDate) -> Bool {
        guard let index = places[today], !days[index].isSure else { return false }
        return timeline.isSure || date.daysSinceEpoch + 1 < today.daysSinceEpoch
    }

    private mutating func begin(
        _ date: CivilDate, _ offsetMinutes: Int64, _ position: Position
    ) {
        today = date
        midnight.begin(date, offsetMinutes)
        let index = seenDay(date, position)
        let before = covered + coveredBefore
        covered = days[index].begin()
        guard chosenIndex != nil else {
            (worth, covered, coveredBefore) = (.everything, 0, 0)
            return
        }
        if worth != .nothing { (worth, coveredBefore) = (.sinceMidnight, before) }
    }

    private var chosenIndex: Int? {
        guard hasChosen else { return odometers.isEmpty ? nil : 0 }
        return odometers.firstIndex { $0.device == chosenDevice }
    }

    /// Whether a pedometer counts, were it read now.
    private func isChosen(_ device: DeviceID) -> Bool {
        hasChosen ? device == chosenDevice : device == odometers.first?.device ?? device
    }

    private mutating func choose(_ event: PedometerChosen) {
        let before = chosenIndex.map { odometers[$0].device }
        stepsPerCadenceCount = event.stepsPerCadenceCount
        (hasChosen, chosenDevice) = (true, event.device)
        guard event.device != nil, event.device != before else { return }
        worth = chosenIndex == nil ? .everything : .nothing
        (covered, coveredBefore) = (0, 0)
    }

    private mutating func read(_ event: PedometerRead, _ header: EventHeader) {
        let known = odometers.firstIndex { $0.device == event.device }
        var odometer = known.map { odometers[$0] } ?? Odometer(event.device)
        let lastAt = odometer.lastAt
        let wall = today == nil ? timeline.wall(of: header) : nil
        var held: Legs?
        if worth != .nothing, isChosen(event.device),
            known != nil || odometers.count < Self.pedometerLimit
        {
            swap(&held, &legs)
        }
        let advance = odometer.read(
            event.reading, at: timeline.instant, stepsPerCadenceCount: stepsPerCadenceCount,
            on: &held)
        let isHeld = held != nil
        if isHeld { swap(&held, &legs) }
        guard let advance else { return }
        if let wall {
            let date = CivilDate(
                wallMilliseconds: wall, zoneOffsetMinutes: zoneOffsetMinutes)
            begin(date, zoneOffsetMinutes, header.position)
            days[seenDay(date, header.position)].isSure = timeline.isSure
        }
        if let known {
            odometers[known] = odometer
        } else {
            guard odometers.count < Self.pedometerLimit else { return }
            odometers.append(odometer)
        }
        guard let chosen = chosenIndex, odometers[chosen].device == event.device else { return }
        guard let today else {
            if !advance.isBeyondLegs, !advance.isMute { beginReading() }
            return
        }
        let index = seenDay(today, header.position)
        var steps = worth == .nothing ? 0 : max(0, advance.steps - covered)
        var rest: Int128 = 0
        if worth == .sinceMidnight, !advance.isFresh {
            let new = max(0, steps - coveredBefore)
            let made = midnight.made(
                by: timeline.instant, timeline.wall(of: header), after: lastAt)
            steps = min(new, max(0, made - covered))
            rest = new - steps
        }
        let isBeyondLegs = advance.isBeyondLegs || isHeld && days[index].walked + steps > 200_000
        if isBeyondLegs { days[index].setAside(header.position) }
        if isBeyondLegs || advance.isMute { return }
        if rest > 0 { days[index].setAside(header.position) }
        days[index].walk(steps, by: event.device)
        beginReading()
    }

    /// The next reading is worth everything; where a stream began, the legs stand.
    private mutating func beginReading() {
        if worth == .nothing { legs?.go(0, timeline.instant) }
        (worth, covered, coveredBefore) = (.everything, 0, 0)
    }
}
