package import Events

/// Takes from a log's events what shows whose they are, one event after the other.
///
/// What the walker did and what the devices measured stays, so that the events give the same
/// totals. What goes, and what stands in its place: <doc:AnonymousEvents>.
package struct Anonymity: Sendable {
    /// What becomes of positions.
    package enum Track: Sendable {
        /// They are left out.
        case leftOut
        /// They are turned about the Earth's axis, so that all distances stay. So do the latitude
        /// and the shape, and anyone with a map can find the place.
        case turned
    }

    /// How many events were left out, by reason.
    package struct Omissions: Hashable, Sendable {
        /// Of a kind or version that this program does not know, or with a payload that cannot be
        /// decoded: nothing shows what they say.
        package internal(set) var unreadable: UInt64 = 0
        /// Positions.
        package internal(set) var positions: UInt64 = 0
        /// Records of closed days, whose hashes would no longer be those of the day.
        package internal(set) var days: UInt64 = 0

        /// Nothing was left out yet.
        package init() {}
    }

    /// What was left out so far.
    package private(set) var omissions = Omissions()

    private let track: Track
    private var fields: AnonymousFields
    /// By how much the wall clock of each source's last event was moved.
    private var shifts: [UInt32: Int64] = [:]

    /// Makes one that has seen no event yet.
    ///
    /// - Parameters:
    ///   - firstDay: The local date that becomes ``firstDate``, that of the earliest event; all
    ///     others keep their distance to it.
    ///   - track: What becomes of positions.
    package init(firstDay: CivilDate, track: Track) {
        self.track = track
        fields = AnonymousFields(
            days: Self.firstDate.daysSinceEpoch - firstDay.daysSinceEpoch)
    }

    /// What the first day becomes: 2024-01-02.
    ///
    /// A clock that shows an earlier year than 2024 counts as never set, in every zone.
    package static let firstDate = CivilDate(year: 2024, month: 1, day: 2) ?? .epoch

    /// Whether a stamp's wall clock tells a date, so that it is moved: it is trusted, or was set.
    package static func tellsDate(_ header: EventHeader) -> Bool {
        header.flags.contains(.wallTrusted)
            || header.stamp.wallMilliseconds >= leastWallMilliseconds
    }

    /// Takes from an event what shows whose it is.
    ///
    /// - Parameter event: The next event, in order of position.
    /// - Returns: What is left, at its own position; nil if the event is left out.
    package mutating func cleaned(_ event: borrowing EventView) -> RecordedEvent? {
        var header = event.header
        switch header.kind {
        case .positionFixed where track == .leftOut:
            omissions.positions += 1
            return nil
        case .dayClosed, .dayRecorded:
            omissions.days += 1
            return nil
        case .walkerDescribed, .preferencesChanged: return nil
        default: break
        }
        move(&header)
        guard header.version == 1, let payload = payload(of: event, header.kind) else {
            omissions.unreadable += 1
            return nil
        }
        header.flags.formIntersection([.wallTrusted, .simulated])
        return RecordedEvent(header: header, event: payload)
    }

    private static let leastWallMilliseconds: Int64 = 1_704_067_200_000

    /// Moves the wall clock, and notes by how much more than that of the event before.
    private mutating func move(_ header: inout EventHeader) {
        let shift = Self.tellsDate(header) ? fields.shiftMilliseconds : 0
        fields.stepMilliseconds = shift - (shifts[header.source] ?? shift)
        shifts[header.source] = shift
        header.stamp.wallMilliseconds = (header.stamp.wallMilliseconds + shift)
            .clamped(to: FieldRange.signed)
    }

    private mutating func payload(of event: borrowing EventView, _ kind: EventKind) -> Event? {
        event.withPayload { fields.source.begin($0) }
        do throws(FieldError) {
            let payload = try Event(kind: kind, fields: &fields)
            try fields.source.finish()
            return payload
        } catch {
            return nil
        }
    }
}

extension Comparable {
    /// The nearest value within a range.
    func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
