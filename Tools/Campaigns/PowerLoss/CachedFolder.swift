/// A folder as processes see it, and what of that is on disk for certain.
///
/// A change of names that was not flushed is on disk or not, whatever became of those before and
/// after it; a renaming is one change.
struct CachedFolder {
    /// What a name stands for: the number of a file or of a folder.
    enum Node: Hashable {
        case file(Int)
        case folder(Int)
    }

    /// A name that came, a name that went, or both at once.
    struct Change {
        var added: (name: String, entry: Node)?
        var removed: (name: String, entry: Node)?
    }

    /// As processes see it.
    private(set) var entries: [String: Node]
    private var durable: [String: Node]
    private var changes: [Change] = []

    /// A folder that is on disk.
    init(durable entries: [String: Node] = [:]) {
        self.entries = entries
        durable = entries
    }

    /// How many changes may or may not be on disk.
    var doubtfulChanges: Int { changes.count }

    mutating func make(_ change: Change) {
        Self.make(change, in: &entries)
        changes.append(change)
    }

    /// Makes everything certain.
    mutating func synchronize() {
        durable = entries
        changes = []
    }

    /// The names that are on disk.
    ///
    /// - Parameter isWritten: Whether a change was written, by its number.
    /// - Returns: What each stands for.
    func remains(_ isWritten: (Int) -> Bool) -> [String: Node] {
        var entries = durable
        for (number, change) in changes.enumerated() where isWritten(number) {
            Self.make(change, in: &entries)
        }
        return entries
    }

    private static func make(_ change: Change, in entries: inout [String: Node]) {
        // Another file may have taken the name, if the change that took it away was not written.
        if let removed = change.removed, entries[removed.name] == removed.entry {
            entries[removed.name] = nil
        }
        if let added = change.added { entries[added.name] = added.entry }
    }
}
