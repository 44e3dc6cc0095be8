import Events

/// Measures the length of a stretch of a route by where the fixes were.
///
/// ``RouteNoise`` says how far the knots waver. While somebody moves, the way goes along chords
/// that are long enough for that. Noise makes them longer, which is subtracted, and they cut
/// corners, as those of twice the length show. Whoever stands still or moves slowly has come no
/// way until a knot is far from the anchor.
struct RouteLength: StatePart, Hashable, Sendable {
    /// The greatest variance that is noise, and not corners: of an error of 13 m on both sides.
    private static let most: UInt64 = 2 * 13_000 * 13_000
    /// How many knots are kept at most.
    private static let limit = 72

    /// The last fix; the mean of those since the last knot, how many they are and since when.
    private var here = RouteKnot()
    private var gathered = RouteKnot()
    private var count: UInt64 = 1
    private var began: UInt64 = 0
    private var knots: [RouteKnot] = []
    private var noise = RouteNoise()
    private var speed = RouteSpeed(isBelieved: true)
    /// The knot up to which the way was looked at.
    private var index = 0
    private var isMoving = false
    /// Where somebody stands or goes slowly: the mean of the first three knots, within 10 s, how
    /// many they are so far, and since when; while a doubt lasts, since when it does.
    private var anchor = RouteKnot()
    private var anchorKnots: UInt64 = 1
    private var anchorFrom: UInt64 = 0
    /// What was gone since the anchor, which may be noise; nil without a doubt.
    private var doubtful: UInt64?
    /// The square of the speed in mm^2/s^2, and mean speeds in mm/s, times 256, by chords and by
    /// those of twice the length.
    private var squaredSpeed: Int64 = 0
    private var meanSpeed: Int64 = 0
    private var otherMeanSpeed: Int64 = 0
    /// The error along an axis in millimetres: the receiver's, at least 4 m; else 6 m.
    private var error: UInt64 = 6_000
    /// The fold time up to which the way was returned.
    private var countedTo: UInt64

    init() { self.init(FixTime()) }

    /// Begins with a fix.
    init(_ time: FixTime) {
        countedTo = time.milliseconds
        gathered.foldedAt = countedTo
    }

    /// No speed is greater than what is plausible.
    private static func speed(_ speed: UInt64) -> UInt64 {
        min(speed, Plausibility.millimetresPerSecond)
    }

    /// Takes the fix that comes next.
    ///
    /// - Returns: The stretch that it ends, or nil.
    mutating func take(
        _ fix: PositionFixed, at place: Place, _ time: FixTime, from before: Waypoint
    ) -> Route.Stretch? {
        let elapsed = time.elapsed(since: before.time)
        let (east, north) = before.place.millimetres(to: place)
        here.east &+= east
        here.north &+= north
        here.at.add(elapsed)
        here.foldedAt = time.milliseconds
        here.speed = fix.speedMillimetresPerSecond.map(Self.speed)
        error = max(fix.accuracyMillimetres ?? 6_000, 4_000)
        // What the first one of all said is not known: it may have been on trial.
        if knots.isEmpty, count == 1 { gathered.speed = here.speed }
        guard here.at - began >= 2_500 else {
            count = min(count + 1, 1_000)
            gathered.average(here, count)
            gathered.foldedAt = here.foldedAt
            return nil
        }
        var way = addKnot()
        if elapsed > 120_000, let last = knots.last {
            way.add(follow(toEnd: true))
            knots = [last]
            stand(at: 0)
        }
        (gathered, count, began) = (here, 1, here.at)
        return stretch(way)
    }

    /// Ends the stretch, and returns what of it was not returned, or nil.
    mutating func end() -> Route.Stretch? {
        var way = addKnot()
        // The last fix is beyond the middle of the last knot.
        let rest = UInt64(max(meanSpeed, 0)) * min(here.at - gathered.at, 2_500) / 256_000
        way.add(follow(toEnd: true))
        return stretch(way.plus(isMoving ? speed.take(rest) : 0), to: here.foldedAt)
    }

    /// Returns what was not returned so far, or nil; what comes continues from there.
    mutating func flush() -> Route.Stretch? {
        let rest = end()
        (knots, index) = ([here], 0)
        if !isMoving { stand(at: 0) }
        (gathered, count, began) = (here, 1, here.at)
        return rest
    }

