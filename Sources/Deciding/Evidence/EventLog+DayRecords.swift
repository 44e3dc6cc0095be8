package import EventStore
package import Events
package import Projections

/// A day's record in the log that is not what the events give.
package struct WrongDayRecord: Hashable, Sendable {
    /// Where it stands.
    package let position: Position
    /// Whose it is.
    package let date: CivilDate
    /// The count that it says was displayed.
    package let displayed: UInt64
    /// The count that the events give; nil if the day was not over, or had its record already.
    package let expected: UInt64?
}

/// What a log holds of the records of days.
package struct DayRecordsFound: Sendable {
    /// The first that is not what the events give; nil if all are.
    package internal(set) var wrong: WrongDayRecord?
    /// The dates of records by the rule of earlier versions, in order of position.
    package internal(set) var formerDates: [CivilDate] = []
}

extension EventLog {
    /// The last record of a date, of whichever version.
    ///
    /// The costs are those of the way back to it.
    ///
    /// - Parameter date: The date.
    /// - Returns: Its place, and the record if it is of this version; nil if there is none.
    /// - Throws: `EventLogError`.
    package func lastDayRecord(
        of date: CivilDate
    ) throws(EventLogError) -> (position: Position, record: DayRecorded?)? {
        for part in portions(before: try next) {
            var found: (Position, DayRecorded?)?
            let areThereAny = try readDayLane(
                from: part.lowerBound, until: part.upperBound
            ) { position, event in
                switch event {
                case .dayRecorded(let day) where day.date == date: found = (position, day)
                case .dayClosed(let day) where day.date == date: found = (position, nil)
                default: break
                }
            }
            if let found { return found }
            guard areThereAny else { return nil }
        }
        return nil
    }

    /// The canonical bytes of a day's own events, as of a record of it.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - position: Where its record stands.
    ///   - earlier: The states along the log; none to begin with the first event.
    /// - Returns: The bytes.
    /// - Throws: `EventLogError`.
    package func canonicalEvents(
        of date: CivilDate, asOf position: Position, from earlier: EarlierStates = EarlierStates()
    ) throws(EventLogError) -> [UInt8] {
        try ledger(of: date, asOf: position, from: earlier).canonicalEvents
    }

    /// What a record of a date is made of.
    func ledger(
        of date: CivilDate, asOf position: Position, from earlier: EarlierStates
    ) throws(EventLogError) -> DayLedger {
        var ledger = DayLedger(keepingEventsOf: date)
        let last = try state(until: position, from: earlier)
        try follow(date, until: last, from: earlier) { state throws(EventLogError) in
            ledger.goOn(after: state)
        } _: { event in
            ledger.evolve(event)
        }
        ledger.goOn(after: last)
        return ledger
    }

    /// Derives the last record of a day again, and compares; all records if it is not the same.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - earlier: The states along the log.
    /// - Returns: What was found.
    /// - Throws: `EventLogError`.
    package func checkDayRecord(
        of date: CivilDate, from earlier: EarlierStates
    ) throws(EventLogError) -> DayRecordsFound {
        guard let found = try lastDayRecord(of: date) else { return DayRecordsFound() }
        let expected = try ledger(of: date, asOf: found.position, from: earlier).record(of: date)
        return expected != nil && found.record == expected
            ? DayRecordsFound() : try checkDayRecords()
    }

    /// Derives the records of days again, and compares.
    ///
    /// - Returns: What was found.
    /// - Throws: `EventLogError`.
    package func checkDayRecords() throws(EventLogError) -> DayRecordsFound {
        var found = DayRecordsFound()
        var ledger = DayLedger()
        var doubted: [WrongDayRecord] = []
        try read { event in
            if event.header.source == 0 {
                switch event.decoded {
                case .dayClosed(let day): found.formerDates.append(day.date)
                case .dayRecorded(let day):
                    let expected = ledger.record(of: day.date)
                    guard day != expected else { break }
                    doubted.append(
                        WrongDayRecord(
                            position: event.header.position, date: day.date,
                            displayed: day.displayed, expected: expected?.displayed))
                default: break
                }
            }
            ledger.evolve(event)
            return true
        }
        if !found.formerDates.isEmpty { found.wrong = try wrongFormerRecord() }
        if !doubted.isEmpty, found.wrong == nil {
            found.wrong = try firstWrong(of: doubted)
            found.formerDates += found.wrong == nil ? doubted.map(\.date) : []
        }
        return found
    }

    /// The first of some records that is not what the events gave by any earlier rule either.
    private func firstWrong(
        of doubted: [WrongDayRecord]
    ) throws(EventLogError) -> WrongDayRecord? {
        var ledgers = Rules.formerly.map { DayLedger(rules: $0) }
        var waiting = doubted[...]
        try read { event in
            if let next = waiting.first, next.position == event.header.position {
                guard case .dayRecorded(let day) = event.decoded,
                    ledgers.contains(where: { $0.record(of: day.date) == day })
                else { return false }
                waiting.removeFirst()
            }
            for index in ledgers.indices { ledgers[index].evolve(event) }
            return !waiting.isEmpty
        }
        return waiting.first
    }

    /// The first record of an earlier version that is not what the events gave by its rule.
    private func wrongFormerRecord() throws(EventLogError) -> WrongDayRecord? {
        var records = FormerDayRecords()
        var waiting: [DayClosed] = []
        var wrong: WrongDayRecord?
        try read { event in
            if let closed = records.evolve(event) { waiting.append(closed) }
            guard event.header.source == 0, case .dayClosed(let recorded) = event.decoded else {
                return true
            }
            let expected = waiting.isEmpty ? nil : waiting.removeFirst()
            if recorded != expected {
                wrong = WrongDayRecord(
                    position: event.header.position, date: recorded.date,
                    displayed: recorded.displayed, expected: expected?.displayed)
            }
            return wrong == nil
        }
        return wrong
    }

    /// Hands the walker's records of a range on; a block that holds none is not unpacked.
    ///
    /// - Returns: Whether the log holds any event of the lane before the end of the range.
    private func readDayLane(
        from start: Position, until end: Position, _ body: (Position, Event) -> Void
    ) throws(EventLogError) -> Bool {
        var areThereAny = false
        try openBlocks(from: start) { block throws(DamagedBlock) in
            let heads = try BlockReader.heads(of: block)
            let indices = heads.indices(in: .day)
            areThereAny = indices.upperBound > 0
            guard !indices.isEmpty else { return heads.next < end }
            try BlockReader.forEach(in: block, from: start) { event in
                let header = event.header
                guard header.position < end else { return false }
                if header.kind.lane == .day, header.source == 0 {
                    body(header.position, event.decoded)
                }
                return true
            }
            return heads.next < end
        }
        return areThereAny
    }
}

extension DayLedger {
    /// Takes in what a log holds up to a position.
    mutating func follow(
        _ log: some EventLog, until end: Position
    ) throws(EventLogError) {
        try log.read(from: next, until: end) { event in
            evolve(event)
            return true
        }
    }
}
