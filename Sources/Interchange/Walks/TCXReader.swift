package import Events
internal import Text
internal import XML

/// Reads walks out of a file of Garmin's Training Center (TrainingCenterDatabase v2, and
/// ActivityExtension v2 for the cadence of runners and the steps of laps): a walk an activity.
///
/// Between two tracks of a lap is a pause. Laps follow each other without one, unless the later
/// begins more than a second after the time that the earlier took.
package struct TCXReader: WalkReader, ~Copyable {
    private var stream = XMLStream(limits: XMLStream.Limits(textBytes: 256))
    private var mending = XMLMending()
    private var activity: TCXActivity

    /// Why nothing can be read any further.
    package private(set) var damage: String?

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - end: As of ``WalkFacts/init(until:keptIn:)``.
    ///   - keeper: Where facts are kept; nil for memory.
    package init(until end: Int64, keptIn keeper: ByteKeeper? = nil) {
        activity = TCXActivity(until: end, keptIn: keeper)
    }

    /// Reads the next bytes.
    package mutating func push(_ bytes: Span<UInt8>) {
        guard damage == nil else { return }
        // A copy, for a closure cannot borrow what is being changed.
        var activity = activity
        self.activity = TCXActivity(until: 0, keptIn: nil)
        do throws(XMLError) {
            let mended = mending.take(bytes)
            stream.linesBefore = mending.linesBefore
            _ = try stream.push(mended.span) { element in
                activity.begin(element)
                return true
            } ending: { element in
                activity.end(element.text?.withoutSpace)
                return true
            }
        } catch {
            damage = error.description
        }
        self.activity = activity
    }

    /// Says that no bytes follow.
    package mutating func finish() {
        if damage == nil {
            do throws(XMLError) {
                try stream.finish { _ in true }
            } catch {
                damage = error.description
            }
        }
        activity.points.endWalk()
    }

    /// What the file says.
    package var facts: WalkFacts { activity.points.facts }
}

/// What is open of a file.
private struct TCXActivity {
    private struct Trackpoint {
        var time: String?
        var latitude: String?
        var longitude: String?
        var altitude: String?
        var content = WalkPoints.Point()
    }

    var points: WalkPoints
    private var names: [Substring] = []
    private var point: Trackpoint?
    private var hasTrack = false
    private var note = WalkNote()

    init(until end: Int64, keptIn keeper: ByteKeeper?) {
        points = WalkPoints(until: end, keptIn: keeper)
    }

    mutating func begin(_ element: borrowing XMLElement) {
        let name = element.qualifiedName.split(separator: ":").last ?? ""
        names.append(name)
        switch name {
        case "Activity":
            points.endWalk()
            note = WalkNote()
            points.sport = element.attribute("Sport").flatMap { Sport(named: $0) }
            hasTrack = false
        case "Course": points.facts.leaveOut("courses")
        case _ where !names.contains("Activity"): break
        case "Lap":
            let start = element.attribute("StartTime").flatMap { InstantText($0, otherwise: 0) }
            points.beginLap(at: start?.milliseconds)
            hasTrack = false
        case "Track":
            if hasTrack { points.pause() }
            hasTrack = true
        case "Trackpoint": point = Trackpoint()
        default: if point == nil { note.take(element) }
        }
    }

    mutating func end(_ text: String?) {
        let name = names.popLast()
        guard point != nil else {
            switch name {
            case "TotalTimeSeconds":
                let length = text.flatMap { $0.whole(upTo: 1 << 40, timesTenTo: 3) }
                points.lap?.active = length.map(Int64.init)
            case "DistanceMeters": points.lap?.distanceMillimetres = text?.distanceMillimetres()
            case "Steps" where names.last == "LX": points.lap?.steps = text?.whole(upTo: 1 << 20)
            case "TriggerMethod": points.lap?.cause = text.flatMap { LapCause(tcx: $0) }
            case "Lap": points.endLap()
            case "Activity": points.take(note)
            case "Notes" where text == WalkFile.simulator: points.facts.isSimulated = true
            default: break
            }
            return
        }
        switch name {
        case "Time": point?.time = text
        case "LatitudeDegrees": point?.latitude = text
        case "LongitudeDegrees": point?.longitude = text
        case "AltitudeMeters": point?.altitude = text
        case "DistanceMeters":
            point?.content.distanceMillimetres = text?.distanceMillimetres()
        case "Value" where names.last == "HeartRateBpm":
            point?.content.heartRateBPM = text?.heartRateBPM
        case "RunCadence": point?.content.cadence = text?.whole(upTo: 254)
        case "Trackpoint": finishPoint()
        default: break
        }
    }

    private mutating func finishPoint() {
        guard let point else { return }
        self.point = nil
        guard let time = point.time else { return points.facts.leaveOut("points without a time") }
        guard let instant = InstantText(time, otherwise: 0) else {
            return points.facts.leaveOut("points whose time cannot be read")
        }
        points.noteZone(instant.offsetMinutes)
        var content = point.content
        content.fix = points.fix(
            point.latitude, point.longitude, point.altitude, at: instant.milliseconds)
        points.add(content, at: instant.milliseconds)
    }
}
