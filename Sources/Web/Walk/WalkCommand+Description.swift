internal import Events
internal import JSON
internal import NIOHTTP1
internal import Projections

extension SessionDescribed {
    /// Reads what is said of a session; what is absent or null stays as it was.
    ///
    /// - Throws: ``HTTPRefusal``.
    init(decodingJSON value: JSONValue) throws(HTTPRefusal) {
        guard let session = value["session"]?.integer(as: UInt64.self) else { throw .unreadable }
        self.init(
            session: session, sessionName: try value.told("name"), place: try value.told("place"),
            note: try value.told("note"), tags: try value.toldTags(),
            sport: try value.told("sport", as: Sport.self),
            listing: try value.told("listing", as: Listing.self))
        do throws(FieldError) {
            _ = try Event.sessionDescribed(self).encodedPayload()
        } catch {
            throw HTTPRefusal(
                .unprocessableEntity, "unreadableDescription", Refusal(error).description)
        }
    }
}

extension JSONValue {
    fileprivate func told(_ name: String) throws(HTTPRefusal) -> String? {
        switch self[name] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        default: throw .unreadable
        }
    }

    fileprivate func told<Code: CodedName>(
        _ name: String, as type: Code.Type
    ) throws(HTTPRefusal) -> Code? {
        guard let text = try told(name) else { return nil }
        guard let code = Code.allCases.first(where: { $0.name == text }) else {
            throw .unreadable
        }
        return code
    }

    /// A comma would make two of one.
    fileprivate func toldTags() throws(HTTPRefusal) -> String? {
        switch self["tags"] {
        case nil, .null?: return nil
        case .array(let tags)?:
            let texts = tags.compactMap(\.text)
            guard texts.count == tags.count, !texts.contains(where: { $0.contains(",") }) else {
                throw .unreadable
            }
            return texts.joined(separator: ",")
        default: throw .unreadable
        }
    }
}

extension HTTPRefusal {
    fileprivate static let unreadable = HTTPRefusal(
        .unprocessableEntity, "unreadableDescription",
        "`session` is the position of a walk. `name`, `place` and `note` are texts, and `tags` a "
            + "list of texts without commas. `sport` is walk, hike or run, and `listing` is listed "
            + "or hidden.")
}
