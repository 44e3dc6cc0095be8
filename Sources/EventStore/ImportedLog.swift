public import Events

/// A log of another machine, as far as it was imported.
public struct ImportedLog: Hashable, Sendable {
    /// The format that its imports name.
    public static let format = "pulselog"

    /// The source of its events.
    public let source: UInt32
    /// What the machine is called.
    public let machine: String
    /// How many of its events, from the first, were looked at.
    public let events: UInt64
    /// The SHA-256 over the canonical bytes of these.
    public let sha256: [UInt8]

    /// The event that says so, after `importBegan` with the machine and the digest: the number in
    /// front, then what else there is to say.
    public static func note(events: UInt64, _ rest: String, machine: String) -> Noted {
        Noted(text: "\(events) events of this log are imported.\(rest)", author: machine)
    }
}

extension EventLog {
    /// The logs of other machines that were imported, each as far as its last import that ended.
    ///
    /// - Throws: ``EventLogError``.
    public func importedLogs() throws(EventLogError) -> [ImportedLog] {
        var found: [ImportedLog] = []
        var begun: (source: UInt32, file: ImportBegan)?
        var events: UInt64?
        try read(in: .control) { event in
            let header = event.header
            guard header.kind.lane == .control, header.source > 0 else { return true }
            switch event.decoded {
            case .importBegan(let file):
                begun = file.format == ImportedLog.format ? (header.source, file) : nil
                events = nil
            case .noted(let note) where header.source == begun?.source && events == nil:
                events = UInt64(note.text.prefix { $0.isWholeNumber })
            case .importEnded:
                guard let (source, file) = begun, source == header.source, let events else { break }
                found.removeAll { $0.source == source }
                found.append(
                    ImportedLog(
                        source: source, machine: file.fileName, events: events,
                        sha256: file.sha256))
            default: break
            }
            return true
        }
        return found
    }
}
