import Events

extension WayLength {
    /// What measures a way, the best first.
    package enum Measure: UInt8, CodedName, StatePart {
        /// A pedometer's own total distance.
        case pedometer = 0
        /// A foot pod's speed, times time.
        case speed = 1
        /// Positions.
        case position = 2
        /// Steps, times their length.
        case steps = 3

        /// The names in the JSON form, in the order of the cases.
        package static let names = ["pedometer", "speed", "position", "steps"]

        /// It alone.
        package var asSet: Measures { Measures(rawValue: 1 << rawValue) }
    }

    /// Some measures.
    package struct Measures: OptionSet, StatePart, Hashable, Sendable {
        /// A bit for each.
        package internal(set) var rawValue: UInt8 = 0

        package init() {}

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&rawValue)
            try coder.require(rawValue < 16)
        }
    }

    /// A number for each measure, here of lengths in millimetres.
    package struct ByMeasure: StatePart, Hashable, Sendable, CustomReflectable {
        /// In the order of the measures.
        private var numbers: InlineArray<4, UInt64> = [0, 0, 0, 0]

        init() {}

        /// That of a measure.
        package internal(set) subscript(measure: Measure) -> UInt64 {
            @inline(__always) get { numbers[Int(measure.rawValue)] }
            @inline(__always) _modify { yield &numbers[Int(measure.rawValue)] }
        }

        /// All of them added up.
        package var sum: UInt64 {
            numbers.indices.reduce(0) { $0.plus(numbers[$1]) }
        }

        /// A field for each measure, by which changes are named.
        package var customMirror: Mirror {
            Mirror(self, children: Measure.allCases.map { ("\($0)", self[$0]) })
        }

        package static func == (one: Self, other: Self) -> Bool {
            one.numbers.indices.allSatisfy { one.numbers[$0] == other.numbers[$0] }
        }

        package func hash(into hasher: inout Hasher) {
            for index in numbers.indices { hasher.combine(numbers[index]) }
        }

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            for index in numbers.indices { try coder(&numbers[index]) }
        }
    }
}

extension WayLength.Measure {
    /// Those that are better; positions may be the last by the rules.
    @inline(__always)
    func better(_ rules: Rules) -> WayLength.Measures {
        let before = WayLength.Measures(rawValue: asSet.rawValue - 1)
        switch self {
        case .pedometer, .speed: return before
        case .position: return rules.stepsBeforePositions ? before.union(Self.steps.asSet) : before
        case .steps:
            return rules.stepsBeforePositions ? before.subtracting(Self.position.asSet) : before
        }
    }
}
