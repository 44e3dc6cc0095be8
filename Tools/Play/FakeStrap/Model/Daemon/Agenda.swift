/// What is still to come, in the order in which it is due; of equal times the one added first.
package struct Agenda<Event: Hashable & Sendable>: Sendable {
    private var entries: [(due: UInt64, event: Event)] = []

    package init() {}

    /// When something comes; nil for never.
    package var nextDue: UInt64? { entries.first?.due }

    package mutating func add(_ event: Event, at due: UInt64) {
        let index = entries.firstIndex { $0.due > due } ?? entries.endIndex
        entries.insert((due, event), at: index)
    }

    /// Takes the next thing that is due at a time, or nil if nothing is.
    package mutating func takeDue(at time: UInt64) -> Event? {
        guard let next = entries.first, next.due <= time else { return nil }
        return entries.removeFirst().event
    }

    package func contains(_ event: Event) -> Bool { entries.contains { $0.event == event } }

    package mutating func cancel(where isCancelled: (Event) -> Bool) {
        entries.removeAll { isCancelled($0.event) }
    }
}
