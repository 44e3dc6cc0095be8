/// A capture or a scenario file that cannot be played.
package struct ScenarioError: Error, Hashable, CustomStringConvertible {
    /// What is wrong and where, in a sentence.
    package let description: String

    package init(_ description: String) { self.description = description }
}
