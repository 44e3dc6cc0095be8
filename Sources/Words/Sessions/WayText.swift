internal import Projections

/// What a walk's length is by.
extension SessionReport {
    /// What gave the distance, and what else was measured.
    func lengths(_ units: Units) -> String {
        // What rounds to nothing explains nothing.
        let way = self.way
        let counted = way.countedMeasures.filter { way.counted[$0] >= 5_000 }
        func part(_ length: UInt64, _ measure: WayLength.Measure) -> String {
            "\(units.distance(length)) \(words(measure, units))"
        }
        let source =
            counted.count > 1
            ? ": " + counted.map { part(way.counted[$0], $0) }.joined(separator: ", ")
            : counted.map { " " + words($0, units) }.joined()
        return otherMeasures.reduce(source) { text, measure in
            let isDoubted = way.comparison.doubtedMeasures.contains(measure)
            return "\(text); \(part(way.measured[measure], measure))"
                + (isDoubted ? ", doubted" : "")
        }
    }

    private func words(_ measure: WayLength.Measure, _ units: Units) -> String {
        switch measure {
        case .pedometer: return "by the pedometer"
        case .speed: return "by the pedometer's speed"
        case .position: return WalkSensors.byPositions
        case .steps:
            if way.hasToldStride { return "by steps and the pedometer's stride" }
            let own = ownStride.map { "your stride of \(units.stride($0 / 1_000))" }
            return "by steps and \(own ?? "height")"
        }
    }
}
