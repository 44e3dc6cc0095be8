internal import BluetoothCentral
internal import Clocks
internal import Events
internal import Projections
internal import Words

/// What is done while the strap is away and another one could be used.
extension RecordingLife {
    /// The strap that was named, unless one that the walker has chosen since is used instead.
    var named: UInt64? {
        guard case .central(let strap?) = plan.source, chosen?.isUsed != true else { return nil }
        return strap
    }

    /// Notes which strap the walker has chosen; a successor of one that was forgotten is no choice.
    ///
    /// - Parameter former: The primary strap before.
    mutating func noteChoice(after former: DeviceID?) {
        let devices = state.own.devices
        guard let primary = devices.primary(.heart), primary != former else { return }
        let isFormerPaired = devices.paired.contains {
            $0.id == former && $0.roles.contains(.heart)
        }
        guard former == nil || isFormerPaired else { return }
        chosen = (primary, false)
        substitutes.taken = nil
    }

    /// What was named gives way to what was chosen once it is away, as long as that is primary.
    mutating func updateChoice() {
        guard let strap = chosen?.strap else { return }
        let devices = state.own.devices
        guard devices.primary(.heart) == strap else { return chosen = nil }
        guard let named else { return }
        let isUp = devices.all.contains { $0.id.address == named && $0.link.isUp }
        if !isUp { chosen = (strap, true) }
    }

    /// Brings what is offered in line with what is known, and says what is new.
    mutating func updateSubstitute(at boot: UInt64) {
        guard case .central = plan.source else { return }
        useTaken()
        let own = state.own
        let moment = moment
        let wanted =
            named.map { BluetoothAddress($0) }
            ?? own.devices.primary(.heart).flatMap { BluetoothAddress($0) }
        let device = own.devices.all.first { $0.id.address == wanted?.value }
        let away = wanted.map { DeviceSighting(address: $0, name: device?.name) }
        let isLookedFor = wanted != nil || plan.picksStrap && isStarted
        let isAway =
            isStrapMissed && isLookedFor && device?.link.isUp != true
            && intake.search.picked?.outcome != .open
            && StrapStatus.Word(own.recorder.adapter.known) == nil
        substitutes.note(wanted, isAway: isAway, at: boot) { range in
            SubstituteStrap.choice(
                for: away, paired: own.devices.paired, primary: own.devices.primary(.heart),
                leaving: own.leftAlone(at: moment), among: range)
        }
        let offer = substitutes.offer
        if plan.takesSubstitute, let offer, offer.kind == .paired {
            guard substitutes.taken?.address != offer.address else { return }
            substitutes.taken = SubstituteWatch.Taken(address: offer.address, isPicked: false)
            say("\(offer.fact) It is used from now on.")
            useTaken()
        } else if let sentence = narrator.offer(offer?.sentence, of: offer?.address, at: boot) {
            say(sentence)
        }
    }

    /// Whether a strap that is away is missed: all the time to record by itself, if it may be
    /// replaced by itself.
    private var isStrapMissed: Bool {
        arePositionsWanted || phase == .settingUp && plan.takesSubstitute
    }

    /// Uses the strap that was offered, if it still is.
    mutating func useSubstitute(_ address: BluetoothAddress) {
        guard let offer = substitutes.offer, offer.address == address else {
            return say("That strap is no longer offered.")
        }
        let isPicked = offer.kind != .paired
        substitutes.taken = SubstituteWatch.Taken(address: address, isPicked: isPicked)
        guard isPicked else { return }
        let number = intake.search.picked?.number ?? 0
        intake.search.pick(Pick(address, number: number), at: now.bootMilliseconds)
        say("Pairing \(offer.title).")
    }

    /// Makes the strap that was taken the primary one, as soon as it is paired.
    private mutating func useTaken() {
        guard let taken = substitutes.taken else { return }
        let devices = state.own.devices
        let device = devices.paired.first {
            $0.id.address == taken.address.value && $0.roles.contains(.heart)
        }
        if let device {
            if devices.primary(.heart) == device.id {
                // What was named is away.
                chosen = (device.id, true)
                substitutes.taken = nil
            } else if !taken.isAsked {
                substitutes.taken?.isAsked = true
                append(.makePrimary(device.id, .heart))
            }
            return
        }
        // It was forgotten, or the walker has picked another one.
        guard taken.isPicked, let pick = intake.search.picked, pick.device == taken.address else {
            return substitutes.taken = nil
        }
        if case .failed(let reason, let name) = pick.outcome {
            substitutes.taken = nil
            say(Pick.sentence(reason, of: taken.address, name: name))
        }
    }
}
