import Glibc

/// Times of the same work, over and over.
struct Samples {
    private(set) var seconds: [Double] = []

    mutating func add(_ sample: Double) { seconds.append(sample) }

    var total: Double { seconds.reduce(0, +) }
    var median: Double { quantile(0.5) }

    /// The value below which a part of the samples lies; 0 without samples.
    func quantile(_ part: Double) -> Double {
        let sorted = seconds.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
    }

    /// The median of the ratios of samples to those of the other side that were taken beside them.
    ///
    /// A neighbour that takes the processor for a while slows both sides of a pair.
    func pairedRatio(to other: Samples) -> Double {
        var ratios = Samples()
        ratios.seconds = zip(seconds, other.seconds).map { $0 / $1 }
        return ratios.median
    }
}

/// What a time is taken of.
enum Stopwatch {
    /// Everything, with the waiting for the disk and for another thread.
    case wall
    /// The processor time of all threads of this process: neighbours on the machine do not count.
    case processor

    /// The time now, in seconds from some start.
    var now: Double {
        var time = timespec()
        clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// How many seconds something takes.
    func time(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return now - start
    }
}

/// Two sides that take turns, so that neither has the warmer cache or the quieter moment.
struct Pair {
    var swift = Samples()
    var reference = Samples()

    /// How many times as long Swift takes.
    var timeRatio: Double { swift.pairedRatio(to: reference) }
    /// How much of C's rate Swift has.
    var rateRatio: Double { reference.pairedRatio(to: swift) }

    /// Runs and times both sides; which comes first depends on the round.
    mutating func time(
        _ watch: Stopwatch, round: Int, swift runSwift: () throws -> Void,
        reference runReference: () throws -> Void
    ) rethrows {
        let start = watch.now
        try round % 2 == 0 ? runSwift() : runReference()
        let middle = watch.now
        try round % 2 == 0 ? runReference() : runSwift()
        add(middle - start, watch.now - middle, round: round)
    }

    /// Adds the times of what came first and of what came second in a round.
    mutating func add(_ first: Double, _ second: Double, round: Int) {
        swift.add(round % 2 == 0 ? first : second)
        reference.add(round % 2 == 0 ? second : first)
    }
}

/// The two sides of a work that waits, by both watches.
struct WaitingPair {
    var wall = Pair()
    var processor = Pair()

    /// Runs and times both sides; which comes first depends on the round.
    mutating func time(
        round: Int, swift runSwift: () async throws -> Void,
        reference runReference: () async throws -> Void
    ) async rethrows {
        let start = (wall: Stopwatch.wall.now, processor: Stopwatch.processor.now)
        if round % 2 == 0 { try await runSwift() } else { try await runReference() }
        let middle = (wall: Stopwatch.wall.now, processor: Stopwatch.processor.now)
        if round % 2 == 0 { try await runReference() } else { try await runSwift() }
        let end = (wall: Stopwatch.wall.now, processor: Stopwatch.processor.now)
        wall.add(middle.wall - start.wall, end.wall - middle.wall, round: round)
        processor.add(
            middle.processor - start.processor, end.processor - middle.processor, round: round)
    }
}
