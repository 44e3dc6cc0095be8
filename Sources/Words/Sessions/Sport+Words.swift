package import Events

extension OpenCode<Sport> {
    /// What people call it: `walk`, `hike`, `treadmill`.
    package var words: String { known?.name ?? "sport \(rawValue)" }
}

extension Sport {
    /// The names of all of them: `walk, hike, … or other`.
    package static let choice =
        names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
}
