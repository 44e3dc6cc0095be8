import Events

/// What the readings of a session add up to.
struct Readings: StatePart, Hashable, Sendable {
    /// The most straps that are told apart in one session; all others are one more part.
    static let partsLimit = 16

    /// Heart rate.
    var heartRate = HeartRateTotals()
    /// RR intervals.
    var rr = RRTotals()
    /// The strap that sent the first value; nil before it.
    private(set) var strap: DeviceID?
    /// The same by strap, in order of their first values, once a second one has sent some.
    private(set) var parts: [StrapReadings] = []
    /// The index of the part of the strap that sent the last value; 0 while there are no parts.
    private var part: UInt = 0
    /// What ``StrapReadings/time`` has of the session's time.
    private var partedTime = Accounting()

    /// Takes a heart-rate value.
    @inline(__always)
    mutating func receive(
        _ heard: HeardValue, _ value: Span<UInt8>, isPaused: Bool, _ rules: Rules
    ) {
        if heartRate.take(heard.reading, isPaused: isPaused, at: heard.at, heard.position) {
            rr.take(heard.measurement, in: value, at: heard.at, rules.artefacts)
        } else {
            rr.endSpan()
        }
        if !parts.isEmpty { receivePart(heard, value, isPaused: isPaused, rules) }
    }

    /// The same for the part of the strap that sent it; apart, for most sessions have one strap.
    private mutating func receivePart(
        _ heard: HeardValue, _ value: Span<UInt8>, isPaused: Bool, _ rules: Rules
    ) {
        parts[Int(part)].readings.receive(heard, value, isPaused: isPaused, rules)
    }

    /// Takes note of a value that could not be decoded.
    mutating func receiveUndecodable() {
        rr.endSpan()
        heartRate.excludedUndecodable.add(1)
        changePart { $0.receiveUndecodable() }
    }

    /// Takes note of a copy of the last value.
    mutating func receiveCopy() {
        rr.addCopy()
        heartRate.excludedCopies.add(1)
        changePart { $0.receiveCopy() }
    }

    /// Lets the last sample weigh for some fresh time.
    @inline(never)
    mutating func weigh(_ milliseconds: UInt64, _ zones: Zones) {
        heartRate.weigh(milliseconds, zones)
        changePart { $0.heartRate.weigh(milliseconds, zones) }
    }

    /// Forgets what only a next value would need.
    mutating func close() {
        endSpans()
        heartRate.close()
        for index in parts.indices { parts[index].readings.close() }
    }

    /// The runs of RR intervals end.
    mutating func endSpans() {
        rr.endSpan()
        for index in parts.indices { parts[index].readings.rr.endSpan() }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&heartRate, &rr, &strap, &parts)
        try coder.require(parts.count <= Self.partsLimit + 1)
        guard !parts.isEmpty else { return }
        try coder(&part, &partedTime)
        try coder.require(part < UInt(parts.count))
    }
}

// MARK: - Straps

extension Readings {
    /// The straps that sent values and are told apart, in order of their first.
    var straps: [StrapReadings] {
        guard parts.isEmpty else { return Array(parts.prefix(Self.partsLimit)) }
        return strap.map { [StrapReadings(device: $0, readings: self)] } ?? []
    }

    /// Whether all values came of a device so far.
    @inline(__always)
    func isOnly(of device: DeviceID) -> Bool { parts.isEmpty && strap == device }

    /// A value comes of a device.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - time: The session's time up to the value.
    mutating func turn(to device: DeviceID, _ time: Accounting) {
        guard !isOnly(of: device) else { return }
        guard let strap else { return strap = device }
        if parts.isEmpty { parts = [StrapReadings(device: strap, readings: self)] }
        partTime(time)
        let place = parts.firstIndex { $0.device == device } ?? parts.count
        part = UInt(min(place, Self.partsLimit))
        guard part == parts.count else { return }
        let isToldApart = place < Self.partsLimit
        parts.append(
            StrapReadings(device: isToldApart ? device : DeviceID(), readings: Readings()))
    }

    /// The session's time since the last value is of the strap that sent it.
    private mutating func partTime(_ time: Accounting) {
        if part < parts.count { parts[Int(part)].time.add(time, since: partedTime) }
        partedTime = time
    }

    @inline(__always)
    private mutating func changePart(_ change: (inout Readings) -> Void) {
        if part < parts.count { change(&parts[Int(part)].readings) }
    }

    /// What is left without some straps: the sum of the others, each by itself.
    ///
    /// - Parameters:
    ///   - excluded: The straps.
    ///   - time: The session's time; that of these straps is as if no link had stood.
    /// - Returns: Both without them.
    func without(_ excluded: [DeviceID], _ time: Accounting) -> (Readings, Accounting) {
        var readings = self
        if parts.isEmpty { readings.parts = straps }
        readings.partTime(time)
        var (rest, restTime) = (Readings(), time)
        for strap in readings.parts {
            if excluded.contains(strap.device) {
                restTime.disconnect(strap.time)
            } else {
                rest.heartRate.add(strap.readings.heartRate)
                rest.rr.add(strap.readings.rr)
            }
        }
        return (rest, restTime)
    }
}

/// What the readings of one strap in a session add up to.
struct StrapReadings: StatePart, Hashable, Sendable {
    /// The strap.
    private(set) var device = DeviceID()
    /// Its readings, without parts.
    fileprivate(set) var readings = Readings()
    /// The session's time in which the last value was its own.
    fileprivate(set) var time = Accounting()

    init() {}

    fileprivate init(device: DeviceID, readings: Readings) {
        self.device = device
        (self.readings.heartRate, self.readings.rr) = (readings.heartRate, readings.rr)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&device, &readings.heartRate, &readings.rr, &time)
    }
}

extension HeartRateTotals {
    /// Adds the totals of another strap; a maximum is supported by values of the same one.
    fileprivate mutating func add(_ other: HeartRateTotals) {
        if other.samples > 0 {
            minimum = samples > 0 ? min(minimum, other.minimum) : other.minimum
        }
        if (other.maximum, maximumPosition) > (maximum, other.maximumPosition) {
            (maximum, maximumPosition) = (other.maximum, other.maximumPosition)
        }
        if (other.supported.bpm, supported.position) > (supported.bpm, other.supported.position) {
            supported = other.supported
        }
        samples.add(other.samples)
        sum.add(other.sum)
        weightedSum.add(other.weightedSum)
        restingMilliseconds.add(other.restingMilliseconds)
        moderateMilliseconds.add(other.moderateMilliseconds)
        vigorousMilliseconds.add(other.vigorousMilliseconds)
        maximumMilliseconds.add(other.maximumMilliseconds)
        excludedZero.add(other.excludedZero)
        excludedNoReading.add(other.excludedNoReading)
        excludedNotCredible.add(other.excludedNotCredible)
        excludedNoContact.add(other.excludedNoContact)
        excludedPaused.add(other.excludedPaused)
        excludedUndecodable.add(other.excludedUndecodable)
        excludedCopies.add(other.excludedCopies)
    }
}

/// Copies of a device's values on trial: the readings as they are if they prove to be copies.
struct CopyTrial: StatePart, Hashable, Sendable {
    /// The device.
    private(set) var device = DeviceID()
    /// The readings without what may be copies.
    var readings = Readings()

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&device, &readings)
    }
}
