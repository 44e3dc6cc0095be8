public import Events

/// A capture: the events of a JSON Lines file, checked, in the order of their positions.
public struct Capture {
    /// The most events of a capture: a month of one each second.
    public static let limit = 3_000_000

    /// The events.
    public private(set) var events = EventBatch()
    /// What is wrong with the end of the file: its last line is cut off.
    public private(set) var damage: String?

    /// Reads a capture; `-` is standard input.
    ///
    /// A file that is cut off in its last line gives what stands before, labelled.
    ///
    /// - Throws: ``FileError`` naming the line, the reason and what to do.
    public init(reading path: String) throws(FileError) {
        var file = try EventFile(path)
        while try file.read(into: &events) {
            guard events.count <= Self.limit else {
                throw FileError(
                    .badContent, "\(path): more than \(Self.limit) events; split the capture.")
            }
        }
        damage = file.damage
        guard !events.isEmpty || damage == nil else {
            throw FileError(.badContent, "\(path): \(damage ?? "")")
        }
    }

    /// Wraps a capture without a session into one, from its first to its last event.
    ///
    /// A whole log is left as it is: it says by itself that there was no session.
    public mutating func wrapIfNeeded() throws(FileError) {
        guard !events.headers.contains(where: { $0.kind == .sessionStarted }),
            let first = events.headers.first, first.kind != .originBegan,
            let last = events.headers.last
        else { return }
        var wrapped = EventBatch()
        do throws(FieldError) {
            try wrapped.append(
                .sessionStarted(SessionStarted()), source: first.source, stamp: first.stamp,
                flags: first.flags)
            for index in 0..<events.count {
                try events.withEvent(at: index) { (event) throws(FieldError) in
                    try wrapped.append(event)
                }
            }
            try wrapped.append(
                .sessionEnded(SessionEnded(reason: .inputEnded)), source: last.source,
                stamp: last.stamp, flags: last.flags)
        } catch {
            throw FileError(.badContent, error.description)
        }
        events = wrapped
    }
}
