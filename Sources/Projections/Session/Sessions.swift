public import Events

/// The sessions of a source: at most one is open.
public struct Sessions: StatePart, Hashable, Sendable {
    /// Those that ended, in order.
    public internal(set) var ended: [Session] = []
    /// The open one, if any: a list of at most one is changed in place on every event, where an
    /// optional would be copied out and in.
    var slot: [Session] = []

    init() {}

    /// The one that runs or is paused, or nil.
    public internal(set) var open: Session? {
        get { slot.first }
        set { slot = newValue.map { [$0] } ?? [] }
    }

    /// All sessions, the open one last.
    public var all: [Session] { ended + slot }

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
        try coder.list(&slot, blank: .blank)
        try coder.require(slot.count <= 1)
    }
}
