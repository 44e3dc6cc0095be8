/// The clock of a device, which may be set while it records, or never.
///
/// Times that follow each other are a stretch. Of a jump the file's own total says whether it is
/// one of the clock.
struct FITClock {
    struct Stretch {
        let isDated: Bool
        /// The first time and the last one, in milliseconds by the clock.
        var first: Int64
        var last: Int64
        /// The stretch before it, and its last time then; nil for the first.
        let follows: (index: Int, at: Int64)?
        /// How many messages have a time in it.
        var count = 1
        /// What the clock is behind UTC; nil if nobody knows.
        var shift: Int64? = 0
        /// Whose time is another's, and no walk reaches from one to the other.
        var group = 0
    }

    /// How far from the others a time can be, unless it is another clock's: a week.
    static let reachMilliseconds: Int64 = 604_800_000
    /// What goes on: it may waver, and ten minutes without a message are no jump.
    private static let goesOn: ClosedRange<Int64> = -10_000...600_000
    /// For so long a walk is left, such as overnight, without a word of the timer: a day.
    private static let pauseMilliseconds: Int64 = 86_400_000
    private static let limit = 16
    /// Fewer messages are no walk of their own, and no others' clock.
    private static let strayLimit = 10

    private(set) var stretches: [Stretch] = []
    private var index = 0
    /// Milliseconds from the time since a device was switched on to UTC; nil as long as no message
    /// tells both.
    var correlation: Int64?

    /// Takes the time of a message.
    ///
    /// - Parameters:
    ///   - now: Milliseconds by the clock.
    ///   - isPaused: Whether the timer stands: then a later time is none that jumps.
    /// - Returns: The stretch in which it is; nil if there are too many.
    mutating func take(_ now: Int64, isPaused: Bool) -> Int? {
        let isDated = FITTime.isDate(now)
        func fits(_ stretch: Stretch, _ limits: ClosedRange<Int64>) -> Bool {
            stretch.isDated == isDated && limits.contains(now - stretch.last)
        }
        let reach = -Self.reachMilliseconds...Self.reachMilliseconds
        let ahead = Self.goesOn.lowerBound...Self.reachMilliseconds
        if stretches.isEmpty || !fits(stretches[index], isPaused ? ahead : Self.goesOn) {
            if let other = stretches.lastIndex(where: { fits($0, Self.goesOn) }) {
                index = other
            } else if stretches.count < Self.limit {
                let follows = stretches.isEmpty ? nil : (index, stretches[index].last)
                index = stretches.count
                stretches.append(
                    Stretch(isDated: isDated, first: now, last: now, follows: follows))
                return index
            } else if !fits(stretches[index], reach) {
                let other = stretches.lastIndex { fits($0, reach) }
                guard let other else { return nil }
                index = other
            }
        }
        stretches[index].first = min(stretches[index].first, now)
        stretches[index].last = max(stretches[index].last, now)
        stretches[index].count += 1
        return index
    }

