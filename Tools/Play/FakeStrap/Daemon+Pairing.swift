import DBus

/// Straps that want pairing, and programs that consent to it.
extension Daemon {
    // MARK: - Agents

    /// Answers a call to the object where agents register.
    func answerRegistry(_ call: MethodCall, from caller: ReplyAddress) -> MethodReply {
        guard call.member == "RegisterAgent" else { return .unknownMethod(call) }
        let capabilities = [
            "": true, "DisplayYesNo": true, "KeyboardDisplay": true, "DisplayOnly": false,
            "KeyboardOnly": false, "NoInputNoOutput": false,
        ]
        guard let path = call.arguments.first?.asObjectPath,
            let capability = call.arguments.last?.asString,
            let canConfirm = capabilities[capability]
        else { return .invalidArguments }
        guard !agents.contains(where: { $0.client == caller.sender }) else { return .alreadyExists }
        agents.append(Agent(client: caller.sender, path: path, canConfirm: canConfirm))
        return .done
    }

    // MARK: - Pairing

    /// Asks for consent, if that is not under way; without it the strap is given up in the end.
    func beginPairing(_ device: Device) {
        guard device.pairing == nil else { return }
        let limit = connection.after(milliseconds: timing.pairingLimit) { [self] _ in
            endPairing(device)
            loseLink(device)
            forget(device)
        }
        device.pairing = Device.Pairing(limit: limit)
        seekConsent(to: device)
    }

    /// Asks the agent, if there is one and it has not been asked just now.
    private func seekConsent(to device: Device) {
        guard let agent = agents.first, let pairing = device.pairing, pairing.question == nil
        else { return }
        device.pairing?.question = ask(agent.question(about: device.path)) { [self] isConsent in
            device.pairing?.question = nil
            if isConsent { finishPairing(device) }
        }
    }

    /// Asks an agent over the connection of the present life, for as long as a pairing may take.
    ///
    /// Gives the number of the question.
    private func ask(_ question: MethodCall, then: @escaping (Bool) -> Void) -> Int {
        lastQuestion += 1
        let number = lastQuestion
        questions[number] = then
        let limit = timing.pairingLimit
        work { [enqueue] (connection) throws(DBusError) in
            connection.send(question, timeoutMilliseconds: limit) { result, _ in
                let isConsent = if case .success = result { true } else { false }
                enqueue { $0.questions.removeValue(forKey: number)?(isConsent) }
            }
        }
        return number
    }

    private func finishPairing(_ device: Device) {
        after(timing.pair, device) { [self] in
            guard let pairing = device.pairing else { return }
            device.isPaired = true
            changed(device.object, "Paired", "Bonded")
            connection.cancel(pairing.limit)
            device.pairing = nil
            let requests = device.requestsForPairing
            device.requestsForPairing = []
            requests.forEach { $0() }
        }
    }

    /// Ends a pairing that did not come about; requests that waited for it are never answered.
    func endPairing(_ device: Device) {
        guard let pairing = device.pairing else { return }
        connection.cancel(pairing.limit)
        if let question = pairing.question { questions[question] = nil }
        device.pairing = nil
        device.requestsForPairing = []
        device.characteristics.forEach { $0.starting = [] }
    }
}