    private mutating func stretch(_ way: UInt64, to end: UInt64? = nil) -> Route.Stretch? {
        guard way > 0 else { return nil }
        let known = knots[speed.isBelieved ? knots.count - 1 : index].foldedAt
        let to = max(countedTo, end ?? known)
        // Nobody who moves at all takes an hour for a kilometre.
        let from = max(countedTo, to.minus(way.times(4)))
        countedTo = to
        return Route.Stretch(millimetres: way, from: from, to: to)
    }

    private mutating func addKnot() -> UInt64 {
        // Nothing has come since what was returned last.
        if let last = knots.last, last.at >= gathered.at { return 0 }
        if knots.count == Self.limit {
            knots.removeFirst(Self.limit / 3)
            index = max(index - Self.limit / 3, 0)
        }
        knots.append(gathered)
        if knots.count == 1 {
            stand(at: 0)
            // The first fix was before the middle of the first knot.
            anchorFrom = 0
        }
        noise.take(knots)
        let way = follow(toEnd: false)
        let before = knots[max(knots.count - 2, 0)]
        // Only where nobody knows the speed.
        let isFar =
            gathered.at - before.at > 15_000
            && isFar(gathered, from: before, gathered.at - before.at, 49, noise.variances)
        return way.plus(speed.take(knots, isFar: isFar))
    }

    /// Follows the knots, at the end again from where a doubt began, each time from a later one.
    private mutating func follow(toEnd: Bool, after doubt: Int = -1) -> UInt64 {
        let variances = noise.variances
        var way: UInt64 = 0
        while index + 1 < knots.count {
            if isMoving {
                guard let length = move(toEnd, variances) else { break }
                way.add(speed.take(length))
            } else {
                index += 1
                way.add(speed.take(leave(isLast: toEnd && index + 1 == knots.count, variances)))
            }
        }
        guard toEnd, doubtful != nil else { return way }
        let start = knots.firstIndex { $0.at >= anchorFrom } ?? index
        guard start > doubt else { return way }
        stand(at: start)
        return way.plus(follow(toEnd: true, after: start))
    }

    // MARK: - Standing

    private mutating func stand(at index: Int) {
        (self.index, isMoving, doubtful) = (index, false, nil)
        (anchor, anchorKnots, anchorFrom) = (knots[index], 1, knots[index].at)
    }

    /// Looks whether a knot is far from the anchor, and returns the way to it, or 0.
    private mutating func leave(
        isLast: Bool, _ variances: RouteNoise.Variances
    ) -> UInt64 {
        let here = knots[index]
        let passed = here.at - anchorFrom
        if anchorKnots < 3, passed <= 10_000 {
            anchorKnots += 1
            anchor.average(here, anchorKnots)
        }
        guard isFar(here, from: anchor, passed, isLast ? 25 : 49, variances) else { return 0 }
        // Whoever went on at once was at the mean of these knots later than at the first.
        let later = anchorKnots == 3 || passed > 5_000 ? anchor.at - anchorFrom : 0
        let way = (anchor.squared(to: here) - variance(over: passed, variances)).squareRoot
            .scaled(by: passed, over: max(passed - later, passed / 2, 1))
        isMoving = true
        let speed = Int64(Self.speed(way.scaled(by: 1_000, over: max(passed, 1))))
        // What is known of corners holds on.
        let (mean, corners) = (speed << 8, Int64(corners))
        (squaredSpeed, meanSpeed) = (speed * speed, mean)
        otherMeanSpeed = mean - mean * corners / 1_200
        return way
    }

    /// Whether a knot is so many quarters of the noise's square away from an earlier one.
    private func isFar(
        _ knot: RouteKnot, from earlier: RouteKnot, _ passed: UInt64, _ quarters: UInt64,
        _ variances: RouteNoise.Variances
    ) -> Bool {
        earlier.squared(to: knot) >= quarters * variance(over: passed, variances) / 4
    }

    /// The mean square of what noise adds along an axis within a time: it grows with the time,
    /// until the error has forgotten what it was.
    private func variance(
        over passed: UInt64, _ variances: RouteNoise.Variances
    ) -> UInt64 {
        let most = max(2 * error * error, min(2 * variances[0], 2 * Self.most))
        return min(variances[1] * min(passed, 1 << 17) / (2 * spacing), most)
    }

    /// The mean time from knot to knot.
    private var spacing: UInt64 {
        guard knots.count > 1, let last = knots.last else { return 2_500 }
        return max((last.at - knots[0].at) / UInt64(knots.count - 1), 1)
    }

    // MARK: - Moving

