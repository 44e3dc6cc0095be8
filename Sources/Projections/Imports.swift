internal import Events

/// The states of all imports.
///
/// Nearly all events of an import follow each other. So the import whose events came last is kept
/// apart, where an event changes it as cheaply as the walker's; until it is put back, a blank takes
/// its place among the others. Which import that is does not affect equality.
struct Imports: Hashable, Sendable {
    /// The import whose events came last; that of number 0 if there is none.
    var current = SourceState(source: 0)
    private var others = OrderedParts<SourceState>()

    init() {}

    /// Takes states that are in order.
    init(_ states: OrderedParts<SourceState>) { others = states }

    /// How many there are.
    var count: Int { others.count }

    /// The number of the last one; 0 if there is none.
    var lastNumber: UInt32 { others.last?.key ?? 0 }

    /// All of them, each in its place.
    var states: OrderedParts<SourceState> {
        var (current, others) = (current, others)
        Self.exchange(&current, &others)
        return others
    }

    /// The state of an import; nil if it has no event.
    subscript(number: UInt32) -> SourceState? {
        number > 0 && current.key == number ? current : others[number]
    }

    /// Makes an import the current one, and adds it if it is not there.
    ///
    /// - Parameters:
    ///   - number: Which one.
    ///   - limit: The most that there can be.
    /// - Returns: Whether it is the current one.
    mutating func turn(to number: UInt32, limit: Int) -> Bool {
        if current.key == number { return true }
        guard count < limit || others[number] != nil else { return false }
        Self.exchange(&current, &others)
        current = SourceState(source: number)
        Self.exchange(&current, &others)
        return true
    }

    /// Takes what the walker says of a session of an import.
    ///
    /// - Returns: Whether there is such a session.
    mutating func describe(_ event: SessionDescribed) -> Bool {
        if current.sessions.describe(event) { return true }
        guard let source = others.all.first(where: { $0.sessions[event.session] != nil })
        else { return false }
        return others.change(source.key, blank: { source }) { $0.sessions.describe(event) }
    }

    /// Exchanges a state for the one in its place.
    private static func exchange(
        _ state: inout SourceState, _ others: inout OrderedParts<SourceState>
    ) {
        let number = state.key
        guard number > 0 else { return }
        others.change(number, blank: { SourceState(source: number) }) { swap(&$0, &state) }
    }

    static func == (left: Imports, right: Imports) -> Bool { left.states == right.states }

    func hash(into hasher: inout Hasher) { hasher.combine(states) }
}
