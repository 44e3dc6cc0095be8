package import Events

/// Reads walks out of a GPX file: a walk a track, with the heart rate and cadence that Garmin's
/// TrackPointExtension and others tell of a point.
///
/// Between two parts of a track is a pause: so this program, OpenTracks and others write it.
package struct GPXWalkReader: WalkReader, ~Copyable {
    private var track = GPXTrackReader()
    private var points: WalkPoints
    private var before: (track: Int, segment: Int) = (0, 0)
    private var ending: String?

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - end: As of ``WalkFacts/init(until:keptIn:)``.
    ///   - keeper: Where facts are kept; nil for memory.
    package init(until end: Int64, keptIn keeper: ByteKeeper? = nil) {
        points = WalkPoints(until: end, keptIn: keeper)
    }

    /// Reads the next bytes.
    package mutating func push(_ bytes: Span<UInt8>) {
        for point in track.points([UInt8](copying: bytes)) {
            if point.track != before.track {
                points.endWalk()
            } else if point.segment != before.segment {
                points.pause()
            }
            if point.track != before.track { points.take(point.note) }
            before = (point.track, point.segment)
            points.sport = point.note.sport
            points.isOfSteps = track.creator?.hasPrefix("OpenTracks") == true
            points.noteZone(point.offsetMinutes)
            points.add(
                WalkPoints.Point(
                    fix: point.fix, heartRateBPM: point.heartRateBPM,
                    cadence: point.note.sport?.isOnFoot ?? true ? point.cadence : nil),
                at: point.fix.fixedAtMilliseconds ?? 0)
        }
    }

    /// Says that no bytes follow.
    package mutating func finish() {
        points.endWalk()
        points.facts.isSimulated = track.creator == WalkFile.simulator
        if !track.isAtEnd { ending = "The GPX ends too early." }
        for reason in GPXTrackReader.Reason.allCases {
            if let count = track.leftOut[reason] {
                points.facts.leaveOut(reason.words, count: count)
            }
        }
    }

    /// What the file says.
    package var facts: WalkFacts { points.facts }

    /// Why nothing can be read any further.
    package var damage: String? { track.damage ?? ending }
}

extension GPXTrackReader.Reason {
    fileprivate var words: String {
        switch self {
        case .withoutTime: "points without a time"
        case .unreadableTime: "points whose time cannot be read"
        case .nowhere: "points that are nowhere on Earth"
        case .withoutFix: "points without a fix"
        }
    }
}
