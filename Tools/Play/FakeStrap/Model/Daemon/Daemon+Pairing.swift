import DBus

/// Straps that want pairing, and programs that consent to it.
extension Daemon {
    /// Answers a call to the object where agents register.
    mutating func register(_ call: MethodCall, from caller: Caller) -> MethodReply {
        guard call.member == "RegisterAgent" else { return .unknownMethod(call) }
        guard let path = call.arguments.first?.asObjectPath,
            call.arguments.last?.asString == "NoInputNoOutput"
        else { return .invalidArguments }
        guard !agents.contains(where: { $0.client == caller.client }) else { return .alreadyExists }
        agents.append(Agent(client: caller.client, path: path))
        return .done
    }

    /// Asks for consent, if that is not under way; without it the strap is given up in the end.
    mutating func beginPairing(_ device: Int) {
        guard !devices[device].isPairing else { return }
        devices[device].isPairing = true
        after(timing.pairingLimit, .pairingLimit(device))
        guard let agent = agents.first else { return }
        lastQuestion += 1
        devices[device].question = lastQuestion
        let question = agent.question(about: devices[device].path)
        add(.question(lastQuestion, question, limitMilliseconds: timing.pairingLimit))
    }

    /// Takes an agent's answer.
    package mutating func takeConsent(_ isConsent: Bool, to question: Int) {
        guard let device = devices.firstIndex(where: { $0.question == question }) else { return }
        devices[device].question = nil
        if isConsent { after(timing.pair, .link(device, .paired)) }
    }

    mutating func finishPairing(_ device: Int) {
        guard devices[device].isPairing else { return }
        devices[device].isPaired = true
        changed(object(of: device), "Paired", "Bonded")
        let requests = devices[device].requestsForPairing
        dropPairing(device)
        for request in requests { ask(request) }
    }

    /// Ends a pairing that did not come about; requests that waited for it are never answered.
    mutating func endPairing(_ device: Int) {
        guard devices[device].isPairing else { return }
        dropPairing(device)
        stopStarting(device)
    }

    private mutating func dropPairing(_ device: Int) {
        devices[device].isPairing = false
        devices[device].question = nil
        devices[device].requestsForPairing = []
        agenda.cancel { $0 == .pairingLimit(device) }
    }
}
