package import Events

/// Which pedometer counts.
package enum PedometerChoice: Hashable, Sendable {
    /// None was ever chosen: the first that appears counts.
    case firstSeen
    /// This one.
    case device(DeviceID)
    /// None.
    case none
}

/// The steps of a source, day by day.
///
/// The date moves only by an event of the steps lane: a reconciliation of another date opens it, or
/// the first reading of all whose date is known. It moves forward, but for
/// ``Day/givesWay(to:isTrusted:)``.
package struct DaySteps: StatePart, Hashable, Sendable {
    /// What the pedometer's next reading means for the day.
    enum NextReading: Hashable, Sendable {
        /// Its difference to the last one counts, beyond what a total has covered already.
        case difference(beyond: UInt64)
        /// The last one may be of the day before: a difference counts as far as an ``OverMidnight``
        /// lets it, beyond what totals of this day and of those before have covered; what a counter
        /// shows that restarted, beyond what totals of this day have.
        case overMidnight(beyond: UInt64, earlier: UInt64)
        /// Begins a stream: counts nothing.
        case nothing

        /// What becomes of the steps that a reading gave.
        @inline(__always)
        func share(of delta: StepsDelta, _ midnight: OverMidnight?) -> StepsShare {
            switch self {
            case .difference(let covered): return StepsShare(of: delta.steps, covered: covered)
            case .nothing: return StepsShare()
            case .overMidnight(let covered, let earlier):
                if delta.isRestart { return StepsShare(of: delta.steps, covered: covered) }
                guard let midnight else { return StepsShare() }
                var share = StepsShare(of: delta.steps, covered: covered.plus(earlier))
                share.setAside = share.counted.minus(midnight.most.minus(covered))
                share.counted = share.counted.minus(share.setAside)
                return share
            }
        }

        /// The steps that totals have covered.
        var covered: UInt64 {
            switch self {
            case .difference(let covered): covered
            case .overMidnight(let covered, let earlier): covered.plus(earlier)
            case .nothing: 0
            }
        }

        /// The same after a total brought steps that the reading may show again.
        func covering(_ steps: UInt64) -> NextReading {
            switch self {
            case .difference(let covered): .difference(beyond: covered.plus(steps))
            case .overMidnight(let covered, let earlier):
                .overMidnight(beyond: covered.plus(steps), earlier: earlier)
            case .nothing: .nothing
            }
        }
    }

    /// The day that counts now, if any.
    var slot = Slot<Day>()
    /// Every other day of which something is known.
    var others = OrderedParts<Day>()
    /// Which pedometer counts.
    package internal(set) var choice = PedometerChoice.firstSeen
    /// Steps for one count of a foot pod's cadence, 1 or 2.
    package internal(set) var stepsPerCadenceCount: UInt8 = 1
    /// The pedometers that were read, in order of their first reading.
    package internal(set) var pedometers: [PedometerStream] = []
    var nextReading = NextReading.difference(beyond: 0)
    var overlap = OverlapWindow()
    /// What the chosen pedometer's readings are held against.
    var legs = LegAccount()

    /// The day that counts now, or nil before the first event of the steps lane that opens one.
    package internal(set) var current: Day? {
        get { slot.optional }
        set { slot.optional = newValue }
    }

    /// Every day of which something is known, in order of date.
    package var days: [Day] {
        var days = others
        if let current { days.insert(current) }
        return days.all
    }

    /// The day of a date, or nil if nothing is known of it.
    package subscript(date: CivilDate) -> Day? {
        !slot.isEmpty && slot.value.date == date ? slot.value : others[date]
    }

    /// The pedometer that counts, or nil if none was read or none is chosen.
    package var chosen: PedometerStream? { chosenIndex.map { pedometers[$0] } }

    @inline(__always)
    var chosenIndex: Int? {
        switch choice {
        case .none: nil
        case .firstSeen: pedometers.isEmpty ? nil : 0
        case .device(let device): pedometers.firstIndex { $0.key == device.word }
        }
    }

    /// Whether something happened to a date since an earlier state: to its day, or while it
    /// counted.
    func haveChanged(on date: CivilDate, since earlier: DaySteps) -> Bool {
        guard self[date] == earlier[date] else { return true }
        guard current?.date == date || earlier.current?.date == date else { return false }
        var others = earlier
        others.others = self.others
        return self != others
    }

    /// Changes the day of a date, the current one or another, made if need be.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - position: The event.
    ///   - effects: What it did.
    ///   - change: Changes the day, and returns the cause if its count may be another one now; is
    ///     told whether the day counts now.
    mutating func withDay(
        _ date: CivilDate, at position: Position, _ effects: inout some EffectSink,
        _ change: (inout Day, Bool) -> StepsCause?
    ) {
        if !slot.isEmpty, slot.value.date == date {
            return slot.value.take(at: position, &effects) { change(&$0, true) }
        }
        others.change(date, blank: { Day(date, at: position) }) { day in
            day.take(at: position, &effects) { change(&$0, false) }
        }
    }

    /// The pedometer's next reading means something else from now on, or the same.
    @inline(__always)
    mutating func expect(_ next: NextReading, _ effects: inout some EffectSink) {
        effects.note { if next != nextReading { $0.next = next } }
        nextReading = next
    }

    /// Begins another date: baseline and delta are zero, the pedometer's stream restarts.
    ///
    /// What was displayed of that date before, by a total or when it counted once, it begins with.
    mutating func open(
        _ date: CivilDate, offsetMinutes: Int64, isTrusted: Bool, at position: Position,
        stepsIndex: UInt64, _ rules: Rules, _ effects: inout some EffectSink
    ) {
        if let last = current {
            others.insert(last)
            effects.note { $0.ended = (last.date, last.displayed, last.corrected) }
        }
        effects.note { $0.begun = date }
        var day = others.remove(date) ?? Day(date, at: position)
        day.offsetMinutes = offsetMinutes
        day.firstStepsIndex = day.firstStepsIndex ?? stepsIndex
        if isTrusted { day.isDateTrusted = true }
        // What a total brought while the day did not count may hold what the next reading shows.
        let brought = day.lateTotal.minus(day.baseline.plus(day.delta))
        let displayed = day.displayed
        (day.baseline, day.delta, day.lateTotal) = (displayed, 0, 0)
        assert(day.displayed == displayed, "What is displayed never falls.")
        day.touch(position)
        current = day
        let covered = rules.coverUnheard ? brought : 0
        if chosen == nil {
            expect(.difference(beyond: 0), &effects)
        } else if rules.countNothingOverMidnight {
            expect(.overMidnight(beyond: covered, earlier: 0), &effects)
        } else if nextReading != .nothing {
            expect(.overMidnight(beyond: covered, earlier: nextReading.covered), &effects)
        }
        overlap.clear()
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&slot, &others, &choice, &stepsPerCadenceCount, &pedometers)
        try coder(&nextReading, &overlap, &legs)
        try coder.require((1...2).contains(stepsPerCadenceCount))
    }
}