    /// Finds out what each stretch is behind UTC, once all is known.
    ///
    /// - Parameters:
    ///   - elapsed: How long all of it took by the file's own total; nil if it does not say.
    ///   - start: When it began by the file, by its clock.
    ///   - began: When it began, as somebody says.
    mutating func resolve(elapsed: Int64?, start: Int64?, began: Int64?) {
        guard let main = main else { return }
        if !stretches[main].isDated, let first = stretches.map(\.first).min() {
            let shift = correlation ?? began.map { $0 - min(start ?? first, first) }
            for index in stretches.indices { stretches[index].shift = shift }
            return
        }
        let others = stretches.indices.filter { $0 != main && isOther($0, main) }
        let strays = others.filter { stretches[$0].count < Self.strayLimit }
        let walked = stretches.indices.filter { !strays.contains($0) }
        for index in strays { stretches[index].shift = nil }
        // Some totals leave pauses out, also those of which the timer says nothing: a clock is
        // known by going back, or on by more than a pause, or by a file that began after it.
        let isSet = zip(stretches, stretches.dropFirst()).contains {
            !(0...Self.pauseMilliseconds).contains($1.first - $0.last)
        }
        if let elapsed, isSet || start ?? 0 > stretches[0].last {
            let all = Array(stretches.indices)
            // One or two messages are no clock.
            let keepsAll = strays.allSatisfy { stretches[$0].count > 2 }
            let parts = (keepsAll ? [all, walked] : [walked, all]).min {
                abs(length(of: chained($0, to: main, elapsed)) - elapsed)
                    < abs(length(of: chained($1, to: main, elapsed)) - elapsed)
            }
            let shifts = chained(parts ?? all, to: main, elapsed)
            let asTheyAre = (parts ?? all).reduce(into: [:]) { $0[$1] = Int64(0) }
            let tolerance = max(60_000, elapsed / 50)
            if shifts.count == parts?.count, abs(length(of: shifts) - elapsed) <= tolerance,
                abs(length(of: asTheyAre) - elapsed) > tolerance
            {
                for (index, shift) in shifts { stretches[index].shift = shift }
                return
            }
        }
        for index in others where !strays.contains(index) {
            if stretches[index].isDated {
                stretches[index].group = index + 1
            } else {
                stretches[index].shift = correlation
            }
        }
    }

    /// The clock that most messages have; of several that was set last.
    private var main: Int? {
        stretches.indices.max {
            let (one, other) = (stretches[$0], stretches[$1])
            return (one.isDated ? 1 : 0, one.count) <= (other.isDated ? 1 : 0, other.count)
        }
    }

    private func isOther(_ index: Int, _ main: Int) -> Bool {
        let (one, other) = (stretches[index], stretches[main])
        return one.isDated != other.isDated
            || max(one.first - other.last, other.first - one.last) > Self.reachMilliseconds
    }

    /// The shifts with which stretches follow each other as they did in the file, by the clock of
    /// one of them.
    private func chained(_ parts: [Int], to main: Int, _ elapsed: Int64) -> [Int: Int64] {
        let messages = parts.reduce(0) { $0 + stretches[$1].count }
        let usual = max(1_000, elapsed / Int64(max(1, messages)))
        // What the total leaves between them, if it leaves anything.
        let (none, some) = (
            length(of: chained(parts, to: main, spacing: 0)),
            length(of: chained(parts, to: main, spacing: usual))
        )
        guard some > none else { return chained(parts, to: main, spacing: usual) }
        let rest = Int128(elapsed - none) * Int128(usual) / Int128(some - none)
        return chained(parts, to: main, spacing: (0...60_000).contains(rest) ? Int64(rest) : usual)
    }

    private func chained(_ parts: [Int], to main: Int, spacing: Int64) -> [Int: Int64] {
        var shifts = [main: Int64(0)]
        for _ in parts {
            for index in parts {
                let own = stretches[index]
                guard let before = own.follows, parts.contains(before.index) else { continue }
                if let shift = shifts[before.index] {
                    if shifts[index] == nil {
                        shifts[index] = before.at + shift + spacing - own.first
                    }
                } else if let shift = shifts[index] {
                    shifts[before.index] = own.first + shift - spacing - before.at
                }
            }
        }
        return shifts
    }

    /// From the first moment of stretches to the last.
    private func length(of shifts: [Int: Int64]) -> Int64 {
        let first = shifts.map { stretches[$0].first + $1 }.min()
        let last = shifts.map { stretches[$0].last + $1 }.max()
        return (last ?? 0) - (first ?? 0)
    }

    /// The stretch in which a time is, or the nearest one within a week; nil if there is none.
    func index(of now: Int64) -> Int? {
        func distance(_ index: Int) -> Int64 {
            max(stretches[index].first - now, now - stretches[index].last, 0)
        }
        return stretches.indices.filter {
            stretches[$0].isDated == FITTime.isDate(now) && distance($0) <= Self.reachMilliseconds
        }.min { distance($0) < distance($1) }
    }

    /// The stretch of ``index(of:)``.
    func stretch(of now: Int64) -> Stretch? { index(of: now).map { stretches[$0] } }
}
