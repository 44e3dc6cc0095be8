package import Clocks
internal import Events
package import Projections

/// A machine whose boot goes on by its name, and not by its clocks: a container that was moved to
/// another boot clock, a time namespace, a virtual machine that was restored.
extension LogState {
    /// A boot clock is further ahead of the wall clock, or goes back by more, in another boot only.
    private static let jumpMilliseconds: (ahead: Int64, back: Int64) = (86_400_000, 60_000)
    /// The bytes of a boot's identity that stay when only the clock is another.
    private static let familyBytes = 12

    /// The machine as the log is to name it at an arrival: with the kernel's identity of the boot,
    /// or another where the boot clock contradicts the wall clock since the last event.
    ///
    /// - Parameters:
    ///   - machine: The machine, as the kernel names it.
    ///   - arrival: When something arrived.
    /// - Returns: The machine. Other processes find the same one.
    package func named(_ machine: Machine, at arrival: Arrival) -> Machine {
        let known = own.recorder.bootID
        guard known.count == machine.bootID.count,
            known.prefix(Self.familyBytes) == machine.bootID.prefix(Self.familyBytes)
        else { return machine }
        var named = machine
        named.bootID = known
        guard bootJumpMilliseconds(on: machine, at: arrival) != nil else { return named }
        // The next of its family.
        for index in known.indices.dropFirst(Self.familyBytes).reversed() {
            named.bootID[index] &+= 1
            if named.bootID[index] != 0 { break }
        }
        return named
    }

    /// How much further the boot clock went on since the last event than the wall clock, if that
    /// is another boot; nil if it is the same, or known to be another.
    ///
    /// A wall clock that goes back was set, or the arrival was held up: the boot goes on.
    func bootJumpMilliseconds(on machine: Machine, at arrival: Arrival) -> Int64? {
        let last = own.clock.lastStamp
        let known = own.recorder.bootID
        guard own.recorder.bootNumber == last.bootNumber, own.recorder.bootNumber != nil,
            known.prefix(Self.familyBytes) == machine.bootID.prefix(Self.familyBytes)
        else { return nil }
        let boot =
            Int64(clamping: arrival.bootMilliseconds) - Int64(clamping: last.bootMilliseconds)
        let (wall, isBeyond) = arrival.wallMilliseconds
            .subtractingReportingOverflow(last.wallMilliseconds)
        guard !isBeyond, wall >= 0 else { return nil }
        let (jump, isFar) = boot.subtractingReportingOverflow(wall)
        guard !isFar, boot < -Self.jumpMilliseconds.back || jump > Self.jumpMilliseconds.ahead
        else { return nil }
        return jump
    }

    /// The number of the boot at an arrival.
    package func bootNumber(on machine: Machine, at arrival: Arrival) -> UInt32 {
        own.recorder.bootNumber(for: named(machine, at: arrival).bootID)
    }
}
