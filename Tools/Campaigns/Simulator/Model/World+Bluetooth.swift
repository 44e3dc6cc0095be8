import BluetoothCentral
import Clocks
import Recording

/// Between bluetoothd and the recorder's central.
extension World {
    /// What comes with time: deadlines, and a bus that is back.
    func passBluetooth(_ time: UInt64, for process: RecorderProcess) {
        if let back = process.busBackAt, back <= time {
            process.busBackAt = nil
            join(process)
        }
        guard process.desire != nil, process.busBackAt == nil,
            let deadline = process.central.nextDeadlineMilliseconds,
            computer.time(ofBootMilliseconds: deadline) <= time
        else { return }
        feed(.timePassed, to: process)
    }

    /// Hands on what bluetoothd says and what the recorder wants.
    ///
    /// - Returns: Whether there was anything.
    func moveBluetooth() -> Bool {
        let effects = bluetooth.takeEffects()
        guard let process, process.sensor.inbox != nil else { return !effects.isEmpty }
        if process.desire == nil { join(process) }
        var hasMoved = !effects.isEmpty
        for effect in effects where process.busBackAt == nil {
            switch effect {
            case .input(let input): feed(input, to: process)
            case .value(let strap, let bytes): notify(strap, bytes, process)
            }
        }
        let wish = process.sensor.wish.central
        if process.busBackAt == nil, wish != process.desire {
            process.desire = wish
            feed(.desireChanged(wish), to: process)
            hasMoved = true
        }
        if process.sensor.isLeaving, process.central.isAtRest || process.busBackAt != nil {
            process.sensor.leave()
            hasMoved = true
        }
        return hasMoved
    }

    /// The recorder comes to the bus.
    private func join(_ process: RecorderProcess) {
        process.desire = CentralDesire()
        if bluetooth.isUp { feed(.serviceAppeared, to: process) }
    }

    /// The recorder loses the bus; the central comes back after a pause, as it does on a real one.
    func loseBus(_ process: RecorderProcess) {
        guard process.desire != nil, process.busBackAt == nil else { return }
        bluetooth.clientGone()
        feed(.busVanished, to: process)
        process.busFailures += 1
        let pause = CentralState.backOffMilliseconds(failures: process.busFailures)
        process.busBackAt = timeline.now + pause
        let failure = CallFailure(
            name: "org.freedesktop.DBus.Error.Disconnected", message: "the bus is gone")
        hand(.busUnavailable(failure, nextAttemptMilliseconds: pause), to: process)
    }

    // MARK: - Inputs

    private func feed(_ input: CentralInput, to process: RecorderProcess) {
        let now = computer.arrival().bootMilliseconds
        tell("    \(Trace.words(input))")
        switch input {
        case .answered(let id, _): process.openCalls.remove(id)
        case .serviceAppeared, .serviceVanished, .busVanished:
            process.openCalls = []
            process.reads = []
        default: break
        }
        for action in process.central.handle(input, atMilliseconds: now) {
            switch action {
            case .report(let report): hand(report, to: process)
            case .call(let id, let call):
                tell("    -> \(Trace.words(call))")
                process.openCalls.insert(id)
                if case .readValue(let path) = call { process.reads.append((id, path, false)) }
                bluetooth.obey(id, call)
            }
        }
        if case .answered(let id, _) = input { process.reads.removeAll { $0.id == id } }
    }

    /// A strap notifies; if that is wanted, it is reported once.
    private func notify(_ strap: Int, _ bytes: [UInt8], _ process: RecorderProcess) {
        let strap = bluetooth.straps[strap]
        let isWanted = process.desire?.devices.contains {
            $0.address == strap.address && $0.measurements.contains(strap.measurement)
        }
        let before = owedCount
        feed(.valueSignalled(path: strap.path, bytes), to: process)
        let count = owedCount - before
        guard count <= 1, count == 1 || isWanted != true else {
            return witness.complain(
                .reported, "\(bytes) of \(strap.name) was reported \(count) times")
        }
    }

    /// The echo of a read and its answer are reported once.
    private func countRead(
        _ address: BluetoothAddress, _ uuid: BluetoothUUID, _ process: RecorderProcess
    ) {
        let strap = bluetooth.straps.firstIndex { $0.address == address } ?? 0
        guard uuid != bluetooth.straps[strap].measurement,
            let path = bluetooth.path(of: uuid, strap: strap)
        else { return }
        guard let index = process.reads.firstIndex(where: { $0.path == path && !$0.isReported })
        else {
            return witness.complain(.reported, "\(uuid) of \(address) was reported, and not read")
        }
        process.reads[index].isReported = true
    }

    private func hand(_ report: CentralReport, to process: RecorderProcess) {
        guard let inbox = process.sensor.inbox else { return }
        let arrival = computer.arrival()
        tell("    <- \(Trace.words(report))")
        inbox.put(report, at: arrival)
        switch report {
        case .valueNotified(let address, let uuid, let bytes),
            .valueRead(let address, let uuid, let bytes),
            .valueCut(let address, let uuid, _, let bytes):
            countRead(address, uuid, process)
            owedCount += 1
            witness.owe(address.value, bytes)
        default: break
        }
    }
}
