import DBus

/// A request that bluetoothd makes to a strap on behalf of a caller.
struct StrapRequest {
    /// Who waits for the answer.
    let caller: ReplyAddress
    /// How long the strap takes.
    let milliseconds: UInt64
    /// The code of the error that the strap will answer with; nil for none.
    let error: () -> UInt8?
    /// Makes the caller's answer of the strap's, which is nil or the code of an error.
    let answer: (UInt8?) -> MethodReply
}

extension Daemon {
    /// Lets a strap answer in its own time, if it does at all.
    func ask(_ device: Device, _ request: StrapRequest) -> MethodReply {
        let isLocked = device.strap.isEncrypted && !device.isPaired
        guard !isLocked else {
            device.requestsForPairing.append { [self] in
                send(ask(device, request), to: request.caller)
            }
            beginPairing(device)
            return .later
        }
        let isMute = device.strap.isMute
        let delay = isMute ? timing.answerLimit : request.milliseconds
        let timer = connection.after(milliseconds: delay) { [self] _ in
            device.calls.removeAll { $0.caller == request.caller }
            let code = isMute ? AttributeErrors.unlikely : request.error()
            send(request.answer(code), to: request.caller)
            if isMute { after(timing.giveUp, device) { [self] in loseLink(device) } }
        }
        device.calls.append((request.caller, timer))
        return .later
    }

    /// Ends the link of a strap that has not answered.
    func giveUp(_ device: Device) {
        after(timing.answerLimit + timing.giveUp, device) { [self] in loseLink(device) }
    }
}
