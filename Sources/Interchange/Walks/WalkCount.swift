internal import Events

/// What was counted up to a moment of a walk.
struct WalkCount {
    var at: Int64
    /// Since the walk began, or a walk before it in the same file.
    var steps: UInt64?
    var distanceMillimetres: UInt64?
    /// How far apart the places were up to then, in millimetres, where nothing else is known of a
    /// distance.
    var wayMillimetres: UInt64?
    /// Whether the steps were made of a cadence.
    var isOfCadence = false
}

extension WalkCount {
    /// As it waits for the end of the walk: the device's number says what there is.
    var event: Event {
        let way = distanceMillimetres == nil ? wayMillimetres : nil
        let flags: UInt64 = (steps == nil ? 0 : 1) | (way == nil ? 0 : 2) | (isOfCadence ? 4 : 0)
        return .pedometerRead(
            PedometerRead(
                device: DeviceID(address: flags, space: .other),
                reading: .counter(min(steps ?? 0, 1 << 53 - 1)),
                distanceMillimetres: (distanceMillimetres ?? way).map { min($0, 1 << 53 - 1) }))
    }

    /// What has waited.
    init(_ fact: borrowing EventView) {
        at = fact.header.stamp.wallMilliseconds
        guard case .pedometerRead(let read) = fact.decoded, case .counter(let steps) = read.reading
        else { return }
        let flags = read.device.word
        self.steps = flags & 1 == 0 ? nil : steps
        isOfCadence = flags & 4 != 0
        if flags & 2 == 0 {
            distanceMillimetres = read.distanceMillimetres
        } else {
            wayMillimetres = read.distanceMillimetres
        }
    }
}

/// The way from place to place, to tell where in a walk a distance was walked: it is no distance
/// itself, for it is longer by all noise.
struct WalkedWay {
    private(set) var millimetres: UInt64?
    private var last: PositionFixed?

    mutating func take(_ fix: PositionFixed) {
        defer { last = fix }
        guard let last else { return millimetres = millimetres ?? 0 }
        // Degrees of 111,195 m; the cosine by Bhaskara, right to 0.2 %.
        let square = Double(last.latitudeE7) * Double(last.latitudeE7) / 1e14
        let cosine = (32_400 - 4 * square) / (32_400 + square)
        let north = Double(fix.latitudeE7 - last.latitudeE7) * 11.1195
        let east = Double(fix.longitudeE7 - last.longitudeE7) * 11.1195 * cosine
        let length = (north * north + east * east).squareRoot()
        // Nobody walks 100 km between two places.
        if length < 1e8 { millimetres = (millimetres ?? 0) + UInt64(length) }
    }
}
