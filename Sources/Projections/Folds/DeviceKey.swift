import Events

/// A device as the number that its seven bytes in a payload form; cheap to compare.
extension DeviceID {
    /// Bits 0-47 address, 48-55 space.
    var key: UInt64 { address | UInt64(space.rawValue) << 48 }

    /// Undoes ``key``; nil if there is no such space.
    init?(key: UInt64) {
        guard key >> 48 <= 3, let space = Space(rawValue: UInt8(key >> 48)) else { return nil }
        self.init(address: key, space: space)
    }
}
