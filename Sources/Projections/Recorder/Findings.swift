package import Events

/// Something in the log that a fold could not use, and went on without.
package struct Finding: StatePart, Hashable, Sendable {
    /// What kind of thing.
    package enum Code: UInt8, CodedName, StatePart {
        /// A kind or version of a newer program.
        case unknownEvent = 0
        /// A payload that is not of its kind's layout.
        case undecodablePayload = 1
        /// A characteristic's value that is not of its form.
        case undecodableValue = 2
        /// Bytes after the last field of a characteristic's value.
        case trailingBytes = 3
        /// A value longer than a characteristic can be.
        case valueCut = 4
        /// A session event that its session's state does not allow.
        case sessionOutOfPlace = 5
        /// More devices in one source than are kept.
        case tooManyDevices = 6
        /// A reconciliation of a date before the current one.
        case dateWentBack = 7
        /// More steps than legs make in the time that they cover, or fewer than before and no new
        /// beginning.
        case stepsSetAside = 8
        /// A total of a day that nobody walks.
        case totalSetAside = 9
        /// A pedometer's distance that nobody covers in its time.
        case distanceSetAside = 10
        /// A height where nobody stands, or that nobody climbs to in the time.
        case heightSetAside = 11
        /// More imports in one log than are told apart.
        case tooManyImports = 12

        /// The names in the JSON form, in the order of the cases.
        package static let names = [
            "unknownEvent", "undecodablePayload", "undecodableValue", "trailingBytes", "valueCut",
            "sessionOutOfPlace", "tooManyDevices", "dateWentBack", "stepsSetAside", "totalSetAside",
            "distanceSetAside", "heightSetAside", "tooManyImports",
        ]
    }

    /// What kind of thing.
    package internal(set) var code = Code.unknownEvent
    /// The event.
    package internal(set) var position: Position = 0

    /// What happened and what it means, in one sentence.
    package var message: String {
        switch code {
        case .unknownEvent: "An event of a newer program was kept and skipped."
        case .undecodablePayload: "An event's payload is not of its layout; it was skipped."
        case .undecodableValue: "A characteristic's value could not be decoded; it was not counted."
        case .trailingBytes: "A characteristic's value has bytes after its last field."
        case .valueCut: "A characteristic's value was too long; only its beginning was kept."
        case .sessionOutOfPlace: "A session event does not fit the session's state; it was skipped."
        case .tooManyDevices: "More than 256 devices sent values; the rest is not told apart."
        case .dateWentBack: "A reconciliation named a day that was over; the day stays over."
        case .stepsSetAside:
            "A pedometer's count is not what legs can have made on that day; it was set aside."
        case .totalSetAside: "A day's total is more than anybody walks in a day; it was set aside."
        case .distanceSetAside: "A pedometer's distance is not credible; it was set aside."
        case .heightSetAside: "A height is not credible; it was set aside."
        case .tooManyImports: "More than 16,384 imports; an event of a further one was skipped."
        }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&code, &position)
    }
}

/// The first findings of a log, and how many there are of each code.
package struct Findings: StatePart, Hashable, Sendable {
    /// How many findings are kept with their position.
    package static let keptLimit = 64
    /// The first findings, in order of position.
    package private(set) var kept: [Finding] = []
    /// How many there are of each code, in order of the codes' numbers.
    ///
    /// Codes after the first twelve are there once they occur, so that no other log's bytes change.
    package private(set) var counts = [UInt64](repeating: 0, count: Findings.firstCodes)

    private static let firstCodes = 12

    /// How many there are in all.
    package var total: UInt64 { counts.reduce(0) { $0.plus($1) } }

    mutating func add(_ code: Finding.Code, at position: Position) {
        let index = Int(code.rawValue)
        if counts.count <= index {
            counts += [UInt64](repeating: 0, count: index + 1 - counts.count)
        }
        counts[index].add(1)
        if kept.count < Findings.keptLimit {
            kept.append(Finding(code: code, position: position))
        }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&counts, &kept)
        try coder.require(
            counts.count == Findings.firstCodes
                || counts.count > Findings.firstCodes
                    && counts.count <= Finding.Code.allCases.count && counts.last != 0
        )
    }
}
