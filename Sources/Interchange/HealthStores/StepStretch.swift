internal import Events

/// Records that overlap, each with one before it, and what they say together.
///
/// Nobody walks the same time twice, so where records overlap they count the same steps, whoever
/// wrote them. The time of a stretch is cut where a record begins or ends. From the shortest record
/// to the longest, each raises what its time holds to its own count, and does not add to it: what
/// is missing goes to that part of its time which no shorter record covers, or to all of it.
///
/// Records that have most of their time in common are one walk, of which the greatest counts.
///
/// So a stretch holds at least what any records of it say that do not overlap each other, and at
/// most the sum of all.
struct StepStretch {
    /// The most records that overlap in one chain; further ones are left out.
    static let limit = 200_000
    /// The most records of one instant, on an average; the longest are left out.
    private static let depthLimit = 256

    private(set) var records: [TimedSteps] = []
    /// Until when the records reach.
    private var end = Int64.min
    /// How many records were left out.
    private(set) var refusedCount: UInt64 = 0

    /// Whether a record that begins no earlier than the others overlaps them.
    func overlaps(_ record: TimedSteps) -> Bool { record.start < end }

    /// Adds a record that begins no earlier than the others.
    mutating func add(_ record: TimedSteps) {
        guard records.count < Self.limit else {
            refusedCount += 1
            return
        }
        records.append(record)
        end = max(end, record.end)
    }

    /// Hands the steps on, in order of time and piece by piece, and starts over.
    mutating func close(_ body: (TimedSteps) -> Void) {
        defer {
            records.removeAll(keepingCapacity: true)
            end = .min
        }
        if records.count == 1 { body(records[0]) }
        guard records.count > 1 else { return }
        if let greatest = sameWalk() {
            for (index, record) in records.enumerated() {
                var told = record
                told.thousandths = index == greatest ? record.thousandths : 0
                body(told)
            }
            return
        }
        var pieces = cut()
        raise(&pieces)
        for piece in pieces where piece.validUntil > .min { body(piece) }
    }

    /// The record with the greatest count, if all of them have more than half of the longest in
    /// common: then they are of one walk, which clocks have put a little apart.
    private func sameWalk() -> Int? {
        let start = records.reduce(Int64.min) { max($0, $1.start) }
        let end = records.reduce(Int64.max) { min($0, $1.end) }
        let longest = records.reduce(0) { max($0, $1.end - $1.start) }
        guard end - start > longest / 2 else { return nil }
        return records.indices.max { records[$0].thousandths < records[$1].thousandths }
    }

    /// The stretch's time in pieces without steps, none of which a record begins or ends in.
    private func cut() -> [TimedSteps] {
        var times = records.flatMap { [$0.start, $0.end] }
        times.sort()
        var pieces: [TimedSteps] = []
        var place = 0
        var telling: TimedSteps?
        for (start, end) in zip(times, times.dropFirst()) where start < end {
            while place < records.count, records[place].start <= start {
                if records[place].offsetMinutes != nil { telling = records[place] }
                place += 1
            }
            let offset = telling.flatMap { $0.end > start ? $0.offsetMinutes : nil }
            pieces.append(
                TimedSteps(
                    start: start, end: end, validUntil: .min, thousandths: 0,
                    offsetMinutes: offset))
        }
        return pieces
    }

    private mutating func raise(_ pieces: inout [TimedSteps]) {
        var isTold = Array(repeating: false, count: pieces.count)
        var work = 0
        for record in records.sorted(by: Self.isShorter) {
            let first = pieces.partitioningIndex { $0.start >= record.start }
            let range = first..<pieces.partitioningIndex { $0.start >= record.end }
            work += range.count
            guard work <= Self.depthLimit * pieces.count else {
                refusedCount += 1
                continue
            }
            var held: Int64 = 0
            var untold: Int64 = 0
            for index in range {
                let piece = pieces[index]
                held += piece.thousandths
                if !isTold[index] { untold += piece.end - piece.start }
                pieces[index].validUntil = max(
                    piece.validUntil, min(piece.end, record.validUntil))
            }
            let missing = record.thousandths - held
            let length = untold > 0 ? untold : record.end - record.start
            var passed: Int64 = 0
            for index in range where untold == 0 || !isTold[index] {
                isTold[index] = true
                guard missing > 0 else { continue }
                let next = passed + pieces[index].end - pieces[index].start
                pieces[index].thousandths += missing * next / length - missing * passed / length
                passed = next
            }
        }
    }

    private static func isShorter(_ left: TimedSteps, _ right: TimedSteps) -> Bool {
        (left.end - left.start, left.start, left.thousandths)
            < (right.end - right.start, right.start, right.thousandths)
    }
}
