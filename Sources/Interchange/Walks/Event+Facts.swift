package import Events

/// What files say of walks.
extension Event {
    /// A walk began.
    package static var began: Event { .sessionStarted(SessionStarted()) }
    /// What was done.
    package static func described(_ sport: Sport) -> Event {
        .sessionDescribed(SessionDescribed(sport: sport))
    }
    /// It was paused.
    package static var paused: Event { .sessionPaused(SessionPaused()) }
    /// It went on.
    package static var resumed: Event { .sessionResumed(SessionResumed()) }
    /// It ended.
    package static var ended: Event { .sessionEnded(SessionEnded(reason: .inputEnded)) }

    /// The walker set a mark, of which at most 512 bytes are kept.
    package static func mark(_ text: String) -> Event {
        .sessionMarked(SessionMarked(text: text.fitting(512)))
    }

    /// A heart rate, with the intervals between beats that came with it, in 1/1024 s.
    package static func heartRate(_ bpm: UInt16, rrTicks: [UInt16]) -> Event {
        // In one byte 255 stands for no reading.
        let isWide = bpm > 254
        var value: [UInt8] = [(isWide ? 1 : 0) | (rrTicks.isEmpty ? 0 : 0b1_0000)]
        value.append(UInt8(truncatingIfNeeded: bpm))
        if isWide { value.append(UInt8(bpm >> 8)) }
        for ticks in rrTicks { value += [UInt8(truncatingIfNeeded: ticks), UInt8(ticks >> 8)] }
        return .characteristicNotified(
            CharacteristicNotified(
                device: .strapOfFile, characteristic: .heartRateMeasurement, value: value))
    }

    /// A place.
    package static func position(_ fix: PositionFixed) -> Event { .positionFixed(fix) }

    /// How many steps, and how far, since the walk began.
    package static func walked(steps: UInt64, distanceMillimetres: UInt64?) -> Event {
        .pedometerRead(
            PedometerRead(
                device: .pedometerOfFile, reading: .counter(min(steps, 1 << 53 - 1)),
                distanceMillimetres: distanceMillimetres.map { min($0, 1 << 53 - 1) }))
    }

    /// What the strap is called; at most 1,024 bytes of it are kept.
    package static func strap(_ name: String) -> Event {
        .deviceSeen(
            DeviceSeen(device: .strapOfFile, name: name.fitting(1_024), roles: .heart))
    }
}

extension DeviceID {
    /// The devices of a file, which says no more of them.
    static let strapOfFile = DeviceID(address: 1, space: .other)
    static let pedometerOfFile = DeviceID(address: 2, space: .other)
}

extension Stamp {
    /// Of a fact of a walk that began at a moment, in UTC milliseconds.
    init(walk: Int64, at wall: Int64) {
        self.init(
            bootMilliseconds: UInt64(clamping: walk), wallMilliseconds: wall, bootNumber: 0)
    }
}

extension EventBatch {
    /// Adds a fact of a moment.
    ///
    /// - Returns: What it is if it was left out, in the plural; nil if it was added.
    mutating func add(_ fact: Event, at wall: Int64, of walk: Int64 = 0) -> String? {
        guard (0..<WalkFacts.endOfTime).contains(wall) else {
            return "values at an impossible time"
        }
        let stamp = Stamp(walk: walk, at: wall)
        do throws(FieldError) {
            try append(fact, stamp: stamp, flags: .wallTrusted)
            return nil
        } catch {
            return "values that nothing can have"
        }
    }

    /// Adds an event that is within its limits, since it was in a batch before.
    mutating func copy(_ event: borrowing EventView, at stamp: Stamp? = nil) {
        var header = event.header
        header.stamp = stamp ?? header.stamp
        do throws(FieldError) {
            try event.withPayload { (payload) throws(FieldError) in
                try append(header, payload: payload)
            }
        } catch {
            preconditionFailure("A walk's event is beyond the limits of its fields: \(error)")
        }
    }
}
