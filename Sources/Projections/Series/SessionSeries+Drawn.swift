extension SessionSeries {
    /// As many samples, and as many points, are drawn at most: a walk of hours has no more,
    /// and of a longer one a screen has not more pixels.
    private static let drawnLimit = 12_000

    /// The samples of a drawing: all, or of each of many stretches the first, the last, the lowest
    /// and the highest, so that no peak is lost.
    package var drawnSamples: [Sample] {
        let samples = samples
        guard samples.count > Self.drawnLimit else { return samples }
        let size = samples.count / (Self.drawnLimit / 4) + 1
        return stride(from: 0, to: samples.count, by: size).flatMap { first in
            let stretch = first..<min(first + size, samples.count)
            let lowest = stretch.min { samples[$0].bpm < samples[$1].bpm } ?? first
            let highest = stretch.max { samples[$0].bpm < samples[$1].bpm } ?? first
            return stretch.filter { [first, lowest, highest, stretch.upperBound - 1].contains($0) }
                .map { samples[$0] }
        }
    }

    /// The track of a drawing, and the parts of its heat-map, whose points are counted in it.
    ///
    /// A long track has every so many of its points, and those at which the parts end. A point
    /// continues from no other if one that was left out before it did not.
    package var drawnTrack: (points: [Point], heatMap: [HeatMap.Segment]) {
        // The last of each part is drawn besides.
        let step = points.count / (Self.drawnLimit - 100) + 1
        var drawn = Array(points.prefix(1))
        var heatMap = HeatMap(self, zones: zones).segments
        for index in heatMap.indices {
            let (first, last) = (heatMap[index].firstPoint, heatMap[index].lastPoint)
            heatMap[index].firstPoint = drawn.count - 1
            for before in stride(from: first, to: last, by: step) {
                let own = points[before + 1...min(before + step, last)]
                drawn += own.suffix(1)
                drawn[drawn.count - 1].isStart = own.contains(where: \.isStart)
            }
            heatMap[index].lastPoint = drawn.count - 1
        }
        return (drawn, heatMap)
    }
}
