extension LegacyValueImported {
    /// The note that stands before the event and says why it was taken over: the payload itself has
    /// no room for that.
    ///
    /// - Parameters:
    ///   - reason: Why; a person's text.
    ///   - author: Who.
    /// - Returns: The note.
    public func note(because reason: String, author: String) -> Noted {
        Noted(text: noteStart + reason, author: author)
    }

    /// Who reported the value; its name is the reason that a note gives.
    ///
    /// - Parameter note: The text of the last note before the event, or nil.
    /// - Returns: An earlier program.
    public func reporter(noted note: String?) -> Reporter {
        // By scalars: a reason may begin with a combining mark, which joins the space before it.
        guard let scalars = note?.unicodeScalars, scalars.starts(with: noteStart.unicodeScalars)
        else { return Reporter(.earlierProgram) }
        let reason = scalars.dropFirst(noteStart.unicodeScalars.count)
        return Reporter(.earlierProgram, named: String(reason))
    }

    private var noteStart: String { "Legacy value \(total) of \(date): " }
}
