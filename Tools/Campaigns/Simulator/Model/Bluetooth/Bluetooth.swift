import BlueZ
import BluetoothCentral
import DBus
import DaemonModel

/// FakeStrap's bluetoothd as the central sees it: calls go to it as method calls, and what it says
/// is read as the recorder reads it from the bus.
///
/// It behaves as BlueZ 5.66 was measured to, and has moods (``Mood``) in which it does not.
struct Bluetooth {
    /// What it does.
    enum Effect {
        /// It signals, or answers, the process on its bus.
        case input(CentralInput)
        /// A measurement of a strap, which the process subscribed to.
        case value(strap: Int, [UInt8])
    }

    private enum Event: Hashable {
        case timedOut(CallID)
        case value(Int)
        case copied(Int, [UInt8])
        case powered(Bool)
    }

    /// The process on the bus.
    private static let client = ":1.1"

    private(set) var daemon: Daemon
    var straps: [SimulatedStrap]
    var moods: Set<Mood> = []
    /// The present moment, in milliseconds of the timeline.
    private var now: UInt64 = 0
    private var agenda = Agenda<Event>()
    /// The calls without an answer.
    private var open: [CallID: CentralCall] = [:]
    /// What has come of everything since it was asked last.
    private var effects: [Effect] = []

    init(_ straps: [SimulatedStrap]) {
        daemon = Daemon(Scenario(straps: straps.map(\.strap)), timing: .realistic)
        self.straps = straps
        for index in straps.indices {
            self.straps[index].devicePath = daemon.path(of: index)
            self.straps[index].path = path(of: straps[index].measurement, strap: index) ?? ""
        }
    }

    var isUp: Bool { daemon.isRunning }

    /// Whether its adapter is there and switched on.
    var isPowered: Bool { daemon.isPowered }

    /// The path of a characteristic of a strap.
    func path(of uuid: BluetoothUUID, strap: Int) -> String? { daemon.path(of: uuid, strap: strap) }

    // MARK: - Time

    /// When something comes by itself; nil for never.
    var nextDue: UInt64? { [agenda.nextDue, daemon.nextDue].compactMap { $0 }.min() }

    /// Lets time pass, and everything happen that is due.
    mutating func pass(to time: UInt64) {
        now = time
        let isIdle = daemon.nextDue.map { $0 > time } ?? true
        daemon.pass(to: time)
        if !isIdle { change { _ in } }
        while let event = agenda.takeDue(at: time) {
            switch event {
            case .timedOut(let id): answer(id, .failure(.failed("NoReply", .timedOut)))
            case .value(let strap):
                let value = straps[strap].nextValue()
                notify(strap, value)
                if straps[strap].isCopied {
                    let delay = 10 + straps[strap].valueCount * 37 % 91
                    agenda.add(.copied(strap, value), at: now + delay)
                }
                agenda.add(.value(strap), at: now + 1_000)
            case .copied(let strap, let value): notify(strap, value)
            case .powered(let isOn): power(isOn)
            }
        }
    }

    /// Hands over what has come of everything until now.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    // MARK: - Calls

    /// Takes a call of the central.
    mutating func obey(_ id: CallID, _ call: CentralCall) {
        open[id] = call
        guard isUp else { return answer(id, .failure(.failed("ServiceUnknown"))) }
        guard call != .startService else { return answer(id, .success([])) }
        agenda.add(.timedOut(id), at: now + call.timeoutMilliseconds)
        var messages = call.messages(to: Daemon.busName)
        let last = messages.removeLast()
        for message in messages {
            change { $0.take(message, from: Daemon.Caller(Self.client, .max)) }
        }
        meet(last)
        change { $0.take(last, from: Daemon.Caller(Self.client, id.number)) }
    }

    /// Lets a call meet with what a strap, or the first mood that waits for it, does then.
    private mutating func meet(_ call: MethodCall) {
        let strap = straps.firstIndex { call.path.hasPrefix($0.devicePath) } ?? 0
        if ["Connect", "StartNotify"].contains(call.member) {
            var faults = Strap.Faults()
            // A value comes before the answer.
            if call.path == straps[strap].path { faults.earlyValues = [straps[strap].nextValue()] }
            if call.member == "Connect", straps[strap].takeWeakAttempt() {
                if straps[strap].weakAttempts.isMultiple(of: 2) {
                    faults.linkMilliseconds = 240
                } else {
                    let refusal = Scenario.Reply.failure("le-connection-abort-by-local")
                    return change { $0.act(.reply(refusal, to: call.member)) }
                }
            }
            change { $0.act(.setFaults(strap: strap, faults)) }
        }
        let mood = Mood.allCases.first { moods.contains($0) && $0.member == call.member }
        guard let mood else { return }
        moods.remove(mood)
        change { $0.act(mood.action(of: strap)) }
    }

