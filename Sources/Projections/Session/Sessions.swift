public import Events

/// The sessions of a source: at most one is open.
public struct Sessions: StatePart, Hashable, Sendable {
    /// Those that ended, in order.
    public internal(set) var ended: [Session] = []
    /// The open one, if any.
    var slot = Slot(blank: Session.blank)

    init() {}

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

    /// Whether a session is open and paused: then no heart rate is wanted.
    public var isPaused: Bool { !slot.isEmpty && slot.value.state == .paused }

    /// All sessions, the open one last.
    public var all: [Session] { ended + (open.map { [$0] } ?? []) }

    /// The session that an event began, or nil.
    public subscript(position: Position) -> Session? {
        if let open, open.position == position { return open }
        var low = 0
        var high = ended.count
        while low < high {
            let middle = (low + high) / 2
            if ended[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low < ended.count && ended[low].position == position ? ended[low] : nil
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try coder.list(&ended, blank: .blank)
        try coder.optional(&slot.optional, blank: .blank)
    }
}
