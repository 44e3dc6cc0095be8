internal import SQLite
internal import XML

/// Why a health store's file could not be read, or not to its end.
package struct HealthStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the file.
    package enum Code: String, Sendable {
        /// It is not what it was taken for.
        case foreign
        /// It is damaged or cut off; what was read before is a lower bound of the steps.
        case damaged
        /// It holds more than is held in memory; nothing of it counts.
        case tooMuch
    }

    /// What is wrong with the file.
    package let code: Code
    /// What is wrong and what to do, in sentences.
    package let description: String

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }

    init(_ error: XMLError) {
        self.init(.damaged, error.description)
    }

    init(_ error: SQLiteError) {
        let isForeign = error.code == .notADatabase || error.code == .cannotOpen
        self.init(isForeign ? .foreign : .damaged, error.description)
    }
}
