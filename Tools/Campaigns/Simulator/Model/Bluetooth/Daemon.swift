import BluetoothCentral

/// bluetoothd with an adapter and straps, as a value: it is called, told of the world, and woken.
///
/// It behaves as BlueZ 5.66 was measured to, and has moods (``Mood``) in which it does not.
struct Daemon {
    /// What it still has to do, or what will happen to it.
    enum Event: Hashable {
        case answer(CallID, CallAnswer)
        case listed(CallID)
        case connected(Int, CallID?)
        case connectFailed(Int, CallID, String)
        case disconnected(Int, CallID?)
        case resolved(Int, withServices: Bool)
        case services(Int)
        case weakened(Int, link: Int)
        case forgotten(Int)
        case found(Int)
        case value(Int, stream: Int)
        case copied(Int, [UInt8])
        case powered(Bool)
    }

    /// What it does.
    enum Effect {
        /// It signals, or answers, the process on its bus.
        case input(CentralInput)
        /// A measurement of a strap, which the process subscribed to.
        case value(strap: Int, [UInt8])
    }

    /// What may happen at the next occasion, once.
    enum Mood: String, CaseIterable {
        case connectFails, connectAborts, connectBusy, connectHangs, connectForNothing
        case neverResolves, servicesLate, servicesMissing
        case notifyFails, notifyHangs, notifySilent, readHangs
        case scanFails, listingFails, denied
    }

    static let adapterPath = "/org/bluez/hci0"

    var straps: [Strap]
    var isUp = true
    var isPlugged = true
    var isPowered = true
    var isScanning = false
    var moods: Set<Mood> = []
    /// The present moment, in milliseconds of the timeline.
    private(set) var now: UInt64 = 0
    /// What is still to come, in the order in which it is due.
    private var agenda: [(due: UInt64, event: Event)] = []
    /// What has come of everything since it was asked last.
    private var effects: [Effect] = []

    init(_ straps: [Strap]) {
        self.straps = straps
    }

    // MARK: - Time

    /// When something comes by itself; nil for never.
    var nextDue: UInt64? { agenda.first?.due }

    /// Lets time pass; what is due by then happens, one event for each call.
    mutating func pass(to time: UInt64) {
        now = time
        if let next = agenda.first, next.due <= time { happen(agenda.removeFirst().event) }
    }

    /// Hands over what has come of everything until now.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    // MARK: - What it says

    mutating func after(_ milliseconds: UInt64, _ event: Event) {
        let due = now + milliseconds
        let index = agenda.firstIndex { $0.due > due } ?? agenda.endIndex
        agenda.insert((due, event), at: index)
    }

    mutating func answer(_ id: CallID, _ answer: CallAnswer) {
        effects.append(.input(.answered(id, answer)))
    }

    /// Whoever waits for an answer is told at once that none will come.
    mutating func failAnswers() {
        var waiting = straps.compactMap(\.pendingConnect)
        for (_, event) in agenda {
            switch event {
            case .answer(let id, _), .listed(let id), .disconnected(_, let id?): waiting.append(id)
            // What waits for a link is in the straps.
            default: break
            }
        }
        dropAnswers()
        let failure = CallFailure(name: "org.freedesktop.DBus.Error.NoReply", message: "")
        for id in waiting { answer(id, .failed(failure)) }
    }

    /// Nobody waits for answers any more; what goes on goes on.
    mutating func dropAnswers() {
        agenda = agenda.compactMap { due, event in
            switch event {
            case .answer, .listed, .connectFailed: nil
            case .disconnected(let index, _): (due, .disconnected(index, nil))
            default: (due, event)
            }
        }
    }

    mutating func tell(_ input: CentralInput) {
        if isUp { effects.append(.input(input)) }
    }

    mutating func fail(_ id: CallID, _ name: String, _ message: String = "") {
        after(1, .answer(id, .failed(CallFailure(name: "org." + name, message: message))))
    }

    mutating func takeMood(_ mood: Mood) -> Bool {
        moods.remove(mood) != nil
    }

    mutating func change(_ index: Int, _ edit: (inout DeviceProperties) -> Void) {
        var properties = DeviceProperties()
        edit(&properties)
        tell(
            .objectChanged(LocatedObject(path: straps[index].path, object: .device(properties))))
    }

    mutating func changeAdapter(_ properties: AdapterProperties) {
        guard isPlugged else { return }
        tell(.objectChanged(LocatedObject(path: Self.adapterPath, object: .adapter(properties))))
    }

    /// All its objects.
    var tree: [LocatedObject] {
        guard isPlugged else { return [] }
        let properties = AdapterProperties(
            isPowered: isPowered, isDiscovering: isScanning, isCentral: true)
        var objects = [LocatedObject(path: Self.adapterPath, object: .adapter(properties))]
        for strap in straps where strap.isKnown {
            objects.append(LocatedObject(path: strap.path, object: .device(strap.properties)))
            if strap.hasServices { objects += strap.characteristics }
        }
        return objects
    }
}

