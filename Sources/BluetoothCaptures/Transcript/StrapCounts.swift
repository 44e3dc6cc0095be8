public import Events

/// How many heart rates each strap of a capture sent: two straps are two hearts, so one is chosen.
public struct StrapCounts: Sendable {
    /// A strap.
    public struct Strap: Hashable, Sendable {
        /// Which one.
        public let device: DeviceID
        /// Its heart rates.
        public fileprivate(set) var values: UInt64
        /// The first and the last of them, among those of all straps.
        fileprivate var range: ClosedRange<UInt64>
    }

    /// The straps, in the order of their first heart rates.
    public private(set) var all: [Strap] = []
    /// Where each stands.
    private var indices: [DeviceID: Int] = [:]
    private var count: UInt64 = 0

    /// Makes a count of none.
    public init() {}

    /// Takes note of a heart rate.
    public mutating func add(_ device: DeviceID) {
        count += 1
        if let index = indices[device] {
            all[index].values += 1
            all[index].range = all[index].range.lowerBound...count
        } else {
            indices[device] = all.count
            all.append(Strap(device: device, values: 1, range: count...count))
        }
    }

    /// Chooses the strap that sent the most, the first of several.
    ///
    /// One whose values do not come between those of the chosen one may be the same strap, after a
    /// change of its address or as a link that began before the capture did: it is not left out.
    ///
    /// - Parameter address: The address of another choice; nil for none.
    /// - Returns: The chosen strap, and those that are left out; nil if there is no such strap.
    public func choice(_ address: UInt64? = nil) -> (chosen: Strap, others: [Strap])? {
        let most = all.map(\.values).max()
        let chosen = all.first {
            address == nil ? $0.values == most : $0.device.address == address
        }
        guard let chosen else { return nil }
        let others = all.filter { strap in
            strap.device != chosen.device
                && (address != nil || strap.range.overlaps(chosen.range))
        }
        return (chosen, others)
    }
}
