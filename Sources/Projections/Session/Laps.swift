/// The laps of a session that have ended, and where the present one began.
package struct Laps: StatePart, Hashable, Sendable {
    /// How much was walked.
    package struct Amount: StatePart, Hashable, Sendable {
        /// How long, without pauses.
        package internal(set) var milliseconds: UInt64 = 0
        /// How far; 0 if nothing measures it.
        package internal(set) var millimetres: UInt64 = 0

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&milliseconds, &millimetres)
        }
    }

    /// How many have ended, each with an event.
    package private(set) var ended: UInt64 = 0
    /// What the session had counted when the last of them ended.
    package private(set) var begun = Amount()
    /// The last of them.
    package private(set) var last = Amount()

    /// Ends a lap.
    mutating func end(at milliseconds: UInt64, _ millimetres: UInt64) {
        ended.add(1)
        last = present(at: milliseconds, millimetres)
        begun = Amount(milliseconds: milliseconds, millimetres: millimetres)
    }

    /// What the present lap has counted, when the session has counted so much.
    package func present(at milliseconds: UInt64, _ millimetres: UInt64) -> Amount {
        Amount(
            milliseconds: milliseconds.minus(begun.milliseconds),
            millimetres: millimetres.minus(begun.millimetres))
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&ended, &begun, &last)
    }
}
