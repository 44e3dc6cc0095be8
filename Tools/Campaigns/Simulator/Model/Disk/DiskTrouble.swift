/// What keeps those who write to the log waiting.
struct DiskTrouble {
    /// When the disk last had no room, failed or was held by another program, or the machine slept.
    private(set) var hinderedAt: UInt64 = 0
    /// The longest sync of the last minute, and when it was possible last.
    private var slowest = (milliseconds: UInt64(0), at: UInt64(0))

    /// How long an append may take that nothing hinders: what goes on already, those of two
    /// commands, and its own.
    var appendMilliseconds: UInt64 { 4 * slowest.milliseconds }

    /// Looks at the disk.
    mutating func note(_ disk: Disk, isHeld: Bool, at now: UInt64) {
        if disk.mood != .well || isHeld { hinder(at: now) }
        let milliseconds = disk.syncMilliseconds
        if milliseconds >= slowest.milliseconds || now > slowest.at + 60_000 {
            slowest = (milliseconds, now)
        }
    }

    /// Nothing could be written until now.
    mutating func hinder(at now: UInt64) { hinderedAt = now }
}
