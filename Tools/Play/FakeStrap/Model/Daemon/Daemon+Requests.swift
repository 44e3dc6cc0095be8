import DBus

/// A request that bluetoothd makes to a strap on behalf of a caller.
struct StrapRequest: Hashable, Sendable {
    enum Kind: Hashable {
        case read, subscribe
    }

    let kind: Kind
    /// Who waits for the answer.
    let caller: Daemon.Caller
    /// The device, and which of its characteristics, as numbers.
    let device: Int
    let characteristic: Int
    /// Whether the strap does not answer it.
    var isUnanswered = false
}

/// Subscriptions and reads.
extension Daemon {
    /// `StartNotify`: each client has a subscription of its own, which outlives the link.
    mutating func startNotify(_ place: CharacteristicPlace, for caller: Caller) -> MethodReply {
        let characteristic = devices[place.device].characteristics[place.index]
        let client = caller.client
        let isConnected = devices[place.device].isConnected
        guard characteristic.canNotify else { return .notSupported }
        if characteristic.subscribers.contains(client) { return isConnected ? .done : .inProgress }
        guard !characteristic.starting.contains(client) else { return .inProgress }
        guard isConnected else {
            // It takes effect with the next link.
            subscribe(client, to: place)
            return .done
        }
        devices[place.device].characteristics[place.index].starting.append(client)
        ask(
            StrapRequest(
                kind: .subscribe, caller: caller, device: place.device,
                characteristic: place.index))
        return .later
    }

    /// `ReadValue`.
    mutating func read(_ place: CharacteristicPlace, for caller: Caller) -> MethodReply {
        guard devices[place.device].isConnected else { return .failed("Not connected") }
        guard devices[place.device].characteristics[place.index].flags.contains("read") else {
            return .notPermitted("Read not permitted")
        }
        ask(
            StrapRequest(
                kind: .read, caller: caller, device: place.device, characteristic: place.index))
        return .later
    }

    /// Lets a strap answer in its own time, if it does at all.
    mutating func ask(_ request: StrapRequest) {
        let strap = straps[devices[request.device].strap]
        guard !strap.isEncrypted || devices[request.device].isPaired else {
            devices[request.device].requestsForPairing.append(request)
            return beginPairing(request.device)
        }
        var request = request
        request.isUnanswered = strap.isMute
        let usual = request.kind == .read ? timing.read : timing.startNotify
        after(strap.isMute ? timing.answerLimit : usual, .answer(request))
    }

    /// The strap answers, or has not for so long that the caller is told so.
    mutating func answer(_ request: StrapRequest) {
        let strap = straps[devices[request.device].strap]
        let place = (device: request.device, index: request.characteristic)
        let characteristic = devices[place.device].characteristics[place.index]
        let errors =
            request.kind == .read ? strap.errors.reads : strap.errors.subscriptions
        let code = request.isUnanswered ? AttributeErrors.unlikely : errors[characteristic.uuid]
        if request.isUnanswered { after(timing.giveUp, .link(request.device, .lost)) }
        switch request.kind {
        case .read:
            if let code { return answer(request.caller, .attributeError(code)) }
            // The value is also signalled.
            let value = strap.value(of: characteristic.uuid)
            signal(value, of: place)
            answer(request.caller, .values([.byteArray(value)]))
        case .subscribe:
            let client = request.caller.client
            // It may have left the bus meanwhile, or the pairing it waited for has ended.
            guard characteristic.starting.contains(client) else {
                return answer(request.caller, .inProgress)
            }
            devices[place.device].characteristics[place.index].starting.removeAll { $0 == client }
            if let code { return answer(request.caller, .attributeError(code)) }
            subscribe(client, to: place)
            // Some straps send values before they have answered the subscription (bleak 374).
            let number = devices[place.device].strap
            straps[number].faults.earlyValues = []
            for value in strap.faults.earlyValues { notify(number, characteristic.uuid, value) }
            answer(request.caller, .done)
        }
    }

    private mutating func subscribe(_ client: String, to place: CharacteristicPlace) {
        devices[place.device].characteristics[place.index].subscribers.append(client)
        let characteristic = devices[place.device].characteristics[place.index]
        if characteristic.subscribers.count == 1 { changed(characteristic.object, "Notifying") }
    }

    // MARK: - The end

    /// `StopNotify`.
    mutating func stopNotify(_ place: CharacteristicPlace, for client: String) -> MethodReply {
        unsubscribe(client, from: place) ? .done : .failed("No notify session started")
    }

    private mutating func unsubscribe(_ client: String, from place: CharacteristicPlace) -> Bool {
        var characteristic = devices[place.device].characteristics[place.index]
        guard let index = characteristic.subscribers.firstIndex(of: client) else { return false }
        characteristic.subscribers.remove(at: index)
        devices[place.device].characteristics[place.index] = characteristic
        if characteristic.subscribers.isEmpty { changed(characteristic.object, "Notifying") }
        return true
    }

    /// A client has left the bus: its scans and its subscriptions end, links stay.
    package mutating func clientLeft(_ client: String) {
        for adapter in adapters.indices {
            adapters[adapter].filters[client] = nil
            if adapters[adapter].scans.removeValue(forKey: client) != nil,
                adapters[adapter].scans.isEmpty
            {
                endScan(on: adapter)
            }
        }
        agents.removeAll { $0.client == client }
        for device in devices.indices {
            for index in devices[device].characteristics.indices {
                _ = unsubscribe(client, from: (device, index))
                devices[device].characteristics[index].starting.removeAll { $0 == client }
            }
        }
    }
}
