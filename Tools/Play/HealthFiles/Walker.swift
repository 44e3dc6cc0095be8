import Events
import TestSupport

/// Makes up the days of a walker; the same seed gives the same days.
struct Walker {
    /// Who counts.
    enum Source: Int, CaseIterable {
        case phone
        case watch
        /// An application that writes again what the others counted.
        case copy

        /// Its name in an export.
        var name: String {
            switch self {
            case .phone: "Walker&#8217;s iPhone"
            case .watch: "Walker&#8217;s Apple&#160;Watch"
            case .copy: "Step Counter"
            }
        }
    }

    /// Steps of one source in whole minutes of UTC, the same in each.
    struct Stretch {
        let source: Source
        /// Minutes since 1970.
        let minutes: Range<Int64>
        let stepsPerMinute: Int64
    }

    /// A day of the walker, at an offset of 0.
    struct Day {
        let date: CivilDate
        let stretches: [Stretch]

        /// Each minute's greatest source, added up.
        var total: Int64 { greatest.values.reduce(0, +) }

        /// The greatest of the sources by minute.
        private var greatest: [Int64: Int64] {
            var greatest: [Int64: Int64] = [:]
            for stretch in stretches {
                for minute in stretch.minutes {
                    greatest[minute] = max(greatest[minute] ?? 0, stretch.stepsPerMinute)
                }
            }
            return greatest
        }
    }

    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The next day: walks between six and ten, now and then without the phone or the watch.
    mutating func day(_ date: CivilDate) -> Day {
        var stretches: [Stretch] = []
        var minute = date.daysSinceEpoch * 1_440 + 360
        let evening = date.daysSinceEpoch * 1_440 + 1_320
        while true {
            minute += Int64.random(in: 5...140, using: &generator)
            let end = minute + Int64.random(in: 3...40, using: &generator)
            guard end < evening else { break }
            let carried = Int.random(in: 0...9, using: &generator)
            let sources: [Source] =
                switch carried {
                case 0: [.watch]
                case 1: [.phone, .copy]
                default: [.phone, .copy, .watch]
                }
            stretches += walk(minute..<end, sources: sources.shuffled(using: &generator))
            minute = end
        }
        return Day(date: date, stretches: stretches)
    }

    /// A walk, of which all sources tell the same pieces, each a little less than the one before.
    private mutating func walk(_ minutes: Range<Int64>, sources: [Source]) -> [Stretch] {
        var stretches: [Stretch] = []
        var minute = minutes.lowerBound
        while minute < minutes.upperBound {
            let length = Int64.random(in: 1...10, using: &generator)
            let end = min(minute + length, minutes.upperBound)
            var steps = Int64.random(in: 40...125, using: &generator)
            for source in sources {
                stretches.append(
                    Stretch(source: source, minutes: minute..<end, stepsPerMinute: steps))
                steps -= Int64.random(in: 0...2, using: &generator)
            }
            minute = end
        }
        return stretches
    }
}
