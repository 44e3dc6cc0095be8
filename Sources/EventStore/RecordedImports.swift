public import Events

extension EventLog {
    /// Looks for the import of a file in the whole log.
    ///
    /// One whose end is not in the log does not count: what came after a damage was cut off.
    ///
    /// - Parameter sha256: The SHA-256 of the file's bytes.
    /// - Returns: Where its first import began, and which source it is; nil if there is none.
    /// - Throws: ``EventLogError``.
    public func importBegan(
        withSHA256 sha256: [UInt8]
    ) throws(EventLogError) -> (position: Position, source: UInt32)? {
        var found: (position: Position, source: UInt32)?
        var begun: [UInt32: Position] = [:]
        try readControl(from: 0, until: .max) { event in
            let header = event.header
            if header.kind == .importBegan, case .importBegan(let began) = event.decoded {
                begun[header.source] = began.sha256 == sha256 ? header.position : nil
            } else if header.kind == .importEnded, let position = begun[header.source] {
                found = (position, header.source)
            }
            return found == nil
        }
        return found
    }
}
