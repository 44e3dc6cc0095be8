public import Events

/// The connection as people see it: a function of state and now (PRODUCT B8).
///
/// Nothing of it is stored, and the held value is a display attribute: it is never a sample.
public struct ConnectionView: Hashable, Sendable {
    /// What is shown.
    public enum Status: String, Sendable {
        /// The link stands.
        case connected
        /// The link was lost within the grace; shown like connected.
        case held
        /// No link, and the grace is over; grey, with a dash.
        case disconnected
    }

    /// What is shown.
    public let status: Status
    /// The strap, or nil if there is none yet.
    public let device: DeviceID?
    /// The last heart rate while connected or held, or nil for a dash.
    public let heartRateBPM: UInt16?
    /// How old that value is.
    public let ageMilliseconds: UInt64?
    /// Whether the last value says that the strap touches no skin.
    public let isWithoutContact: Bool
    /// Whether the link stands but no value came for longer than the silence rule allows.
    public let isSilent: Bool

    /// The view at a moment.
    ///
    /// - Parameters:
    ///   - state: A state; its live recorder is shown.
    ///   - moment: Now, or for a replay the moment that is shown.
    public init(_ state: LogState, at moment: Moment) {
        self.init(state.live, at: moment, state.rules)
    }

    /// The view of one source at a moment.
    public init(_ source: SourceState, at moment: Moment, _ rules: Rules) {
        let now = source.clock.time(at: moment.stamp, moment.flags)
        let link = source.devices.strapLink
        device = source.devices.strap?.id
        if link.isUp {
            status = .connected
        } else if let lostAt = link.lostAt, now <= lostAt.plus(rules.graceMilliseconds) {
            status = .held
        } else {
            status = .disconnected
        }
        let age = link.lastValueAt.map { now.minus($0) }
        // In silence no value stays for longer than the grace; a loss changes nothing within it.
        let silence = link.lastValueAt.map { (link.isUp ? now : link.lostAt ?? now).minus($0) }
        let isShown = status != .disconnected && (silence ?? .max) <= rules.graceMilliseconds
        ageMilliseconds = isShown ? age : nil
        heartRateBPM = isShown && link.lastBPM > 0 ? link.lastBPM : nil
        isWithoutContact = isShown && link.isWithoutPulse
        isSilent = status == .connected && age ?? .max > rules.silenceMilliseconds
    }
}
