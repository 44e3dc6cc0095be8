package import Events

/// A pure fold over the log: the same events in the same order give the same value everywhere.
///
/// A projection reads events and rules, nothing else: no clock, locale, float, random number or
/// hash-ordered collection. It never traps on what a log holds and never emits an event.
package protocol Projection: Sendable {
    /// What it says of an event: nothing, or its ``Effects``.
    associatedtype Change = Void
    /// Takes one event in. Events come in order of position, each once.
    ///
    /// - Parameter event: The event, in place.
    /// - Returns: What it did.
    @discardableResult
    mutating func evolve(_ event: borrowing EventView) -> Change
    /// Takes the events of a block in, from a position on: one call for a block, not for an event.
    ///
    /// - Parameters:
    ///   - block: The bytes of one block; its checksum is not looked at.
    ///   - start: Events before this position are passed over.
    /// - Throws: `DamagedBlock` if the block contradicts the format; the events before the fault
    ///   have been taken in.
    mutating func evolve(block: Span<UInt8>, from start: Position) throws(DamagedBlock)
}

extension Projection {
    /// Takes the events of a block in one by one.
    package mutating func evolve(block: Span<UInt8>, from start: Position) throws(DamagedBlock) {
        try BlockReader.forEach(in: block, from: start) { event in
            evolve(event)
            return true
        }
    }
}
