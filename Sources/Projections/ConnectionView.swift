package import Events

/// The connection as people see it: a function of state and now.
///
/// Nothing of it is stored, and the held value is a display attribute: it is never a sample.
package struct ConnectionView: Hashable, Sendable {
    /// What is shown.
    package enum Status: String, Sendable {
        /// The link is up.
        case connected
        /// The link was lost within the grace; shown like connected.
        case held
        /// No link, and the grace is over; grey, with a dash.
        case disconnected
    }

    /// What is shown.
    package let status: Status
    /// The strap, or nil if there is none yet.
    package let device: DeviceID?
    /// The last heart rate while connected or held, or nil for a dash.
    package let heartRateBPM: UInt16?
    /// How old that value is.
    package let ageMilliseconds: UInt64?
    /// Whether the last value says that the strap touches no skin.
    package let isWithoutContact: Bool
    /// Whether the link is up and a value is wanted, but none came for longer than the silence
    /// rule allows.
    package let isSilent: Bool

    /// The view at a moment.
    ///
    /// - Parameters:
    ///   - state: A state; its live recorder is shown.
    ///   - moment: Now, or for a replay the moment that is shown.
    ///   - isRecorderAlive: Whether whoever held the links can still tell of them. The log does
    ///     not know when a recorder dies; without one no value is current.
    package init(_ state: LogState, at moment: Moment, isRecorderAlive: Bool = true) {
        self.init(state.own, at: moment, state.rules, isRecorderAlive: isRecorderAlive)
    }

    /// The view of one source at a moment.
    package init(
        _ source: SourceState, at moment: Moment, _ rules: Rules, isRecorderAlive: Bool = true
    ) {
        let now = source.clock.time(at: moment.stamp, moment.flags)
        let link = source.devices.strapLink
        device = source.devices.strap?.id
        let sessions = source.sessions
        let turned = sessions.slot.isEmpty ? 0 : sessions.slot.value.turnedAtFold
        let began = source.recorder.startedAt.flatMap(source.clock.time(inBootAt:))
        let hold = Hold(link, at: now, heardAfter: began, wantedSince: turned, rules)
        if !isRecorderAlive {
            status = .disconnected
        } else if link.isUp {
            status = .connected
        } else {
            status = hold.isInGrace ? .held : .disconnected
        }
        let isShown = status != .disconnected && hold.showsValue
        // A 0 in passing changes nothing.
        let pulseAt = link.lastBPM > 0 || link.lastWithoutContact ? nil : link.pulseAt
        let passesZero = pulseAt.map { now.minus($0) <= hold.silenceMilliseconds } ?? false
        let shownAt = passesZero ? pulseAt : link.lastValueAt
        ageMilliseconds = isShown ? shownAt.map { now.minus($0) } : nil
        let bpm = passesZero ? link.pulseBPM : link.lastBPM
        heartRateBPM = isShown && bpm > 0 ? bpm : nil
        isWithoutContact = isShown && link.isWithoutPulse && !passesZero
        isSilent =
            status == .connected && !hold.isInGrace && !sessions.isPaused && hold.isSilent
    }
}

/// What the times of a link mean for what is shown: a loss changes nothing within the grace, and a
/// link that comes back in it has as long again to send its first value; without a new value none
/// is shown for longer.
private struct Hold {
    /// The link was lost a moment ago, or came back in time, and no value came since.
    let isInGrace: Bool
    /// The last value is recent enough to be shown.
    let showsValue: Bool
    /// For how long a value of the link holds.
    let silenceMilliseconds: UInt64
    /// A value was wanted of the link for longer than that, and none came.
    let isSilent: Bool

    /// Values are wanted while the link is up, and not before the last pause was over.
    ///
    /// What was heard or lost before the recorder began is nothing of its links: a boot may have
    /// ended between, and the clocks need not tell how long ago.
    init(
        _ link: LinkHistory, at now: UInt64, heardAfter began: UInt64?,
        wantedSince turned: UInt64, _ rules: Rules
    ) {
        let isOwn = { (time: UInt64) in began.map { time > $0 } ?? true }
        let value = link.lastValueAt.flatMap { isOwn($0) ? $0 : nil }
        // A value proves that a loss is over; a link that came back alone does not show.
        let lostAt = link.lostAt.flatMap { lostAt in
            isOwn(lostAt) && (!link.isUp || value.map { $0 <= lostAt } ?? true) ? lostAt : nil
        }
        let until = lostAt.map { lostAt in
            let end = lostAt.plus(rules.graceMilliseconds)
            guard link.isUp, let upSince = link.upSince, upSince <= end else { return end }
            return upSince.plus(rules.graceMilliseconds)
        }
        isInGrace = until.map { now <= $0 } ?? false
        let heldSince = isInGrace ? lostAt ?? now : now
        let silence = value.map { heldSince.minus($0) }
        silenceMilliseconds = link.cadence.silenceMilliseconds(rules)
        // What another link sent says less of this one.
        let isOfLink = value ?? 0 >= link.upSince ?? 0
        let longest = max(rules.graceMilliseconds, isOfLink ? silenceMilliseconds : 0)
        showsValue = silence.map { $0 <= longest } ?? false
        let heard = max(value ?? 0, link.upSince ?? 0, turned)
        isSilent =
            now.minus(heard)
            > (isOfLink && value != nil ? silenceMilliseconds : rules.silenceMilliseconds)
    }
}
