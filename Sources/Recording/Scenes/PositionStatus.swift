internal import EventStore
package import Events
package import JSON
internal import Projections
internal import Text
package import Words

/// The reception of positions as people see it: a function of the last fix, of now, and of what the
/// source tells without a fix.
package struct PositionStatus: Hashable, Sendable {
    /// How well the position is known.
    package enum Quality: String, Sendable {
        /// There is no fix of the last 10 s, or its error is too great for a route.
        case none
        /// There is one whose error is greater than 30 m, or that has no height.
        case weak
        /// There is one whose error is at most 30 m; where none is told, one with a height.
        ///
        /// A receiver that sees only three satellites gives no height (a 2D fix).
        case good
    }

    /// An older fix says nothing of now: 10 s, as for the heart rate; a phone sends seldom.
    static let oldestMilliseconds: UInt64 = 10_000
    static let oldestOfPhoneMilliseconds: UInt64 = 300_000
    /// The greatest error of a good fix: 30 m.
    ///
    /// Of receivers that tell only how much the satellites' places dilute precision (HDOP), gpsd
    /// 3.22 gives 19 m times that as the error: 1.1, a good sky, is 20.9 m, and 30 m are 1.6.
    private static let goodErrorMillimetres: UInt64 = 30_000

    /// How well the position is known.
    package let quality: Quality
    /// The satellites that the receiver uses; nil if it does not say.
    package let satellites: UInt64?
    /// The last fix, unless it is too old.
    package let fix: PositionFixed?
    /// Whether a phone tells it.
    package let isByPhone: Bool

    /// Why no position counts, where this process asks for some; nil if some do.
    package internal(set) var lack: PositionLack?

    /// The reception at a moment.
    ///
    /// - Parameters:
    ///   - last: The last fix, and when it arrived.
    ///   - satellites: The satellites that the source says it uses, with or without a fix.
    ///   - moment: Now.
    ///   - isByPhone: Whether a phone tells it.
    init(last: ArrivedFix?, satellites: UInt64? = nil, at moment: Moment, isByPhone: Bool) {
        let fix = last.flatMap { $0.isCurrent(at: moment.stamp, isByPhone) ? $0.fix : nil }
        (self.fix, self.isByPhone) = (fix, isByPhone)
        self.satellites = satellites ?? fix?.satellites
        quality = fix.map(Self.quality) ?? .none
    }

    private static func quality(of fix: PositionFixed) -> Quality {
        if fix.isInexact { return .none }
        return fix.accuracyMillimetres ?? 0 <= goodErrorMillimetres
            && fix.altitudeMillimetres != nil ? .good : .weak
    }
}

/// A fix, and when it arrived.
struct ArrivedFix: Hashable, Sendable {
    let fix: PositionFixed
    let stamp: Stamp

    /// Whether it says where somebody is now.
    func isCurrent(at now: Stamp, _ isByPhone: Bool) -> Bool {
        let oldest =
            isByPhone ? PositionStatus.oldestOfPhoneMilliseconds : PositionStatus.oldestMilliseconds
        // Several processes append: it may have come a moment after now was taken.
        return stamp.bootNumber == now.bootNumber
            && (now.bootMilliseconds <= stamp.bootMilliseconds
                || now.bootMilliseconds - stamp.bootMilliseconds <= oldest)
    }
}

extension PositionStatus: JSONObject {
    /// Writes the quality, the satellites, and the coordinates as they were recorded.
    package func writeFields(to json: inout JSONWriter) {
        json.field("quality", quality.rawValue)
        if let lack { json.field("lack", lack.rawValue) }
        if isByPhone { json.field("source", "phone") }
        json.field("satellites", satellites)
        json.field("latitudeE7", fix?.latitudeE7)
        json.field("longitudeE7", fix?.longitudeE7)
    }
}

extension PositionStatus {
    /// For a terminal.
    package var text: String {
        let reception =
            lack.map { inWords($0.rawValue) }
            ?? (quality == .none ? "no position" : quality.rawValue)
        if isByPhone { return lack == nil ? "\(reception), by the phone" : reception }
        return satellites.map { "\(reception), \(counted($0, "satellite"))" } ?? reception
    }
}

// MARK: - Where another process records

extension EventLog {
    /// The reception as the log has it; nil if no fix was ever recorded live.
    ///
    /// The folds keep no fix outside of a session, so the end of the log is read: what came in the
    /// last 10 s. Of a source that finds no satellites nothing is in the log.
    ///
    /// - Parameters:
    ///   - state: The state after the events that are looked at.
    ///   - moment: Now.
    /// - Returns: The reception.
    /// - Throws: `EventLogError`.
    func positionStatus(
        of state: LogState, at moment: Moment
    ) throws(EventLogError) -> PositionStatus? {
        guard state.own.recorder.fixes > 0, let head = state.head else { return nil }
        let isByPhone = state.own.recorder.positions.areOfPhone
        return PositionStatus(
            last: try lastFix(upTo: head, of: state.own.provenance, at: moment.stamp, isByPhone),
            at: moment, isByPhone: isByPhone)
    }

    /// The last live fix that says something of now.
    private func lastFix(
        upTo head: Position, of provenance: Provenance, at now: Stamp, _ isByPhone: Bool
    ) throws(EventLogError) -> ArrivedFix? {
        /// The most events that are read: thousands each second are not a walk.
        let limit: UInt64 = 65_536
        var count: UInt64 = 64
        while true {
            let start = head + 1 - min(count, head + 1)
            var last: ArrivedFix?
            var isFirstCurrent: Bool?
            try read(from: start) { event in
                let header = event.header
                guard header.position <= head else { return false }
                guard header.provenance == provenance else { return true }
                let fix = ArrivedFix(fix: event.fix ?? PositionFixed(), stamp: header.stamp)
                let isCurrent = fix.isCurrent(at: now, isByPhone)
                if isFirstCurrent == nil { isFirstCurrent = isCurrent }
                if isCurrent, event.fix != nil { last = fix }
                return true
            }
            guard last == nil, isFirstCurrent ?? true, start > 0, count < limit else { return last }
            count *= 8
        }
    }
}
