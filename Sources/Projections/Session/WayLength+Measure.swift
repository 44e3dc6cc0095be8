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

    /// The fields for each measure, here of lengths in millimetres.
    package struct ByMeasure: StatePart, Hashable, Sendable {
        private var pedometer: UInt64 = 0
        private var speed: UInt64 = 0
        private var position: UInt64 = 0
        private var steps: UInt64 = 0

        init() {}

        /// That of a measure.
        package internal(set) subscript(measure: Measure) -> UInt64 {
            @inline(__always) get {
                switch measure {
                case .pedometer: pedometer
                case .speed: speed
                case .position: position
                case .steps: steps
                }
            }
            @inline(__always) _modify {
                switch measure {
                case .pedometer: yield &pedometer
                case .speed: yield &speed
                case .position: yield &position
                case .steps: yield &steps
                }
            }
        }

        /// All of them added up.
        package var sum: UInt64 { pedometer.plus(speed).plus(position).plus(steps) }

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&pedometer, &speed, &position, &steps)
        }
    }
}

extension WayLength.Measure {
    /// Whether another one is better; positions may be the last by the rules.
    func isLesser(than other: Self, _ rules: Rules) -> Bool {
        switch (self, other) {
        case (.position, .steps): rules.stepsBeforePositions
        case (.steps, .position): !rules.stepsBeforePositions
        default: rawValue > other.rawValue
        }
    }
}
