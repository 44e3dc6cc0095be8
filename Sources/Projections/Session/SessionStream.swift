/// The pedometer stream that counts for a session: from its start, a resume or a choice on.
///
/// Steps count from the reading with which it began. A distance counts from a reading of the
/// stream that had one: what a pedometer reports later may reach back to before it.
struct SessionStream: StatePart, Hashable, Sendable {
    /// The next reading is where it begins.
    private(set) var isAwaited: Bool
    /// Steps whose distance is by the stride since the last reading that had a distance; nil if
    /// none of the stream had.
    var estimatedSteps: UInt64?
    /// The fold time of the last reading, or from when on one is waited for.
    private(set) var readAt: UInt64
    /// What the fixes went since then, and does not count so far.
    private var unreadMillimetres: UInt64 = 0
    /// What the fixes told in silences, and readings have not told again.
    private(set) var bridgedMillimetres: UInt64 = 0

    /// A stream that begins with the next reading.
    static let awaited = SessionStream(isAwaited: true, estimatedSteps: nil, readAt: 0)

    init() { self = .awaited }

    private init(isAwaited: Bool, estimatedSteps: UInt64?, readAt: UInt64) {
        self.isAwaited = isAwaited
        self.estimatedSteps = estimatedSteps
        self.readAt = readAt
    }

    /// A stream that began with a reading; the session counts it from a fold time on.
    init(beganWithDistance hasDistance: Bool, at now: UInt64) {
        self.init(isAwaited: false, estimatedSteps: hasDistance ? 0 : nil, readAt: now)
    }

    /// What is left of it when its session ends: by what steps are measured.
    var ended: SessionStream {
        let estimated: UInt64? = estimatedSteps == nil ? nil : 0
        return SessionStream(isAwaited: isAwaited, estimatedSteps: estimated, readAt: 0)
    }

    /// Whether no reading has come for so long that fixes give the distance.
    func isSilent(at now: UInt64) -> Bool { Self.isSilent(at: now, since: readAt) }

    /// Whether no reading has come for so long that fixes give the distance, since one came.
    @inline(__always)
    static func isSilent(at now: UInt64, since readAt: UInt64) -> Bool {
        now.minus(readAt) > Plausibility.pedometerSilenceMilliseconds
    }

    /// Takes a fix, and the stretch that it ends.
    ///
    /// - Returns: What of the fixes' way counts by now, as the pedometer is silent.
    mutating func follow(_ stretch: Route.Stretch?, at now: UInt64) -> UInt64 {
        if let stretch { unreadMillimetres.add(stretch.millimetres(after: readAt)) }
        guard unreadMillimetres > 0, isSilent(at: now) else { return 0 }
        defer { unreadMillimetres = 0 }
        bridgedMillimetres.add(unreadMillimetres)
        return unreadMillimetres
    }

    /// Takes a reading by which the distance grew.
    ///
    /// - Parameters:
    ///   - grown: By how much it grew.
    ///   - hasDistance: Whether the reading gives a distance itself.
    ///   - now: The fold time.
    /// - Returns: What of it the fixes had given: the greater of the two counts.
    mutating func read(_ grown: UInt64, hasDistance: Bool, at now: UInt64) -> UInt64 {
        let told = min(grown, bridgedMillimetres)
        // A distance that is still to come may tell the rest.
        let isOver = hasDistance || estimatedSteps == nil
        bridgedMillimetres = isOver ? 0 : bridgedMillimetres - told
        unreadMillimetres = 0
        readAt = now
        return told
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&isAwaited, &estimatedSteps, &readAt, &unreadMillimetres, &bridgedMillimetres)
    }
}
