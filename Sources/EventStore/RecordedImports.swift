public import Events

extension EventLog {
    /// Looks for the import of a file in the whole log.
    ///
    /// - Parameter sha256: The SHA-256 of the file's bytes.
    /// - Returns: Where its first import began, and which source it is; nil if there is none.
    /// - Throws: ``EventLogError``.
    public func importBegan(
        withSHA256 sha256: [UInt8]
    ) throws(EventLogError) -> (position: Position, source: UInt32)? {
        var found: (Position, UInt32)?
        try readControl(from: 0, until: .max) { event in
            guard event.header.kind == .importBegan, case .importBegan(let began) = event.decoded
            else { return true }
            if began.sha256 == sha256 { found = (event.header.position, event.header.source) }
            return found == nil
        }
        return found
    }
}
