import BluetoothCentral
import Events
import Interchange

extension Scenario {
    /// Makes a play of a capture.
    ///
    /// Its clock begins to run with the first subscription to the strap that sent first in the
    /// capture; what others are subscribed to before, as a watch that is being paired, does not
    /// count.
    ///
    /// Straps have the characteristics that the capture tells of, and no others.
    ///
    /// - Parameters:
    ///   - capture: A file of JSON Lines, as the log is exported.
    ///   - waitsForReturn: Whether the clock stands still, for a minute at most, when a strap is
    ///     back, until somebody is subscribed again; so that nothing is lost however slowly, or
    ///     fast, the play goes.
    /// - Throws: `JSONLinesError` for a line that is no event; ``ScenarioError`` if there is no
    ///   Bluetooth device in the capture.
    package init(capture: [UInt8], waitsForReturn: Bool = false) throws {
        var reader = JSONLinesReader()
        reader.push(capture)
        reader.finish()
        var plan = CapturePlan()
        while let line = try reader.next() {
            let event = Event(
                kind: line.header.kind, version: line.header.version, payload: line.payload.span)
            plan.take(event, line.header)
        }
        self = try plan.scenario(waitsForReturn: waitsForReturn)
    }
}

/// What a capture tells of straps and of what happened to them, event by event.
private struct CapturePlan {
    /// What a capture tells of one strap.
    struct Sketch {
        let device: DeviceID
        var name: String?
        var rssi: Int64?
        var characteristics: Set<BluetoothUUID> = []
        /// The values of the first reads.
        var values: [BluetoothUUID: [UInt8]] = [:]
        /// What was read since the link was lost last.
        var readInSpan: Set<BluetoothUUID> = []
        /// When the link was lost last; nil before the first time.
        var lostAt: UInt64?
    }

    struct Cue {
        let milliseconds: UInt64
        let action: Scenario.Action
        /// Whether the strap is back, so that the clock may wait for the subscription.
        var isReturn = false
    }

    private var sketches: [Sketch] = []
    private var cues: [Cue] = []
    /// The play is that of one source: of the first that tells of a strap.
    private var source: UInt32?
    private var clock = CaptureClock()
    /// When somebody subscribed first, and to which strap.
    private var subscription: (milliseconds: UInt64, strap: Int)?

    mutating func take(_ event: Event, _ header: EventHeader) {
        guard source == nil || source == header.source else { return }
        let now = clock.read(header.stamp)
        switch event {
        case .deviceSeen(let seen):
            meet(seen.device, seen.name, seen.roles, header) { $0.rssi = seen.rssi }
        case .devicePaired(let paired):
            meet(paired.device, paired.name, paired.roles, header) { _ in }
        case .linkUp(let link):
            guard let strap = index(of: link.device, header) else { return }
            let isReturn = sketches[strap].lostAt != nil
            add(Cue(milliseconds: now, action: .advertise(strap: strap, true), isReturn: isReturn))
        case .linkLost(let link):
            takeLoss(link, header, now)
        case .subscribed(let subscribed):
            guard let strap = index(of: subscribed.device, header) else { return }
            sketches[strap].characteristics.insert(BluetoothUUID(subscribed.characteristic))
            subscription = subscription ?? (now, strap)
        case .adapterStateChanged(let change):
            adapterActions(change).forEach { add(Cue(milliseconds: now, action: $0)) }
        case .characteristicRead(let read):
            takeRead(read, header, now)
        default:
            guard let sent = SentValue(event) else { return }
            guard let strap = index(of: sent.device, header) else { return }
            let uuid = BluetoothUUID(sent.characteristic)
            sketches[strap].characteristics.insert(uuid)
            subscription = subscription ?? (now, strap)
            add(Cue(milliseconds: now, action: .notify(strap: strap, uuid, sent.value)))
        }
    }

