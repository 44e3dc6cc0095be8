public import Events

extension EventLog {
    /// Looks for the import of a file in the whole log.
    ///
    /// One whose end is not in the log does not count: what came after a damage was cut off.
    ///
    /// - Parameter sha256: The SHA-256 of the file's bytes.
    /// - Returns: Where its first import began, and which source it is; nil if there is none.
    /// - Throws: ``EventLogError``.
    public func importBegan(
        withSHA256 sha256: [UInt8]
    ) throws(EventLogError) -> (position: Position, source: UInt32)? {
        var found: (position: Position, source: UInt32)?
        var begun: [UInt32: Position] = [:]
        try readControl(from: 0, until: .max) { event in
            let header = event.header
            if header.kind == .importBegan, case .importBegan(let began) = event.decoded {
                begun[header.source] = began.sha256 == sha256 ? header.position : nil
            } else if header.kind == .importEnded, let position = begun[header.source] {
                found = (position, header.source)
            }
            return found == nil
        }
        return found
    }

    /// Looks for the import of the same capture in another form: the same heart rates at the same
    /// times.
    ///
    /// Forms differ in how finely they tell times, and in what they hold besides: one that holds
    /// more than what was imported is not the same.
    ///
    /// - Parameter events: What would be imported.
    /// - Returns: Where the import began, and which source it is; nil if there is none, or if there
    ///   is no heart rate.
    /// - Throws: ``EventLogError``.
    public func importBegan(
        withHeartRatesOf events: EventBatch
    ) throws(EventLogError) -> (position: Position, source: UInt32)? {
        let rates = events.headers.indices.filter { events.event(at: $0).heartRate != nil }
        guard !rates.isEmpty else { return nil }
        var found: (position: Position, source: UInt32)?
        /// Where imports began whose heart rates are the same so far, how many those are, and how
        /// many events there are of it.
        var same: [UInt32: (position: Position, count: Int, events: Int)] = [:]
        try read { event in
            let header = event.header
            if header.kind == .importBegan { same[header.source] = (header.position, 0, 0) }
            same[header.source]?.events += 1
            guard let (position, count, all) = same[header.source] else { return true }
            if header.kind == .importEnded, count == rates.count, all >= events.count {
                found = (position, header.source)
            } else if header.kind == .characteristicNotified, let rate = event.decoded.heartRate {
                let isSame =
                    count < rates.count && events.event(at: rates[count]).heartRate == rate
                    && abs(
                        events.headers[rates[count]].stamp.wallMilliseconds
                            - header.stamp.wallMilliseconds) <= Self.timeGrainMilliseconds
                same[header.source] = isSame ? (position, count + 1, all) : nil
            }
            return found == nil
        }
        return found
    }

    /// What the coarsest form leaves of times: whole seconds.
    private static var timeGrainMilliseconds: Int64 { 1_000 }
}

extension Event {
    /// The bytes of a heart rate that a strap sent; nil for any other event.
    fileprivate var heartRate: [UInt8]? {
        guard case .characteristicNotified(let sent) = self,
            sent.characteristic == .heartRateMeasurement
        else { return nil }
        return sent.value
    }
}
