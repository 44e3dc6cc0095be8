package import Events

/// A number of a day that is kept in the log and counts nothing, because nobody can have walked it.
package struct SetAside: StatePart, Hashable, Sendable {
    /// What was set aside.
    package enum Kind: UInt8, CodedName, StatePart {
        /// A reading of the pedometer that counts: ``steps`` more than before.
        case reading = 0
        /// A total of the day.
        case total = 1
        /// A reading that shows less than before: all of it.
        case fall = 2
        /// What a reading gained in a silence over midnight, and not surely on this day.
        case overMidnight = 3

        /// The names in the JSON form, in the order of the cases.
        package static let names = ["reading", "total", "fall", "overMidnight"]
    }

    /// The event.
    package internal(set) var position: Position = 0
    /// The total, or by how much the reading went on, or what it shows.
    package internal(set) var steps: UInt64 = 0
    /// What was set aside.
    package internal(set) var kind = Kind.reading
    /// Whether a person took it in since.
    package internal(set) var isTaken = false
    /// The readings before and after midnight, in UTC milliseconds; 0 of another kind.
    package internal(set) var fromMilliseconds: Int64 = 0
    package internal(set) var toMilliseconds: Int64 = 0

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&position, &steps, &kind, &isTaken)
        if kind == .overMidnight { try coder(&fromMilliseconds, &toMilliseconds) }
    }
}

extension Day {
    /// The most numbers that were set aside which a day keeps one by one.
    package static let setAsideLimit = 64

    /// Whether a total can be one of this day, or somebody said so.
    func believes(_ total: UInt64, _ rules: Rules) -> Bool {
        rules.countImplausible || total <= max(Plausibility.stepsPerDay, meantTotal)
    }

    /// Notes what counts nothing; a total that is told again is one.
    mutating func setAside(
        _ steps: UInt64, _ kind: SetAside.Kind, at position: Position,
        _ midnight: OverMidnight? = nil
    ) {
        let isTold = kind == .total && setAside.contains { $0.kind == .total && $0.steps == steps }
        guard !isTold else { return }
        setAsideCount.add(1)
        if setAside.count >= Day.setAsideLimit { setAside.removeFirst() }
        setAside.append(
            SetAside(
                position: position, steps: steps, kind: kind,
                fromMilliseconds: midnight?.fromMilliseconds ?? 0,
                toMilliseconds: midnight?.toMilliseconds ?? 0))
    }

    /// A person takes in a reading that was set aside, or means totals of so much.
    mutating func takeIn(_ event: SetAsideTaken) {
        if let reading = event.reading {
            correct(Int64(min(event.steps, greatestSum)))
            if let index = setAside.firstIndex(where: { $0.position == reading }) {
                setAside[index].isTaken = true
            }
            return
        }
        meantTotal = max(meantTotal, event.steps)
        for index in setAside.indices where setAside[index].kind == .total {
            setAside[index].isTaken = setAside[index].steps <= meantTotal
        }
    }
}
