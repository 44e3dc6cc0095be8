import Decoding
package import Events

/// What a strap has said of contact on its link, and whether that is heeded.
///
/// Some straps can tell contact by what they say, and never do: all that they measure would be left
/// out.
package struct ContactHistory: StatePart, Hashable, Sendable {
    /// How many values with beats it takes until such a strap is named.
    static let namingValues: UInt8 = 10

    /// Whether the walker lets values count that deny contact.
    package internal(set) var isIgnored = false
    /// Whether any value of this link said that the strap touches skin.
    private var wasDetected = false
    /// Values that denied it and carried beats, up to ``namingValues``.
    private var deniedBeats: UInt8 = 0

    /// Whether beats came and contact never did, and values are left out for it.
    var isNeverSet: Bool { deniedBeats == Self.namingValues && !wasDetected && !isIgnored }

    /// What an earlier link proved is nothing of the next: the strap may be worn anew, and dry.
    mutating func beginLink() {
        if wasDetected { (wasDetected, deniedBeats) = (false, 0) }
    }

    /// Takes a value that is not a copy.
    @inline(__always)
    mutating func note(_ value: HeartRateMeasurement) {
        if !wasDetected { noteUndetected(value) }
    }

    private mutating func noteUndetected(_ value: HeartRateMeasurement) {
        wasDetected = value.contact == .detected
        if value.contact == .notDetected, value.rrIntervalCount > 0 || value.doubt == nil {
            deniedBeats = min(deniedBeats + 1, Self.namingValues)
        }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&isIgnored, &wasDetected, &deniedBeats)
        try coder.require(deniedBeats <= Self.namingValues)
    }
}

/// A strap whose values carry beats although it never reports contact, so that none of them counts.
package struct ContactlessStrap: Hashable, Sendable {
    /// Which one.
    package let device: DeviceID
    /// Its name, a stranger's text, or nil.
    package let name: String?
    /// Whose walk it is: the walker chooses only for devices of the walker's own.
    package let provenance: Provenance
}

extension SourceState {
    /// A device as a strap whose contact is never set; nil unless it is one.
    package func contactlessStrap(_ id: DeviceID) -> ContactlessStrap? {
        guard let device = devices[id], device.contact.isNeverSet else { return nil }
        return ContactlessStrap(device: id, name: device.name, provenance: provenance)
    }
}
