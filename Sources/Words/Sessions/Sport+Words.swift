public import Events

extension OpenCode<Sport> {
    /// What people call it: `walk`, `hike`, `run`.
    public var words: String { known?.name ?? "sport \(rawValue)" }
}
