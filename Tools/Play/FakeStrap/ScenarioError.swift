/// A capture or a scenario file that cannot be played.
struct ScenarioError: Error, Hashable, CustomStringConvertible {
    /// What is wrong and where, in a sentence.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
