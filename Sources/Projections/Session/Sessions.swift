public import Events

/// The sessions of a source: at most one is open.
public struct Sessions: StatePart, Hashable, Sendable {
    /// Those that ended.
    var past = OrderedParts<Session>()
    /// The open one, if any.
    var slot = Slot<Session>()

    /// The one that runs or is paused, or nil.
    public internal(set) var open: Session? {
        get { slot.optional }
        set { slot.optional = newValue }
    }

    /// Changes the open one where it stands, if there is one.
    ///
    /// An optional would be copied out and in.
    @inline(__always)
    mutating func change<Result>(_ body: (inout Session) -> Result) -> Result? {
        slot.isEmpty ? nil : body(&slot.value)
    }

    /// Leaves a strap's values out of a session, or takes them in again.
    ///
    /// - Returns: Whether there is such a session, with such a strap.
    mutating func exclude(_ event: DeviceExcluded) -> Bool {
        if !slot.isEmpty, slot.value.position == event.session {
            return slot.value.exclude(event.device, event.excluded)
        }
        guard past[event.session] != nil else { return false }
        return past.change(event.session, blank: Session.init) {
            $0.exclude(event.device, event.excluded)
        }
    }

    /// Whether a session is open and paused: then no heart rate is wanted.
    public var isPaused: Bool { !slot.isEmpty && slot.value.state == .paused }

    /// Those that ended, in order.
    public var ended: [Session] { past.all }

    /// All sessions, the open one last.
    public var all: [Session] { ended + (open.map { [$0] } ?? []) }

    /// The session that an event began, or nil.
    public subscript(position: Position) -> Session? {
        open?.position == position ? open : past[position]
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&past, &slot)
    }
}
