/// Reads a file of walks, in pieces; memory grows with what it says of walks, and with nothing
/// else.
package protocol WalkReader: ~Copyable {
    /// Reads the next bytes; pieces may be cut anywhere.
    ///
    /// After a damage nothing more is read.
    mutating func push(_ bytes: Span<UInt8>)

    /// Says that no bytes follow.
    mutating func finish()

    /// What the file says, before the ``damage`` if there is one.
    var facts: WalkFacts { get }

    /// Why nothing can be read any further, in one sentence; nil as long as the file is in order.
    var damage: String? { get }
}
