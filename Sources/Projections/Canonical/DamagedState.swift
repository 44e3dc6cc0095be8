/// Bytes that no state of this version has: a snapshot that cannot be used.
///
/// Nothing is lost by it. Fold the log from its beginning, and write a new snapshot.
package struct DamagedState: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where reading stopped.
    package let offset: Int

    /// What happened and what to do.
    package var description: String {
        "The snapshot is damaged at byte \(offset); the log is folded from its beginning instead."
    }
}
