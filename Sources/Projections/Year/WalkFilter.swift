package import Events

/// Which walks somebody looks for: those of which all of it holds.
package struct WalkFilter: Hashable, Sendable {
    /// Whose walks.
    package enum Source: String, CaseIterable, Sendable {
        /// The walker's own.
        case walked
        /// Those that came from elsewhere.
        case imported
        /// Simulated ones.
        case simulated
    }

    /// The first local date on which they began, or nil.
    package var from: CivilDate?
    /// The last one, or nil.
    package var until: CivilDate?
    /// Tags that they have, all of them, in letters of any case.
    package var tags: [String] = []
    /// What was done, or nil.
    package var sport: Sport?
    /// A part of their place, in letters of any case, or nil.
    package var place: String?
    /// A part of their name, in letters of any case, or nil.
    package var name: String?
    /// A part of their name, place, note or one of their tags, in letters of any case, or nil.
    package var text: String?
    /// The shortest distance, or nil; what has no distance is not as long.
    package var atLeastMillimetres: UInt64?
    /// The longest distance, or nil.
    package var atMostMillimetres: UInt64?
    /// Whose they are, or nil.
    package var source: Source?
    /// Whether those are among them that the walker hides.
    package var hasHidden = false
    /// How many of the newest, after everything else; nil for all.
    package var last: Int?
    /// How many of those that are the longest, the longest first; nil for all, the newest first.
    package var longest: Int?

    /// Looks for all walks that are not hidden.
    package init() {}

    /// Walks that were looked for.
    package struct Found: Hashable, Sendable {
        /// Those to be shown, the newest first, or the longest if those are looked for.
        package let walks: [SessionReport]
        /// How many match, with those that are hidden and those before the newest.
        package let matching: Int
        /// How many of them are left out because the walker hides them.
        package let hidden: Int
        /// What those add up to that are summed.
        package let sums: WalkSums
    }

    /// Looks for walks.
    ///
    /// - Parameter walks: All of them, in order of position.
    /// - Returns: Those that were found: by their start, and where that is the same, by position;
    ///   or by their length.
    package func find(in walks: [SessionReport]) -> Found {
        let matching = walks.filter(holds)
        let shown = matching.filter { hasHidden || !$0.keeping.isHidden }.sorted {
            ($0.startedAtMilliseconds, $0.position) > ($1.startedAtMilliseconds, $1.position)
        }
        let hidden = hasHidden ? 0 : matching.count(where: \.keeping.isHidden)
        var found = Array(shown.prefix(last ?? .max))
        if let longest {
            // Of equally long ones the newest comes first, as they are sorted already.
            found = found.enumerated().sorted { one, other in
                let lengths = [one, other].map { $0.element.knownDistanceMillimetres ?? 0 }
                return (lengths[0], other.offset) > (lengths[1], one.offset)
            }.prefix(longest).map(\.element)
        }
        return Found(
            walks: found, matching: matching.count, hidden: hidden,
            sums: WalkSums(found.filter(\.isSummed)))
    }

    private func holds(_ walk: SessionReport) -> Bool {
        let (date, keeping) = (walk.date, walk.keeping)
        if let from, date < from { return false }
        if let until, date > until { return false }
        if let sport, keeping.sport.known != sport { return false }
        if let source, walk.provenance.source != source { return false }
        if let place, !keeping.place.holds(place) { return false }
        if let name, !keeping.name.holds(name) { return false }
        if let text, !keeping.says(text) { return false }
        let own = keeping.tags.map { $0.lowercased() }
        guard tags.allSatisfy({ own.contains($0.lowercased()) }) else { return false }
        if let atLeastMillimetres {
            guard let distance = walk.knownDistanceMillimetres else { return false }
            if distance < atLeastMillimetres { return false }
        }
        if let atMostMillimetres {
            guard let distance = walk.knownDistanceMillimetres else { return false }
            if distance > atMostMillimetres { return false }
        }
        return true
    }
}

extension Provenance {
    fileprivate var source: WalkFilter.Source {
        switch self {
        case .walked: .walked
        case .simulated: .simulated
        case .imported: .imported
        }
    }
}

extension Keeping {
    /// Whether a text is a part of any of it.
    fileprivate func says(_ text: String) -> Bool {
        ([name, place, note] + tags).contains { $0.holds(text) }
    }
}

extension String {
    /// Whether another text is a part of it, in letters of any case.
    fileprivate func holds(_ part: String) -> Bool {
        lowercased().contains(part.lowercased())
    }
}
