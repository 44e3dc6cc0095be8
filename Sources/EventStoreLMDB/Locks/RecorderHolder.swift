/// The process that is the recorder of a store, as it says itself.
public struct RecorderHolder: Hashable, Sendable, CustomStringConvertible {
    /// The command that the process runs.
    public enum Command: String, Sendable {
        /// A terminal records, or prepares a walk.
        case record
        /// A page records, or prepares a walk.
        case serve
    }

    /// Its number; nil if it has only just begun.
    public let processID: Int32?
    /// When it became the recorder, in its own words; empty if it has only just begun.
    public let start: String
    /// What it runs; nil if it does not say.
    public let command: Command?

    /// Reads the text of a lock's file.
    init(text: String) {
        let lines = text.split(separator: "\n").map(String.init)
        processID = lines.first.flatMap { Int32($0) }
        start = lines.dropFirst().first ?? ""
        command = lines.dropFirst(2).first.flatMap { Command(rawValue: $0) }
    }

    /// Which command it is, of which process, and since when.
    public var description: String { words(processID.map { "process \($0)" }) }

    /// Which command it is, and since when, for a walker who has no terminal.
    public var title: String { words(nil) }

    private func words(_ process: String?) -> String {
        let since = start.isEmpty ? nil : "started \(start)"
        let facts = [process, since].compactMap(\.self).joined(separator: ", ")
        let name = command.map { "`pulselog \($0.rawValue)`" } ?? "another process"
        return facts.isEmpty ? name : "\(name) (\(facts))"
    }
}
