public import Events

/// An old version of a fold, kept to be run against what took its place.
///
/// It has its own code for whatever was another rule then, and shares with the present folds only
/// what both mean. Nothing but a comparison uses it: no view shows it and no snapshot holds it.
public protocol KeptFold: Sendable {
    /// The name of what it gives.
    static var name: String { get }
    /// The version of ``LogState`` that gave it.
    static var version: UInt32 { get }
    /// What was another rule then, in a sentence.
    static var note: String { get }
    /// What it gives, comparable with what the present folds give.
    associatedtype Results: Hashable & Sendable

    /// The state before the first event.
    init()
    /// Takes one event in. Events come in order of position, each once.
    ///
    /// - Parameter event: The event that comes next.
    mutating func evolve(_ event: borrowing EventView)
    /// What it gives after the last event.
    var results: Results { get }
    /// The same of the present folds.
    ///
    /// - Parameter state: Their state after the same event.
    /// - Returns: The figures in the same fields.
    static func results(of state: LogState) -> Results
}

/// A kept fold next to the present ones.
struct VersionPair<Kept: KeptFold>: FoldPair {
    private var kept = Kept()
    private var state = LogState()

    mutating func evolve(_ event: borrowing EventView) -> Bool {
        kept.evolve(event)
        state.evolve(event)
        return kept.results == Kept.results(of: state)
    }

    var differences: [FieldChange] {
        FieldChange.changes(from: kept.results, to: Kept.results(of: state))
    }
}

/// An old version that is kept, by name.
public struct KeptVersion: Sendable {
    /// All that are kept, in order of name and version.
    public static let all = [KeptVersion(FirstHeartRate.self), KeptVersion(BelievedCounts.self)]

    /// `name@version`, as it is asked for.
    public let name: String
    /// What was another rule then, in a sentence.
    public let note: String
    /// Makes a pair of it and the present folds, before the first event.
    public let pair: @Sendable () -> any FoldPair

    private init<Kept: KeptFold>(_ kept: Kept.Type) {
        name = "\(kept.name)@\(kept.version)"
        note = kept.note
        pair = { VersionPair<Kept>() }
    }

    /// The version of a name, or nil if none is kept.
    public static func named(_ name: String) -> KeptVersion? {
        all.first { $0.name == name }
    }
}
