package import Events

/// What the walker has said of a session: the last word on each of it.
package struct Keeping: StatePart, Hashable, Sendable {
    /// What it is called, or empty.
    package private(set) var name = ""
    /// Where it was, or empty.
    package private(set) var place = ""
    /// The note of it, or empty.
    package private(set) var note = ""
    /// Its tags, each once, in the order in which they were given.
    package private(set) var tags: [String] = []
    /// What was done.
    package private(set) var sport = OpenCode(Sport.walk)
    /// Whether lists, sums and records leave it out.
    package private(set) var isHidden = false

    /// Takes what is said; what is not said stays as it was.
    mutating func take(_ event: SessionDescribed) {
        name = event.sessionName ?? name
        place = event.place ?? place
        note = event.note ?? note
        tags = event.tags.map(Self.tags(in:)) ?? tags
        sport = event.sport ?? sport
        isHidden = event.listing.map { $0.known == .hidden } ?? isHidden
    }

    /// The tags of a text with commas between them: each once, without spaces around it.
    package static func tags(in text: String) -> [String] {
        var tags: [String] = []
        for part in text.split(separator: ",") {
            let tag = part.unicodeScalars.drop { $0 == " " }.reversed().drop { $0 == " " }
            let whole = String(String.UnicodeScalarView(tag.reversed()))
            if !whole.isEmpty, !tags.contains(whole) { tags.append(whole) }
        }
        return tags
    }

    /// Whether it was done on foot; what is not known is.
    package var isOnFoot: Bool { sport.known?.isOnFoot ?? true }

    /// Whether it was done at a walk, not at a run.
    package var isWalked: Bool { [nil, .walk, .hike].contains(sport.known) }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&name, &place, &note, &tags, &sport, &isHidden)
    }
}