    private mutating func answer(_ id: CallID, _ result: Result<[Value], DBusError>) {
        guard let call = open.removeValue(forKey: id) else { return }
        agenda.cancel { $0 == .timedOut(id) }
        let inputs = BluezReading.inputs(of: result, answering: call, id)
        effects += inputs.map { .input($0) }
    }

    // MARK: - What bluetoothd does

    private mutating func change(_ body: (inout Daemon) -> Void) {
        body(&daemon)
        for effect in daemon.takeEffects() { take(effect) }
        for strap in straps.indices {
            let isFed = daemon.holds(.subscribed(strap: strap, straps[strap].measurement))
            guard isFed != straps[strap].isFed else { continue }
            straps[strap].isFed = isFed
            // A strap sends a value each second for as long as somebody is subscribed.
            agenda.cancel { $0 == .value(strap) }
            if isFed { agenda.add(.value(strap), at: now + 20) }
        }
    }

    private mutating func take(_ effect: Daemon.Effect) {
        switch effect {
        case .signal(let signal):
            guard isUp else { return }
            for input in BluezReading.inputs(of: signal) {
                if case .valueSignalled(let path, let bytes) = input,
                    let strap = straps.firstIndex(where: { $0.path == path })
                {
                    effects.append(.value(strap: strap, bytes))
                } else {
                    effects.append(.input(input))
                }
            }
        case .answer(let caller, .values(let values)):
            answer(CallID(caller.number), .success(values))
        case .answer(let caller, .refusal(let name, let message)):
            let error = DBusError(code: .refused, name: name, message: message, call: "")
            answer(CallID(caller.number), .failure(error))
        case .answer(_, .later), .life, .question, .report, .spoof: break
        }
    }

    private mutating func notify(_ strap: Int, _ value: [UInt8]) {
        daemon.act(.notify(strap: strap, straps[strap].measurement, value))
        for effect in daemon.takeEffects() { take(effect) }
    }
}

// MARK: - The world acts on it

extension Bluetooth {
    /// It and its world become willing.
    mutating func heal() {
        moods = []
        start()
        plug(true)
        power(true)
        for strap in straps.indices {
            setRange(strap, isInRange: true)
            straps[strap].hasContact = true
            straps[strap].weakAttempts = 0
        }
    }

    mutating func start() {
        guard !isUp else { return }
        effects.append(.input(.serviceAppeared))
        change {
            $0.act(.daemon(isRunning: true))
            $0.announce()
        }
    }

    /// Nothing is signalled but the loss of the name; what was called fails.
    mutating func crash() {
        guard isUp else { return }
        effects.append(.input(.serviceVanished))
        end()
    }

    /// It ends and is there again at once: its name changes hands, and is never lost.
    mutating func restart() {
        if isUp { end() }
        start()
    }

    private mutating func end() {
        for id in open.keys.sorted(by: { $0.number < $1.number }) {
            answer(id, .failure(.failed("NoReply")))
        }
        change { $0.act(.daemon(isRunning: false)) }
    }

    /// The process on its bus is gone: its scan and its subscriptions end, its links do not.
    mutating func clientGone() {
        open = [:]
        agenda.cancel { if case .timedOut = $0 { true } else { false } }
        change { $0.clientLeft(Self.client) }
    }

    mutating func power(_ isOn: Bool) { change { $0.act(.power(isOn)) } }

    /// All links are lost, and what is called at once is still accepted; then the adapter is off.
    mutating func cyclePower(_ downMilliseconds: UInt64) {
        for strap in straps.indices { dropLink(strap) }
        agenda.add(.powered(false), at: now + 1)
        agenda.add(.powered(true), at: now + downMilliseconds)
    }

    mutating func plug(_ isIn: Bool) { change { $0.act(.plug(isIn)) } }

    mutating func setRange(_ strap: Int, isInRange: Bool) {
        guard daemon.straps[strap].isAdvertising != isInRange else { return }
        change { $0.act(isInRange ? .advertise(strap: strap, true) : .drop(strap: strap)) }
    }

    /// A link ends, and the strap stays in range.
    mutating func dropLink(_ strap: Int) {
        let isInRange = daemon.straps[strap].isAdvertising
        change {
            $0.act(.drop(strap: strap))
            $0.act(.advertise(strap: strap, isInRange))
        }
    }

    /// Somebody removes a device from it; whatever advertises is found again while it scans.
    mutating func forget(_ strap: Int) {
        if isUp { change { $0.act(.remove(strap: strap)) } }
    }

    /// The adapter drops its scan.
    mutating func stopScan() { change { $0.act(.stopScans) } }

    /// Values come as fast as the bus takes them.
    mutating func flood(_ strap: Int, _ count: Int) {
        guard straps[strap].isFed else { return }
        for _ in 0..<count { notify(strap, straps[strap].nextValue()) }
    }
}

extension DBusError {
    fileprivate static func failed(_ name: String, _ code: Code = .refused) -> DBusError {
        DBusError(
            code: code, name: "org.freedesktop.DBus.Error." + name, message: "", call: "")
    }
}