    func scenario(waitsForReturn: Bool) throws -> Scenario {
        guard !sketches.isEmpty else {
            throw ScenarioError("Nothing to play: the capture names no Bluetooth device.")
        }
        var straps = sketches.enumerated().map { Strap($1, index: $0) }
        let beginning = Scenario.Condition.subscribed(strap: subscription?.strap, nil)
        var steps = [Scenario.Step.wait(beginning, limitMilliseconds: nil)]
        let begin = subscription?.milliseconds ?? 0
        var time = begin
        for cue in cues {
            guard cue.milliseconds >= begin else {
                // Before the play there is nobody to see it; what stays of it is what was set.
                if case .setValue(let strap, let uuid, let value) = cue.action {
                    straps[strap].setValue(value, of: uuid)
                }
                continue
            }
            if cue.milliseconds > time {
                steps.append(.pause(milliseconds: cue.milliseconds - time))
                time = cue.milliseconds
            }
            steps.append(.act(cue.action))
            if waitsForReturn, cue.isReturn, case .advertise(let strap, _) = cue.action {
                let condition = Scenario.Condition.subscribed(strap: strap, nil)
                steps.append(.wait(condition, limitMilliseconds: 60_000))
            }
        }
        return Scenario(straps: straps, parts: [steps])
    }
}

// MARK: - Events

extension CapturePlan {
    private mutating func meet(
        _ device: DeviceID, _ name: String?, _ roles: Roles, _ header: EventHeader,
        _ note: (inout Sketch) -> Void
    ) {
        guard let strap = index(of: device, header) else { return }
        sketches[strap].name = name ?? sketches[strap].name
        sketches[strap].characteristics.formUnion(roles.characteristics)
        note(&sketches[strap])
    }

    /// Adds a cue after those of its time and before those of later ones.
    private mutating func add(_ cue: Cue) {
        let later = cues.lastIndex { $0.milliseconds <= cue.milliseconds }
        cues.insert(cue, at: later.map { $0 + 1 } ?? 0)
    }

    private mutating func takeLoss(_ link: LinkLost, _ header: EventHeader, _ now: UInt64) {
        guard let strap = index(of: link.device, header) else { return }
        switch link.cause.known {
        case .requested: return  // The recorder went; the strap was there all the time.
        case .adapterLost, .daemonLost:
            // What happened to the adapter breaks the link.
            add(Cue(milliseconds: now, action: .advertise(strap: strap, false)))
        case .unknown, .remote, .timeout, .authentication, .suspended, nil:
            add(Cue(milliseconds: now, action: .drop(strap: strap)))
        }
        sketches[strap].lostAt = now
        sketches[strap].readInSpan = []
    }

    /// A value that was read with a new link had changed before, so it can be read from the begin
    /// of the link on, however soon somebody asks.
    private mutating func takeRead(
        _ read: CharacteristicRead, _ header: EventHeader, _ now: UInt64
    ) {
        guard let strap = index(of: read.device, header) else { return }
        let uuid = BluetoothUUID(read.characteristic)
        sketches[strap].characteristics.insert(uuid)
        let isFirst = sketches[strap].readInSpan.insert(uuid).inserted
        if isFirst, sketches[strap].lostAt == nil {
            sketches[strap].values[uuid] = read.value
        } else {
            let from = isFirst ? sketches[strap].lostAt ?? now : now
            let action = Scenario.Action.setValue(strap: strap, uuid, read.value)
            add(Cue(milliseconds: from, action: action))
        }
    }

    private func adapterActions(_ change: AdapterStateChanged) -> [Scenario.Action] {
        switch (change.state.known, change.cause.known) {
        case (.poweredOn, _): [.daemon(isRunning: true), .plug(true), .power(true)]
        case (.poweredOff, _): [.daemon(isRunning: true), .plug(true), .power(false)]
        case (.resetting, .daemonGone), (.resetting, .busClosed): [.daemon(isRunning: false)]
        case (.resetting, _), (.unsupported, _): [.plug(false)]
        case (.unknown, _), (.unauthorized, _), (nil, _): []
        }
    }

    /// The strap's number, or nil for a device that is not reached by Bluetooth.
    private mutating func index(of device: DeviceID, _ header: EventHeader) -> Int? {
        guard device.space == .random || device.space == .public else { return nil }
        source = header.source
        if let index = sketches.firstIndex(where: { $0.device == device }) { return index }
        sketches.append(Sketch(device: device))
        return sketches.count - 1
    }
}

extension Strap {
    fileprivate init(_ sketch: CapturePlan.Sketch, index: Int) {
        // The address without the space that stands before it.
        let address = DeviceID(address: sketch.device.address, space: .random).description
        self.init(
            id: "strap\(index)", name: sketch.name, address: address,
            services: GattService.services(holding: sketch.characteristics))
        addressType = sketch.device.space == .public ? "public" : "random"
        rssi = sketch.rssi.flatMap { Int16(exactly: $0) }
        for (uuid, value) in sketch.values { setValue(value, of: uuid) }
    }
}
