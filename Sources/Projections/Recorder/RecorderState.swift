package import Events

/// What the control lane and the adapter say of a source: boots, zone, profile, running or not.
package struct RecorderState: StatePart, Hashable, Sendable {
    /// The kernel's identity of the present boot, 16 bytes; empty before the first.
    package internal(set) var bootID: [UInt8] = []
    /// The boot's number, or nil before the first.
    package internal(set) var bootNumber: UInt32?
    /// Minutes east of UTC.
    package internal(set) var zoneOffsetMinutes: Int64 = 0
    /// The zone's name, a label only.
    package internal(set) var zoneName = ""
    /// The last start of a recorder, or nil.
    package internal(set) var startedPosition: Position?
    /// When that was.
    package internal(set) var startedAt: Stamp?
    /// The end of that recorder, or nil if it still runs, or was cut off and nobody said so yet.
    package internal(set) var stoppedPosition: Position?
    /// The adapter's state.
    package internal(set) var adapter = OpenCode(AdapterState.unknown)
    /// The walker.
    package internal(set) var profile = Profile()
    /// What the walker has stated that is not in the profile.
    package internal(set) var walker = Walker()
    /// How the walker wants to read figures and to record.
    package internal(set) var preferences = Preferences()
    /// Inputs that were lost because they came too fast.
    package internal(set) var lostInputs: UInt64 = 0
    /// Positions that were determined.
    package internal(set) var fixes: UInt64 = 0
    /// How far off their heights are; nil where that is not told.
    var heightErrorMillimetres: UInt64?
    /// Who determines them.
    package internal(set) var positions = FixSources()

    init() {}

    /// Knows the machine and the walker as another source does, and no recorder.
    init(on other: RecorderState) {
        (bootID, bootNumber) = (other.bootID, other.bootNumber)
        (zoneOffsetMinutes, zoneName) = (other.zoneOffsetMinutes, other.zoneName)
        (profile, walker, preferences) = (other.profile, other.walker, other.preferences)
    }

    /// Whether a recorder started and did not stop; it may have been cut off.
    package var isRecording: Bool { startedPosition != nil && stoppedPosition == nil }

    /// Whether an event has told the zone; until then local times are UTC.
    package var isZoneKnown: Bool {
        bootNumber != nil || startedPosition != nil || zoneOffsetMinutes != 0 || !zoneName.isEmpty
    }

    /// The number of a boot with the given identity: the present one's, or the next.
    ///
    /// - Parameter bootID: The kernel's identity of the boot, 16 bytes.
    /// - Returns: The number for the stamps of events of that boot.
    package func bootNumber(for bootID: [UInt8]) -> UInt32 {
        guard let bootNumber else { return 0 }
        if self.bootID == bootID { return bootNumber }
        return bootNumber == .max ? .max : bootNumber + 1
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&bootID, &bootNumber, &zoneOffsetMinutes, &zoneName, &startedPosition, &startedAt)
        try coder(&stoppedPosition, &adapter, &profile, &walker, &preferences)
        try coder(&lostInputs, &fixes, &heightErrorMillimetres, &positions)
    }
}
