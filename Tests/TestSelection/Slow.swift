import Foundation
public import Testing

/// Whether every test runs, as `Tools/test --all` asks by the variable `PULSELOG_ALL`.
///
/// Otherwise slow tests are left out, and what tries many cases tries a few.
public let everythingIsTested = ProcessInfo.processInfo.environment["PULSELOG_ALL"] == "1"

extension Trait where Self == ConditionTrait {
    /// Marks a test that `Tools/test` need not run for each change: it takes seconds, and a quicker
    /// test finds the usual fault, or what it tests rarely changes.
    public static var slow: Self {
        .enabled(if: everythingIsTested, "Slow: Tools/test --all runs it.")
    }
}

/// All cases of a test, or the first of them where not everything is tested.
public func sample<Cases: Collection>(_ cases: Cases, _ count: Int = 1) -> [Cases.Element] {
    Array(everythingIsTested ? cases[...] : cases.prefix(count))
}
