internal import Events
internal import JSON
internal import NIOHTTP1
internal import Projections
internal import Words

extension Command {
    /// Reads what is said of a session, or of several; what is absent or null stays as it was.
    ///
    /// - Throws: ``HTTPRefusal``.
    static func describe(decodingJSON value: JSONValue) throws(HTTPRefusal) -> Command {
        let sessions = value["sessions"]?.elements ?? [value["session"] ?? .null]
        let positions = sessions.compactMap { $0.integer(as: UInt64.self) }
        guard let session = positions.first, positions.count == sessions.count else {
            throw .unreadable
        }
        let said = SessionDescribed(
            session: session, sessionName: try value.told("name"), place: try value.told("place"),
            note: try value.told("note"), tags: try value.toldTags(),
            sport: try value.told("sport", as: Sport.self),
            listing: try value.told("listing", as: Listing.self))
        do throws(FieldError) {
            _ = try Event.sessionDescribed(said).encodedPayload()
        } catch {
            throw HTTPRefusal(
                .unprocessableEntity, "unreadableDescription", Refusal(error).description)
        }
        return .describe(said, also: Array(positions.dropFirst()))
    }
}

extension JSONValue {
    fileprivate func told(_ name: String) throws(HTTPRefusal) -> String? {
        try optional(name, else: HTTPRefusal.unreadable, \.text)
    }

    fileprivate func told<Code: CodedName>(
        _ name: String, as type: Code.Type
    ) throws(HTTPRefusal) -> Code? {
        try optional(name, else: HTTPRefusal.unreadable) { value in
            Code.allCases.first { $0.name == value.text }
        }
    }

    /// A comma would make two of one.
    fileprivate func toldTags() throws(HTTPRefusal) -> String? {
        try optional("tags", else: HTTPRefusal.unreadable) { tags in
            let texts = tags.elements?.map(\.text) ?? [nil]
            let isPlain = texts.allSatisfy { $0.map { !$0.contains(",") } ?? false }
            return isPlain ? texts.compactMap(\.self).joined(separator: ",") : nil
        }
    }
}

extension HTTPRefusal {
    fileprivate static let unreadable = HTTPRefusal(
        .unprocessableEntity, "unreadableDescription",
        "`session` is the position of a walk, or `sessions` a list of them. `name`, `place` and "
            + "`note` are texts, and `tags` a list of texts without commas. `sport` is "
            + "\(Sport.choice), and `listing` is listed or hidden.")
}
