import Events
import Projections
import TestSupport
import Testing

/// Walks that are looked for, and what they add up to.
@Suite("Looking for walks")
struct WalkFilterTests {
    /// Forty walks of some days, described at random.
    private func walks(seed: UInt64) throws -> [SessionReport] {
        var random = SeededGenerator(seed: seed)
        var tape = Tape()
        try tape.command(.setProfile(Profile(heightMillimetres: 1_800)))
        try tape.command(.pair(pedometer, name: nil, roles: .footPod))
        var count: UInt64 = 0
        for _ in 0..<40 {
            if random.below(4) == 0 { tape.flags.insert(.simulated) }
            let session = tape.append(
                .sessionStarted(SessionStarted(profile: tape.own.recorder.profile)))
            for _ in 0..<random.below(5) {
                if random.below(2) == 0 { tape.heart(UInt16(90 + random.below(60))) }
                count += 10 + random.below(20)
                if !tape.flags.contains(.simulated) { tape.count(count) }
                tape.wait(1_000)
            }
            tape.append(.sessionEnded(SessionEnded()))
            tape.flags.remove(.simulated)
            try tape.command(
                .describe(
                    SessionDescribed(
                        session: session,
                        sessionName: ["", "Round the lake", "Home"].pick(&random),
                        place: ["", "Park"].pick(&random),
                        note: ["", "Mud and rain"].pick(&random),
                        tags: ["", "dog", "Dog,rain"].pick(&random),
                        sport: Sport.allCases.pick(&random),
                        listing: random.below(4) == 0 ? .hidden : nil)))
            tape.wait(random.below(3 * 86_400_000))
        }
        return tape.state.sessionReports(at: tape.moment)
    }

    @Test("finds those of which all of it holds, and adds them up", arguments: 1...20)
    func find(seed: UInt64) throws {
        let all = try walks(seed: seed)
        var random = SeededGenerator(seed: seed + 1_000)
        for _ in 0..<40 {
            var filter = WalkFilter()
            if random.below(3) == 0 { filter.from = all.pick(&random).date }
            if random.below(3) == 0 { filter.until = all.pick(&random).date }
            if random.below(3) == 0 {
                filter.tags = [["DOG"], ["rain", "dog"], ["cat"]].pick(&random)
            }
            if random.below(3) == 0 { filter.sport = Sport.allCases.pick(&random) }
            if random.below(3) == 0 { filter.place = ["ar", "x"].pick(&random) }
            if random.below(3) == 0 { filter.name = ["LAKE", "home", "e"].pick(&random) }
            if random.below(3) == 0 {
                filter.text = ["ROUND", "home", "park", "Rain", "mud", "x"].pick(&random)
            }
            if random.below(3) == 0 { filter.source = WalkFilter.Source.allCases.pick(&random) }
            if random.below(3) == 0 { filter.atLeastMillimetres = random.below(60_000) }
            if random.below(3) == 0 { filter.atMostMillimetres = random.below(60_000) }
            filter.hasHidden = random.below(2) == 0
            if random.below(3) == 0 { filter.last = 1 + Int(random.below(6)) }
            if random.below(3) == 0 { filter.longest = 1 + Int(random.below(6)) }
            expect(filter, in: all)
        }
    }

    /// Whether a text is in the name, the place, the note or a tag, as those are made up above.
    private func isSaid(_ text: String, of keeping: Keeping) -> Bool {
        switch text {
        case "ROUND": keeping.name == "Round the lake"
        case "home": keeping.name == "Home"
        case "park": keeping.place == "Park"
        case "mud": keeping.note == "Mud and rain"
        case "Rain": keeping.note == "Mud and rain" || keeping.tags.contains("rain")
        default: false
        }
    }

    private func expect(_ filter: WalkFilter, in all: [SessionReport]) {
        var wanted: [SessionReport] = []
        var hidden = 0
        for walk in all.reversed() {
            let tags = walk.keeping.tags.map { $0.lowercased() }
            let distance = walk.knownDistanceMillimetres
            let isWanted =
                walk.date >= filter.from ?? walk.date && walk.date <= filter.until ?? walk.date
                && filter.tags.allSatisfy { tags.contains($0.lowercased()) }
                && walk.keeping.sport.known == filter.sport ?? walk.keeping.sport.known
                && (filter.place == nil || walk.keeping.place == "Park" && filter.place == "ar")
                && (filter.name != "LAKE" || walk.keeping.name == "Round the lake")
                && (filter.name != "home" || walk.keeping.name == "Home")
                && (filter.name != "e" || !walk.keeping.name.isEmpty)
                && (filter.text.map { isSaid($0, of: walk.keeping) } ?? true)
                && (filter.source != .imported)
                && (filter.source == nil
                    || (filter.source == .walked) == (walk.provenance == .walked))
                && (filter.atLeastMillimetres == nil
                    || distance ?? 0 >= filter.atLeastMillimetres ?? 0)
                && (filter.atLeastMillimetres == nil || distance != nil)
                && (filter.atMostMillimetres == nil
                    || distance ?? .max <= filter.atMostMillimetres ?? 0)
            guard isWanted else { continue }
            if walk.keeping.isHidden, !filter.hasHidden {
                hidden += 1
            } else {
                wanted.append(walk)
            }
        }
        wanted = Array(wanted.prefix(filter.last ?? .max))
        if let longest = filter.longest {
            // One after the other is taken that no other of those left is longer than.
            var left = wanted
            wanted = (0..<min(longest, left.count)).map { _ in
                let most = left.map { $0.knownDistanceMillimetres ?? 0 }.max()
                let index = left.firstIndex { ($0.knownDistanceMillimetres ?? 0) == most }
                return left.remove(at: index ?? 0)
            }
        }
        let found = filter.find(in: all)
        #expect(found.walks.map(\.position) == wanted.map(\.position))
        #expect(found.hidden == hidden)
        let summed = wanted.filter { $0.provenance == .walked && !$0.keeping.isHidden }
        #expect(found.sums.walks == UInt64(summed.count))
        #expect(found.sums.activeMilliseconds == summed.reduce(0) { $0 + $1.activeMilliseconds })
        let steps = summed.compactMap(\.knownSteps)
        #expect(found.sums.steps == (steps.isEmpty ? nil : steps.reduce(0, +)))
        let distances = summed.compactMap(\.knownDistanceMillimetres)
        #expect(
            found.sums.distanceMillimetres == (distances.isEmpty ? nil : distances.reduce(0, +)))
        let weighted = summed.reduce(0) { $0 + $1.heartRate.weightedSum }
        let time = summed.reduce(0) { $0 + $1.heartRate.weightedMilliseconds }
        #expect(found.sums.mean == Hundredths(weighted, over: time))
    }
}

extension Array {
    fileprivate func pick(_ random: inout SeededGenerator) -> Element {
        self[Int(random.below(UInt64(count)))]
    }
}
