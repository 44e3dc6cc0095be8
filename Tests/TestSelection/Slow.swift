import Foundation
public import Testing

/// Whether every test runs, as `Tools/test --all` asks by the variable `PULSELOG_ALL`; otherwise slow
/// tests are left out, and long campaigns run as a sample.
public let everythingIsTested = ProcessInfo.processInfo.environment["PULSELOG_ALL"] != nil

extension Trait where Self == ConditionTrait {
    /// Marks a test of which `Tools/test` has no need for each change: it takes seconds, and what it
    /// would find has a quicker test as well, or is seldom touched.
    public static var slow: Self {
        .enabled(if: everythingIsTested, "Slow: Tools/test --all runs it.")
    }
}
