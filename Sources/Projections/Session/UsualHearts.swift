import Events

/// What usual heart-rate values add up to that follow each other: each has contact, a heart rate
/// and an interval, and was fresh until the next, or for as long as the rules allow.
///
/// Narrow numbers and no branch, so that a processor takes several values at a time. Two columns go
/// through: whoever calls this knows that all of it takes less than ``limitMilliseconds``, so that
/// no sum leaves 32 bits.
struct UsualHearts {
    /// 2^23 ms, more than two hours: times a heart rate below 2^8 that is below 2^31.
    static let limitMilliseconds: UInt64 = 1 << 23

    private(set) var fresh: Int32 = 0
    /// Times heart rate.
    private(set) var weighted: Int32 = 0
    /// Fresh time from the lower bound of each of the three upper zones on.
    private(set) var moderate: Int32 = 0
    private(set) var vigorous: Int32 = 0
    private(set) var maximum: Int32 = 0
    private(set) var sum: Int32 = 0
    private(set) var lowest: Int32 = .max
    private(set) var highest: Int32 = 0

    /// Takes the values in.
    ///
    /// - Parameters:
    ///   - times: When each came, the low half of a time.
    ///   - rates: Its heart rate, 20 to 254 BPM.
    ///   - silence: For how long a value is fresh at most.
    ///   - bounds: The lower bounds of the upper zones in BPM, in order.
    init(_ times: Span<Int32>, _ rates: Span<Int32>, silence: Int32, bounds: ZoneBounds) {
        // Copies, so that they stay in registers.
        var (fresh, weighted, sum): (Int32, Int32, Int32) = (0, 0, 0)
        var (moderate, vigorous, maximum): (Int32, Int32, Int32) = (0, 0, 0)
        var (lowest, highest): (Int32, Int32) = (.max, 0)
        let count = min(times.count, rates.count)
        for index in 1..<count {
            let rate = rates[index &- 1]
            let gap = times[index] &- times[index &- 1]
            let milliseconds = gap < silence ? gap : silence
            fresh &+= milliseconds
            weighted &+= milliseconds &* rate
            moderate &+= rate >= bounds.moderate ? milliseconds : 0
            vigorous &+= rate >= bounds.vigorous ? milliseconds : 0
            maximum &+= rate >= bounds.maximum ? milliseconds : 0
        }
        for index in 0..<count {
            let rate = rates[index]
            sum &+= rate
            lowest = rate < lowest ? rate : lowest
            highest = rate > highest ? rate : highest
        }
        (self.fresh, self.weighted, self.sum) = (fresh, weighted, sum)
        (self.moderate, self.vigorous, self.maximum) = (moderate, vigorous, maximum)
        (self.lowest, self.highest) = (lowest, highest)
    }
}

/// The lower bounds of the upper three zones in whole BPM, in order: a heart rate is in the last
/// zone whose bound it reaches.
struct ZoneBounds {
    let moderate: Int32
    let vigorous: Int32
    let maximum: Int32

    init(_ zones: Zones) {
        func bound(_ hundredths: UInt64) -> Int32 { Int32(min((hundredths + 99) / 100, 65_536)) }
        // Where the bounds are out of order, the lower zone holds.
        moderate = bound(zones.moderateFromHundredths)
        vigorous = max(moderate, bound(zones.vigorousFromHundredths))
        maximum = max(vigorous, bound(zones.maximumFromHundredths))
    }
}
