import Events

/// The strap's connection in a session: how long it took and stood, how it ended, what came.
///
/// Constant in size: of the spans that ended the last ``keptSpans`` are kept.
package struct SessionLink: StatePart, Hashable, Sendable {
    /// How many spans are kept.
    package static let keptSpans = 32

    /// The spans that ended last, in order.
    package private(set) var spans: [LinkSpan] = []
    /// How many there were, including the open one.
    package private(set) var connects: UInt64 = 0
    /// How many ended in each way that is a drop, in order of ``LinkEnd``.
    package private(set) var drops = [UInt64](repeating: 0, count: LinkEnd.drops.count)
    /// The time of all spans that ended.
    package private(set) var upMilliseconds: UInt64 = 0
    /// The longest time between two spans.
    package private(set) var longestGapMilliseconds: UInt64 = 0
    /// How long connecting took, where it is known.
    package private(set) var connecting = ConnectTimes()
    /// Attempts to connect that failed.
    package internal(set) var failedAttempts: UInt64 = 0
    /// The most times that each value was found to come; 1 if once.
    package private(set) var deliveryFactor: UInt64 = 1
    /// For how long values came several times, from the first of them to the last copy.
    package private(set) var multipliedMilliseconds: UInt64 = 0
    /// The open span.
    private var standing: Standing?
    /// The fold time of the last span's end.
    private var endedAt: UInt64?

    /// The device of the open span.
    var device: DeviceID? { standing?.device }

    mutating func noteConnect(_ milliseconds: UInt64?) {
        if let milliseconds { connecting.add(milliseconds) }
    }

    mutating func begin(_ device: DeviceID, at now: UInt64, _ readings: Readings) {
        assert(standing == nil, "One span stands at a time.")
        if let endedAt { longestGapMilliseconds = max(longestGapMilliseconds, now.minus(endedAt)) }
        connects.add(1)
        standing = Standing(device: device, startedAt: now, before: Amounts(readings))
    }

    mutating func end(
        at now: UInt64, _ end: LinkEnd, _ readings: Readings, session startedAt: UInt64
    ) {
        guard let standing else { return }
        noteUndivided()
        let span = standing.span(until: now, end, readings, session: startedAt)
        upMilliseconds.add(span.durationMilliseconds)
        if end.rawValue < drops.count { drops[Int(end.rawValue)].add(1) }
        if spans.count == SessionLink.keptSpans { spans.removeFirst() }
        spans.append(span)
        assert(spans.count <= SessionLink.keptSpans, "The oldest spans are forgotten.")
        self.standing = nil
        endedAt = max(now, standing.startedAt)
    }

    /// The session ends: so does the open span, or the gap.
    mutating func close(at now: UInt64, _ readings: Readings, session startedAt: UInt64) {
        end(at: now, .sessionEnded, readings, session: startedAt)
        self = settled(at: now, readings, session: startedAt)
    }

    /// The connection as it is at a moment: the open span is the last one, without an end,
    /// or the gap lasts until then.
    func settled(
        at now: UInt64, _ readings: Readings, session startedAt: UInt64
    ) -> SessionLink {
        var settled = self
        settled.noteUndivided()
        if let standing {
            let span = standing.span(until: now, nil, readings, session: startedAt)
            settled.upMilliseconds.add(span.durationMilliseconds)
            settled.spans.append(span)
            if settled.spans.count > SessionLink.keptSpans { settled.spans.removeFirst() }
        } else if let endedAt {
            settled.longestGapMilliseconds = max(longestGapMilliseconds, now.minus(endedAt))
        }
        return settled
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&spans, &connects, &drops, &upMilliseconds, &longestGapMilliseconds, &connecting)
        try coder(&failedAttempts, &deliveryFactor, &multipliedMilliseconds, &standing, &endedAt)
        try coder.require(spans.count <= SessionLink.keptSpans)
        try coder.require(drops.count == LinkEnd.drops.count)
    }
}

// MARK: - Delivery

extension SessionLink {
    /// A value came that is known to be a copy, or the values since a time are now.
    mutating func noteCopies(since: UInt64, until now: UInt64, factor: UInt64) {
        guard var standing else { return }
        if standing.multipliedSince == nil {
            standing.multipliedSince = max(since, standing.startedAt)
        }
        standing.multipliedUntil = now
        standing.factor = max(standing.factor, factor)
        self.standing = standing
        deliveryFactor = max(deliveryFactor, factor)
    }

    /// No more copies for now: the values came once, or not at all.
    mutating func noteUndivided() {
        guard let since = standing?.multipliedSince else { return }
        multipliedMilliseconds.add((standing?.multipliedUntil ?? 0).minus(since))
        standing?.multipliedSince = nil
    }
}

/// How long connecting took.
package struct ConnectTimes: StatePart, Hashable, Sendable {
    /// Connections whose time is known.
    package private(set) var count: UInt64 = 0
    /// The first one's time.
    package private(set) var firstMilliseconds: UInt64 = 0
    /// The sum of all.
    package private(set) var sumMilliseconds: UInt64 = 0
    /// The longest one's time.
    package private(set) var longestMilliseconds: UInt64 = 0

    mutating func add(_ milliseconds: UInt64) {
        if count == 0 { firstMilliseconds = milliseconds }
        count.add(1)
        sumMilliseconds.add(milliseconds)
        longestMilliseconds = max(longestMilliseconds, milliseconds)
    }

    /// The mean, rounded half up, or nil if none is known.
    package var meanMilliseconds: UInt64? {
        count == 0 ? nil : sumMilliseconds.scaled(by: 1, over: count)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&count, &firstMilliseconds, &sumMilliseconds, &longestMilliseconds)
    }
}

/// What arrived in a session so far; a span is the difference of two.
private struct Amounts: StatePart, Hashable, Sendable {
    private(set) var values: UInt64
    private(set) var rrTicks: UInt64
    private(set) var rrMilliseconds: UInt64

    init() { self.init(Readings()) }

    init(_ readings: Readings) {
        values = readings.heartRate.arrivals
        rrTicks = readings.rr.spanTicks.plus(readings.rr.copyTicks)
        rrMilliseconds = readings.rr.spanMilliseconds
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&values, &rrTicks, &rrMilliseconds)
    }
}

/// A span that did not end yet.
private struct Standing: StatePart, Hashable, Sendable {
    var device = DeviceID()
    /// Fold time.
    var startedAt: UInt64 = 0
    var before = Amounts()
    var factor: UInt64 = 1
    /// The fold times of the first value and the last copy of those that came several times.
    var multipliedSince: UInt64?
    var multipliedUntil: UInt64 = 0

    func span(
        until now: UInt64, _ end: LinkEnd?, _ readings: Readings, session start: UInt64
    ) -> LinkSpan {
        let after = Amounts(readings)
        var span = LinkSpan()
        span.startMilliseconds = startedAt.minus(start)
        span.durationMilliseconds = now.minus(startedAt)
        span.end = end
        span.values = after.values.minus(before.values)
        span.rrTicks = after.rrTicks.minus(before.rrTicks)
        span.rrMilliseconds = after.rrMilliseconds.minus(before.rrMilliseconds)
        span.deliveryFactor = factor
        return span
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&device, &startedAt, &before, &factor, &multipliedSince, &multipliedUntil)
    }
}
