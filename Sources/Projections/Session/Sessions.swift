package import Events

/// The sessions of a source: at most one is open.
package struct Sessions: StatePart, Hashable, Sendable {
    /// Those that ended.
    var past = OrderedParts<Session>()
    /// The open one, if any.
    var slot = Slot<Session>()
    /// Since when the open one runs, as fold time, also while the walker stands still; or nil.
    private(set) var runningSince: UInt64?

    /// The one that runs or is paused, or nil.
    package internal(set) var open: Session? {
        get { slot.optional }
        set { slot.optional = newValue }
    }

    /// The one that ended last, or nil.
    package var lastEnded: Session? { past.last }

    /// Takes note of when the open session runs.
    mutating func noteRun(_ event: Event, at now: UInt64) {
        switch event {
        case .sessionStarted: runningSince = runningSince ?? now
        case .sessionResumed where !slot.isEmpty: runningSince = runningSince ?? now
        case .sessionPaused, .sessionEnded: runningSince = nil
        default: break
        }
    }

    /// Changes the open session in place, if there is one.
    ///
    /// An optional would be copied out and in.
    @inline(__always)
    mutating func change<Result>(_ body: (inout Session) -> Result) -> Result? {
        slot.isEmpty ? nil : body(&slot.value)
    }

    /// Changes the session that an event began, open or not.
    ///
    /// - Returns: What `body` returns; nil if there is no such session.
    mutating func change<Result>(
        _ position: Position, _ body: (inout Session) -> Result
    ) -> Result? {
        if !slot.isEmpty, slot.value.position == position { return body(&slot.value) }
        guard past[position] != nil else { return nil }
        return past.change(position, blank: Session.init, body)
    }

    /// Takes what the walker says of a session.
    ///
    /// - Returns: Whether there is such a session.
    mutating func describe(_ event: SessionDescribed) -> Bool {
        change(event.session) { $0.keeping.take(event) } != nil
    }

    /// Whether a session is open and paused.
    package var isPaused: Bool { !slot.isEmpty && slot.value.state == .paused }

    /// Whether it is paused until the walker says otherwise: then no heart rate is wanted.
    package var isAtRest: Bool { isPaused && !slot.value.standsStill }

    /// Those that ended, in order.
    package var ended: [Session] { past.all }

    /// All sessions, the open one last.
    package var all: [Session] { ended + (open.map { [$0] } ?? []) }

    /// The session that an event began, or nil.
    package subscript(position: Position) -> Session? {
        open?.position == position ? open : past[position]
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&past, &slot, &runningSince)
    }
}
