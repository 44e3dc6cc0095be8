internal import BluetoothCentral
internal import Clocks
internal import Events
internal import Projections
internal import Words

/// What is done while the strap is away and another one could be used.
extension RecordingLife {
    /// Brings what is offered in line with what is known, and says what is new.
    mutating func updateSubstitute(at boot: UInt64) {
        guard case .central(let named) = plan.source else { return }
        useTaken()
        let live = state.live
        let wanted =
            named.map { BluetoothAddress($0) }
            ?? live.devices.primary(.heart).flatMap { BluetoothAddress($0) }
        let device = live.devices.all.first { $0.id.address == wanted?.value }
        let away = wanted.map { DeviceSighting(address: $0, name: device?.name) }
        let isLookedFor = wanted != nil || plan.picksStrap && isStarted
        let isAway =
            arePositionsWanted && isLookedFor && device?.link.isUp != true
            && intake.search.picked?.outcome != .open
            && StrapStatus.Word(live.recorder.adapter.known) == nil
        substitutes.note(wanted, isAway: isAway, at: boot) { range in
            SubstituteStrap.choice(
                for: away, paired: live.devices.paired, primary: live.devices.primary(.heart),
                leaving: live.leftAlone, among: range)
        }
        let offer = substitutes.offer
        if plan.takesSubstitute, let offer, offer.kind == .paired {
            guard substitutes.taken?.address != offer.address else { return }
            substitutes.taken = (offer.address, false)
            say("\(offer.fact) It is used from now on.")
            useTaken()
        } else if let sentence = narrator.offer(offer?.sentence, of: offer?.address, at: boot) {
            say(sentence)
        }
    }

    /// Uses the strap that is offered.
    mutating func useSubstitute() {
        guard let offer = substitutes.offer else { return say("No other strap is in range.") }
        substitutes.taken = (offer.address, false)
        guard offer.kind != .paired else { return }
        let number = intake.search.picked?.number ?? 0
        intake.search.pick(Pick(offer.address, number: number), at: now.bootMilliseconds)
        say("Pairing \(offer.title).")
    }

    /// Makes the strap that was taken the primary one, as soon as it is paired.
    private mutating func useTaken() {
        guard let (taken, isAsked) = substitutes.taken else { return }
        if let pick = intake.search.picked, pick.device == taken,
            case .failed(let reason, let name) = pick.outcome
        {
            substitutes.taken = nil
            return say(Pick.sentence(reason, of: taken, name: name))
        }
        let devices = state.live.devices
        guard let device = devices.paired.first(where: { $0.id.address == taken.value }) else {
            return
        }
        // What was named is away.
        plan.source = .central(strap: nil)
        if devices.primary(.heart) == device.id {
            substitutes.taken = nil
        } else if !isAsked {
            substitutes.taken = (taken, true)
            append(.makePrimary(device.id, .heart))
        }
    }
}
