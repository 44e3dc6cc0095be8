import DBus

/// Values through a socket instead of signals.
extension Daemon {
    /// `AcquireNotify`: one client gets all values, nobody gets signals.
    func acquireNotify(
        _ characteristic: Characteristic, of device: Device, for caller: ReplyAddress
    ) -> Answer {
        guard device.isConnected else { return .failed("Not connected") }
        guard characteristic.canNotify else { return .notSupported }
        guard !isAcquired(characteristic) else { return .notPermitted("Notify acquired") }
        guard characteristic.subscribers.isEmpty, characteristic.starting.isEmpty else {
            return .inProgress
        }
        characteristic.starting.append(caller.sender)
        let request = StrapRequest(
            caller: caller, milliseconds: timing.startNotify,
            error: { device.strap.errors.subscriptions[characteristic.uuid] }
        ) { [self] code in
            guard characteristic.starting.contains(caller.sender) else { return .inProgress }
            characteristic.starting.removeAll { $0 == caller.sender }
            if let code { return .attributeError(code) }
            // The socket is not there yet, so these are lost (bleak 1885).
            sendEarlyValues(of: device, characteristic)
            guard let (ours, theirs) = NotifySocket.pair() else { return .failed("No socket") }
            characteristic.acquisition = Characteristic.Acquisition(
                client: caller.sender, socket: ours, answered: theirs)
            connection.after(milliseconds: 0) { [self] _ in
                changed(characteristic.object, "NotifyAcquired")
                onChange()
            }
            return .values([.descriptor(theirs.number), .uint16(characteristic.mtu)])
        }
        return ask(device, request)
    }

    /// Whether a client has the values of a characteristic for itself, and still wants them.
    func isAcquired(_ characteristic: Characteristic) -> Bool {
        // Whoever asks comes after the answer, which holds a duplicate by now.
        characteristic.acquisition?.answered = nil
        if characteristic.acquisition?.socket.isHungUp == true { release(characteristic) }
        return characteristic.acquisition != nil
    }

    /// Ends the acquisition of a characteristic, if there is one: the socket hangs up.
    func release(_ characteristic: Characteristic) {
        guard characteristic.acquisition != nil else { return }
        characteristic.acquisition = nil
        changed(characteristic.object, "NotifyAcquired")
    }

    /// Sends a value through a socket; false if it was dropped.
    func send(_ value: [UInt8], through characteristic: Characteristic) -> Bool {
        guard let acquisition = characteristic.acquisition else { return false }
        switch acquisition.socket.send(value) {
        case .sent: return true
        case .full: return false
        case .hungUp:
            release(characteristic)
            return false
        }
    }
}
