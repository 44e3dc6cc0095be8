internal import Clocks
internal import Deciding
internal import Events
internal import Projections
internal import Words

/// What sources of positions have reported to a recording.
struct Reception: Hashable, Sendable {
    /// Whether one ever spoke.
    private(set) var hasSpoken = false
    /// The satellites that one says it uses.
    private(set) var satellites: UInt64?
    /// The last durable fix.
    private(set) var last: ArrivedFix?
    /// The phone whose fixes count, or would; nil while those of a receiver do.
    private(set) var phone: FixSource?
    /// What became of the receiver last, and when, on the boot clock.
    private var receiver: Receiver?
    private var receiverSince: UInt64 = 0
    /// When something came, and when a fix that counts did, on the boot clock; 0 for never.
    private var heardAt: UInt64 = 0
    private var countedAt: UInt64 = 0

    /// Without a fix that counts for so long that is said.
    private static let patienceMilliseconds: UInt64 = 12_000
    /// A phone's app may have been told to send seldom.
    private static let phoneMilliseconds = 60_000...PositionStatus.oldestOfPhoneMilliseconds

    /// A source speaks, or is gone; that satellites are no longer known is said of its silence.
    mutating func told(_ satellites: UInt64?, at boot: UInt64) {
        hasSpoken = true
        if satellites != nil || self.satellites == nil { heardAt = boot }
        self.satellites = satellites
    }

    /// Something becomes of the receiver.
    mutating func take(_ receiver: Receiver, at boot: UInt64) {
        guard receiver != self.receiver else { return }
        (self.receiver, receiverSince) = (receiver, boot)
    }

    /// A fix of the source that leads is durable.
    mutating func take(_ fix: PositionFixed, of source: FixSource?, at stamp: Stamp) {
        phone = source?.isPhone == true ? source : nil
        hasSpoken = true
        last = ArrivedFix(fix: fix, stamp: stamp)
        heardAt = stamp.bootMilliseconds
        if !fix.isInexact { countedAt = heardAt }
    }

    /// A phone sends something while no walk is recorded, or in a pause.
    mutating func hear(_ sent: PhoneFix, at stamp: Stamp) {
        let isReceived = receiver == .connected && lack(at: stamp.bootMilliseconds) == nil
        guard phone != nil || !isReceived, sent.told.leftOut == OpenCode(.none),
            sent.fix.isOfNow(at: stamp, within: PositionStatus.oldestOfPhoneMilliseconds)
        else { return }
        var source = phone ?? FixSource()
        source.told = sent.told
        source.hear(sent.fix, at: stamp)
        take(sent.fix, of: source, at: stamp)
    }

    /// Why no position counts at a time of the boot clock, and since when; nil if some do, if it
    /// is too early to tell, or if nobody is asked.
    func lack(at boot: UInt64) -> (kind: PositionLack, since: UInt64)? {
        if let phone {
            let patience = phone.patience(within: Self.phoneMilliseconds)
            func isRecent(_ time: UInt64) -> Bool { time > 0 && boot.minus(time) < patience }
            if isRecent(countedAt) { return nil }
            return isRecent(heardAt) ? (.inexact, countedAt) : (.phone, heardAt)
        }
        guard let receiver, receiver != .left else { return nil }
        guard receiver == .connected else {
            return (receiver == .gone ? .gone : .unplugged, receiverSince)
        }
        guard boot.minus(max(countedAt, receiverSince)) >= Self.patienceMilliseconds else {
            return nil
        }
        let isSilent = boot.minus(max(heardAt, receiverSince)) >= PositionStatus.oldestMilliseconds
        if isSilent { return (.silent, max(heardAt, receiverSince)) }
        let fixedAt = last?.stamp.bootMilliseconds ?? 0
        let isRecent = boot.minus(fixedAt) <= PositionStatus.oldestMilliseconds
        return (isRecent && fixedAt > countedAt ? .inexact : .noFix, countedAt)
    }
}

extension RecordingLife {
    /// Whether positions are wanted: a pause is not a part of a session's route, and a recorder
    /// that waits for days until a walk begins does not keep a receiver awake.
    var arePositionsWanted: Bool {
        switch phase {
        case .settingUp: plan.begins != .wheneverWorn
        case .starting, .recording: !state.own.sessions.isAtRest
        case .ending, .failed, .ended: false
        }
    }

    /// The reception of positions now; nil if no source of them ever spoke.
    var position: PositionStatus? {
        guard reception.hasSpoken else { return nil }
        var status = PositionStatus(
            last: reception.last, satellites: reception.satellites, at: moment,
            isByPhone: reception.phone != nil)
        status.lack = arePositionsWanted ? reception.lack(at: now.bootMilliseconds)?.kind : nil
        return status
    }

    /// Says why no position counts, and when they do again.
    mutating func updatePositions() {
        let boot = now.bootMilliseconds
        let lack = arePositionsWanted ? reception.lack(at: boot) : nil
        let offset = machine.zone(now.wallMilliseconds).offsetMinutes
        let wall = now.wallMilliseconds - Int64(boot.minus(lack?.since ?? boot))
        let since = lack?.since == 0 ? nil : LocalTime(wall, offsetMinutes: offset).clock
        let (units, error) = (state.units, reception.last?.fix.accuracyMillimetres ?? 0)
        let sentence = narrator.hear(
            lack?.kind, isByPhone: reception.phone != nil, isWanted: arePositionsWanted, at: boot
        ) {
            $0.sentence(
                since: since, app: reception.phone?.told.appName, error: units.climb(error),
                most: units.climb(Route.greatestErrorMillimetres), isWalking: session != nil)
        }
        // What asks it has told of that itself, and tries again.
        if let sentence, lack?.kind != .gone { say(sentence) }
    }
}