extension PedometerChoice: StatePart {
    init() { self = .firstSeen }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var (number, device): (UInt8, DeviceID)
        switch self {
        case .firstSeen: (number, device) = (0, DeviceID())
        case .none: (number, device) = (1, DeviceID())
        case .device(let chosen): (number, device) = (2, chosen)
        }
        try coder(&number)
        try coder.require(number <= 2)
        if number == 2 { try coder(&device) }
        self = number == 0 ? .firstSeen : number == 1 ? .none : .device(device)
    }
}

extension DaySteps.NextReading: StatePart {
    init() { self = .difference(beyond: 0) }

    /// A number, and after 3 and 4 the steps that are covered; after 4 those of earlier days too.
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var (steps, earlier) = (covered, UInt64(0))
        var number: UInt8
        switch self {
        case .difference: number = steps > 0 ? 3 : 0
        case .overMidnight(let beyond, let before):
            number = steps > 0 ? 4 : 1
            (steps, earlier) = (beyond, before)
        case .nothing: number = 2
        }
        try coder(&number)
        try coder.require(number <= 4)
        if number > 2 { try coder(&steps) }
        if number > 3 { try coder(&earlier) }
        try coder.require(number <= 2 || steps > 0 || earlier > 0)
        switch number {
        case 1, 4: self = .overMidnight(beyond: steps, earlier: earlier)
        case 2: self = .nothing
        default: self = .difference(beyond: steps)
        }
    }
}
