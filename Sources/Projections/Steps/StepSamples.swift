package import Events

/// What a health store reported for some minutes: one device, from when to when, how many steps.
package typealias StepSample = StepSampleObserved

extension StepSampleObserved {
    /// The event that records it.
    package var event: Event { .stepSampleObserved(self) }

    /// The last millisecond of the counting: what ends at midnight is of the date before.
    package var lastMilliseconds: Int64 { max(beganAtMilliseconds, endedAtMilliseconds - 1) }

    /// Whether an event can hold it.
    package var isRecordable: Bool {
        do throws(FieldError) {
            _ = try event.encodedPayload()
            return true
        } catch {
            return false
        }
    }

    /// Whether this is another sample of the same counting: a store that is asked again may tell
    /// how far it has come.
    func isSameCounting(as other: StepSample) -> Bool {
        beganAtMilliseconds == other.beganAtMilliseconds && countedBy == other.countedBy
            && origin == other.origin
    }

    /// Whether this says more of the same counting: more steps, or as many until later.
    func supersedes(_ other: StepSample) -> Bool {
        guard steps == other.steps else { return steps > other.steps }
        return endedAtMilliseconds > other.endedAtMilliseconds
    }
}

/// The samples of the last days, each counting once, as far as it was reported.
///
/// Programs post what is new since they posted last, so that the total of a day needs what came
/// before. This is not a part of ``LogState``: no count is made of samples by a fold. Whoever takes
/// samples in makes totals of them, and the totals are events.
///
/// What was left out is known by ``incompleteUntilMilliseconds``: of the date of that instant, and
/// of those before, no total can be made.
package struct StepSamples: Projection, Hashable {
    /// Samples that ended this much before another one came are left out: eight days.
    ///
    /// So of today and the five dates before everything is there, whatever the zone.
    package static let keptMilliseconds: Int64 = 8 * 86_400_000
    /// The most samples that are kept; of more, the earliest are left out.
    package static let limit = 20_000

    /// The position after the last event that was folded.
    package private(set) var next: Position = 0
    /// The samples, in order of their beginning.
    package private(set) var all: [StepSample] = []
    /// The last millisecond of the samples that were left out, in UTC; nil if none was.
    package private(set) var incompleteUntilMilliseconds: Int64?

    /// The state before the first event.
    package init() {}

    /// Takes one event in; all but samples of the live recorder are passed over.
    package mutating func evolve(_ event: borrowing EventView) {
        let header = event.header
        next = header.position &+ 1
        guard header.kind == .stepSampleObserved, header.provenance == .walked else { return }
        guard case .stepSampleObserved(let event) = event.decoded else { return }
        // Within 2^53: a difference of two of them is not an overflow.
        forget(before: header.stamp.wallMilliseconds - Self.keptMilliseconds)
        add(event)
    }

    /// Whether a sample says more than every sample of the same counting here.
    package func isNews(_ sample: StepSample) -> Bool {
        index(of: sample).map { sample.supersedes(all[$0]) } ?? true
    }

    /// Adds a sample, in place of what was reported of the same counting before.
    package mutating func add(_ sample: StepSample) {
        guard let known = index(of: sample) else {
            let began = sample.beganAtMilliseconds
            all.insert(sample, at: all.partitioningIndex { $0.beganAtMilliseconds > began })
            return leaveOut(max(0, all.count - Self.limit))
        }
        if sample.supersedes(all[known]) { all[known] = sample }
    }

    /// Adds samples in order, as ``add(_:)-(StepSample)`` does one by one; too many are left out at
    /// the end.
    ///
    /// - Parameter told: The samples, in any order.
    /// - Returns: Those that were news when their turn came, in the order they were told in.
    package mutating func add(_ told: [StepSample]) -> [StepSample] {
        let order = told.indices.sorted {
            (told[$0].beganAtMilliseconds, $0) < (told[$1].beganAtMilliseconds, $1)
        }
        var news: [Int] = []
        var merged: [StepSample] = []
        merged.reserveCapacity(all.count + told.count)
        var rest = all[...]
        for index in order {
            let sample = told[index]
            let began = sample.beganAtMilliseconds
            let earlier = rest.prefix { $0.beganAtMilliseconds <= began }
            merged += earlier
            rest = rest.dropFirst(earlier.count)
            // Those of the same beginning are the last ones.
            let same = merged.indices.reversed().prefix { merged[$0].beganAtMilliseconds == began }
            if let known = same.first(where: { merged[$0].isSameCounting(as: sample) }) {
                guard sample.supersedes(merged[known]) else { continue }
                merged[known] = sample
            } else {
                merged.append(sample)
            }
            news.append(index)
        }
        all = merged + rest
        leaveOut(max(0, all.count - Self.limit))
        return news.sorted().map { told[$0] }
    }

    /// Leaves the samples out that ended before a time.
    private mutating func forget(before earliest: Int64) {
        leaveOut(all.prefix { $0.endedAtMilliseconds < earliest }.count)
    }

    /// Leaves the first samples out, and notes until when something is missing.
    private mutating func leaveOut(_ count: Int) {
        guard let end = all.prefix(count).map(\.lastMilliseconds).max() else { return }
        incompleteUntilMilliseconds = max(incompleteUntilMilliseconds ?? end, end)
        all.removeFirst(count)
    }

    /// Where a sample of the same counting stands.
    private func index(of sample: StepSample) -> Int? {
        let began = sample.beganAtMilliseconds
        let first = all.partitioningIndex { $0.beganAtMilliseconds >= began }
        return all[first...].prefix { $0.beganAtMilliseconds == began }
            .firstIndex { $0.isSameCounting(as: sample) }
    }
}