// MARK: - Things happen

extension Daemon {
    mutating func happen(_ event: Event) {
        switch event {
        case .answer(let id, let result): answer(id, result)
        case .listed(let id): answer(id, .objects(tree))
        case .connected(let index, let id): connected(index, id)
        case .connectFailed(let index, let id, let message):
            guard straps[index].pendingConnect == id else { return }
            straps[index].pendingConnect = nil
            let failure = CallFailure(name: "org.bluez.Error.Failed", message: message)
            answer(id, .failed(failure))
        case .disconnected(let index, let id):
            dropLink(index)
            if let id { answer(id, .done) }
        case .resolved(let index, let withServices):
            guard straps[index].isConnected, isUp else { return }
            if withServices { addServices(index) }
            straps[index].isResolved = true
            change(index) { $0.isResolved = true }
        case .services(let index): if straps[index].isConnected { addServices(index) }
        case .weakened(let index, let link): if straps[index].linkNumber == link { dropLink(index) }
        case .forgotten(let index):
            let strap = straps[index]
            guard strap.isKnown, !strap.isConnected, !isScanning, strap.pendingConnect == nil,
                !strap.isHung
            else { return }
            remove(index)
        case .found(let index):
            find(index)
        case .value(let index, let stream): send(index, stream)
        case .copied(let index, let bytes):
            guard straps[index].isConnected, straps[index].isSubscribed else { return }
            effects.append(.value(strap: index, bytes))
        case .powered(let isOn): power(isOn)
        }
    }

    /// A strap is heard in the present scan.
    private mutating func find(_ index: Int) {
        let strap = straps[index]
        guard isScanning, strap.isInRange, isUp, isPlugged, !strap.isConnected else { return }
        if strap.isKnown { return change(index) { $0.signal = strap.properties.signal } }
        straps[index].isKnown = true
        let object = BluezProperties.device(straps[index].properties)
        tell(.objectAdded(LocatedObject(path: strap.path, object: object)))
    }

    /// What was heard in a scan counts no longer.
    mutating func endScan() {
        guard isScanning else { return }
        isScanning = false
        for index in straps.indices where straps[index].isKnown {
            change(index) { $0.signal = .lost }
            after(30_500, .forgotten(index))
        }
    }

    private mutating func connected(_ index: Int, _ id: CallID?) {
        guard isUp, isPowered, isPlugged, straps[index].isKnown else { return }
        if let id {
            guard straps[index].pendingConnect == id, straps[index].isInRange else { return }
        }
        straps[index].isConnected = true
        straps[index].linkNumber += 1
        change(index) { $0.isConnected = true }
        guard let id else { return }
        straps[index].pendingConnect = nil
        after(10, .answer(id, .done))
        if straps[index].takeWeakAttempt() {
            // Before its services are known, and before a subscription that is kept brings values.
            after(240, .weakened(index, link: straps[index].linkNumber))
        }
        if straps[index].isSubscribed { stream(index, after: 260) }
        if takeMood(.neverResolves) { return }
        if takeMood(.servicesLate) {
            after(700, .resolved(index, withServices: false))
            after(3_000, .services(index))
        } else {
            after(700, .resolved(index, withServices: !takeMood(.servicesMissing)))
        }
    }

    /// Begins to send values, one each second.
    mutating func stream(_ index: Int, after milliseconds: UInt64) {
        straps[index].streamNumber += 1
        after(milliseconds, .value(index, stream: straps[index].streamNumber))
    }

    private mutating func send(_ index: Int, _ stream: Int) {
        let strap = straps[index]
        guard strap.isConnected, strap.isSubscribed, stream == strap.streamNumber else { return }
        let value = straps[index].nextValue()
        effects.append(.value(strap: index, value))
        if strap.isCopied { after(10 + strap.valueCount * 37 % 91, .copied(index, value)) }
        after(1_000, .value(index, stream: stream))
    }

    /// Values come as fast as the bus takes them.
    mutating func flood(_ index: Int, _ count: Int) {
        guard straps[index].isConnected, straps[index].isSubscribed else { return }
        for _ in 0..<count { effects.append(.value(strap: index, straps[index].nextValue())) }
    }

    /// A link ends.
    mutating func dropLink(_ index: Int) {
        guard straps[index].isConnected else { return }
        straps[index].isConnected = false
        straps[index].isResolved = false
        change(index) {
            $0.isConnected = false
            $0.isResolved = false
        }
        after(30_500, .forgotten(index))
    }

    private mutating func addServices(_ index: Int) {
        guard !straps[index].hasServices else { return }
        straps[index].hasServices = true
        for object in straps[index].characteristics { tell(.objectAdded(object)) }
    }

    /// bluetoothd forgets a device.
    mutating func remove(_ index: Int) {
        let strap = straps[index]
        straps[index].forgetAll()
        if strap.hasServices {
            for object in strap.characteristics {
                tell(.objectRemoved(path: object.path, .characteristic))
            }
        }
        tell(.objectRemoved(path: strap.path, .device))
    }
}