    /// Goes one knot on: the way to it, 0 while it is in doubt; nil if others have to come first.
    private mutating func move(
        _ toEnd: Bool, _ variances: RouteNoise.Variances
    ) -> UInt64? {
        let spacing = spacing
        let scale = scale(spacing, variances)
        let apart = 1 << scale
        guard toEnd || index + apart < knots.count else { return nil }
        let chord = Chord(
            knots, index - apart / 2, index + max(apart - apart / 2, 1),
            min(variances[scale], Self.most))
        let other = Chord(
            knots, index - apart, index + apart, min(variances[scale + 1], Self.most))
        let isStanding =
            other.square < 25 * variance(over: other.milliseconds, variances) / 4
            && chord.square < 9 * variance(over: chord.milliseconds, variances)
        if isStanding {
            if doubtful == nil { (anchorFrom, doubtful) = (knots[index].at, 0) }
            if knots[index].at - anchorFrom > 30_000 {
                stand(at: knots.firstIndex { $0.at >= anchorFrom } ?? index)
                return 0
            }
        }
        let passed = knots[index + 1].at - knots[index].at
        squaredSpeed += (chord.squaredSpeed - squaredSpeed) / 20
        meanSpeed += ((chord.speed << 8) - meanSpeed) / 32
        otherMeanSpeed += ((other.speed << 8) - otherMeanSpeed) / 32
        var way =
            passed > 4 * spacing
            ? Chord(knots, index, index + 1, min(variances[0], Self.most)).length
            : chord.length.scaled(by: passed, over: chord.milliseconds)
        way += way * corners / 1_000
        way.add(doubtful ?? 0)
        index += 1
        doubtful = isStanding ? way : nil
        return isStanding ? 0 : way
    }

    /// The shortest chords in which noise is a twentieth at most; more where there are corners.
    private func scale(_ spacing: UInt64, _ variances: RouteNoise.Variances) -> Int {
        let square = UInt64(max(squaredSpeed, 0)) * (100 + corners) / 100
        for scale in 0..<3 {
            let hundredths = min(spacing << UInt64(scale), 1 << 19) / 10
            if min(variances[scale], Self.most) * 200_000 <= square * hundredths * hundredths {
                return scale
            }
        }
        return 3
    }

    /// By how many thousandths chords are too short, as those of twice the length are by so many
    /// more, and a fifth of that: 200 at most.
    private var corners: UInt64 {
        guard meanSpeed > otherMeanSpeed else { return 0 }
        return UInt64(min((meanSpeed - otherMeanSpeed) * 1_200 / max(meanSpeed, 1), 200))
    }

    /// From a knot to another one, or to the first or last.
    private struct Chord {
        let square: UInt64
        let milliseconds: UInt64
        /// Without the noise.
        let length: UInt64
        let speed: Int64
        /// The square of the speed without the noise of both axes.
        let squaredSpeed: Int64

        init(_ knots: [RouteKnot], _ from: Int, _ to: Int, _ variance: UInt64) {
            let (first, last) = (knots[max(from, 0)], knots[min(to, knots.count - 1)])
            square = first.squared(to: last)
            milliseconds = min(max(last.at - first.at, 1), 1 << 31)
            length = square.minus(variance).squareRoot
            speed = Int64(RouteLength.speed(length.scaled(by: 1_000, over: milliseconds)))
            let noise = variance.scaled(by: 1_000_000, over: milliseconds * milliseconds)
            squaredSpeed = speed * speed - Int64(min(noise, 1 << 40))
        }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&here, &gathered, &count, &began, &knots, &noise)
        try coder(&speed, &isMoving, &anchor, &anchorKnots, &anchorFrom)
        try coder(&doubtful, &squaredSpeed, &meanSpeed, &otherMeanSpeed, &error, &countedTo)
        var reached = UInt64(index)
        try coder(&reached)
        try coder.require(
            knots.count <= Self.limit && reached < max(UInt64(knots.count), 1)
                && (1...1_000).contains(count) && (1...3).contains(anchorKnots)
                && (4_000...Route.greatestErrorMillimetres).contains(error))
        index = Int(reached)
        // Knots follow each other in time, strictly: nobody comes back to the same one.
        let times = knots.map(\.at)
        try coder.require(
            zip(times, times.dropFirst()).allSatisfy(<) && times.last ?? 0 <= began
                && began <= gathered.at && gathered.at <= here.at
                && (times.isEmpty || max(anchor.at, anchorFrom) <= times[index])
                && (isMoving || anchorFrom <= anchor.at)
                && squaredSpeed <= 1 << 28
                && squaredSpeed.magnitude | meanSpeed.magnitude | otherMeanSpeed.magnitude
                    < 1 << 42
        )
    }
}
