import Events

/// The heart rates of a session by the rules of S3, found by looking back.
extension NaiveModel {
    /// What became of the values that straps sent in a session, up to some events.
    func hearts(from start: Int, after count: Int) -> HeartAnswer {
        var answer = HeartAnswer()
        for index in start..<count {
            switch facts[index] {
            case .sessionEnded: return answer
            case .heart(let strap, _) where isExcluded(strap, from: start, after: count): continue
            case .heart(let strap, let value):
                answer.take(
                    value, isPaused: isPaused(at: index, from: start),
                    isContactIgnored: isContactIgnored(of: strap, at: index),
                    countsAll: fault == .countsEveryHeartRate)
            default: continue
            }
        }
        return answer
    }

    private func isPaused(at index: Int, from start: Int) -> Bool {
        for earlier in (start..<index).reversed() {
            if case .sessionPaused = facts[earlier] { return true }
            if case .sessionResumed = facts[earlier] { return false }
        }
        return false
    }

    private func isExcluded(_ strap: DeviceID, from start: Int, after count: Int) -> Bool {
        for index in (start..<count).reversed() {
            if case .excluded(headers[start].position, strap, let isExcluded) = facts[index] {
                return isExcluded
            }
        }
        return false
    }

    private func isContactIgnored(of strap: DeviceID, at index: Int) -> Bool {
        for earlier in (0..<index).reversed() {
            if case .contact(strap, let isIgnored) = facts[earlier] { return isIgnored }
        }
        return false
    }
}

/// Values of straps in a session by what became of them, as a fold or the model tells them.
public struct HeartAnswer: Hashable, Sendable {
    /// What counts, and its sum in BPM.
    public var samples: UInt64 = 0
    /// The sum of what counts in BPM.
    public var sum: UInt64 = 0
    /// What came in pauses.
    public var paused: UInt64 = 0
    /// What denied contact.
    public var noContact: UInt64 = 0
    /// What was 0.
    public var zero: UInt64 = 0
    /// What had all bits set.
    public var noReading: UInt64 = 0
    /// What else no heart does.
    public var notCredible: UInt64 = 0

    /// Takes a value by its bytes (Bluetooth HRS 1.0, 3.1): flags, then one byte or two.
    fileprivate mutating func take(
        _ value: [UInt8], isPaused: Bool, isContactIgnored: Bool, countsAll: Bool
    ) {
        let isWide = value[0] % 2 == 1
        let beats = isWide ? UInt64(value[1]) + 256 * UInt64(value[2]) : UInt64(value[1])
        let deniesContact = value[0] / 2 % 4 == 2
        if isPaused {
            paused += 1
        } else if deniesContact, !isContactIgnored {
            noContact += 1
        } else if beats == 0 {
            zero += 1
        } else if countsAll {
            (samples, sum) = (samples + 1, sum + beats)
        } else if isWide ? beats == 65_535 : beats == 255 {
            noReading += 1
        } else if beats < 20 || beats > 300 {
            notCredible += 1
        } else {
            (samples, sum) = (samples + 1, sum + beats)
        }
    }
}
