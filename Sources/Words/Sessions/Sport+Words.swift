package import Events

extension OpenCode<Sport> {
    /// What people call it: `walk`, `hike`, `run`.
    package var words: String { known?.name ?? "sport \(rawValue)" }
}
