extension CentralState {
    /// After `ServicesResolved` objects may be late.
    private static let lateServicesMilliseconds: UInt64 = 4_000
    /// Without services for so long that is reported.
    private static let unresolvedMilliseconds: UInt64 = 15_000
    /// Without services for so long, and without a value, the link is of no use.
    private static let resolveLimitMilliseconds: UInt64 = 60_000
    /// How long a subscription that could not be ended is left alone.
    private static let stopPauseMilliseconds: UInt64 = 1_000
    /// The longest value (Bluetooth Core, Vol 3, Part F, 3.2.9).
    private static let valueLimitBytes = 512

    // MARK: - Reconciling

    /// Subscribes and reads what is wanted of a link that is up.
    mutating func serve(
        _ address: BluetoothAddress, _ link: inout Link, _ path: String,
        _ device: BluezMirror.Device
    ) {
        guard let wanted = link.wanted else { return }
        guard device.isResolved else {
            link.resolvedSince = nil
            let limit = link.upSince + Self.resolveLimitMilliseconds
            guard !link.hasDelivered else { return }
            if !link.isUnresolvedTold,
                isDue(orWakeAt: link.upSince + Self.unresolvedMilliseconds)
            {
                link.isUnresolvedTold = true
                report(.servicesUnresolved(address))
            }
            guard isDue(orWakeAt: limit) else { return }
            restart(&link, path, reason: "its services were not found in a minute")
            return
        }
        let resolvedSince = link.resolvedSince ?? now
        link.resolvedSince = resolvedSince
        let hasRole = !device.services.isDisjoint(with: BluetoothUUID.roleServices)
        if link.offered != device.services,
            hasRole || isDue(orWakeAt: resolvedSince + Self.lateServicesMilliseconds)
        {
            link.offered = device.services
            report(.servicesFound(device.sighting))
        }
        var missing: [BluetoothUUID] = []
        for uuid in wanted.measurements.sorted() {
            if let (path, _) = mirror.characteristic(uuid, of: path) {
                subscribe(address, &link, uuid, path)
            } else if isDue(orWakeAt: resolvedSince + Self.lateServicesMilliseconds) {
                missing.append(uuid)
            }
        }
        for uuid in missing where link.missing.insert(uuid).inserted {
            report(.measurementMissing(address, uuid))
        }
        if let first = missing.first, missing.count == wanted.measurements.count {
            restart(&link, path, reason: "it did not offer \(first)")
            return
        }
        for uuid in wanted.details.sorted() {
            guard let (path, characteristic) = mirror.characteristic(uuid, of: path) else {
                continue
            }
            serveDetail(address, &link, uuid, path, characteristic)
        }
    }

    /// Ends the subscriptions that are not wanted, also while the link is down: bluetoothd would
    /// renew them with the next one.
    mutating func endUnwanted(_ address: BluetoothAddress, _ link: inout Link, _ path: String) {
        guard let wanted = link.wanted else { return }
        for uuid in link.channels.keys.sorted()
        where !wanted.wants(uuid) {
            guard let (path, _) = mirror.characteristic(uuid, of: path) else { continue }
            unsubscribe(address, &link, uuid, path)
        }
    }

    private mutating func subscribe(
        _ address: BluetoothAddress, _ link: inout Link, _ uuid: BluetoothUUID, _ path: String
    ) {
        var channel = link.channels[uuid] ?? Channel()
        if channel.call == nil {
            if channel.isOn {
                endSilence(address, uuid, &channel, path, link.wanted?.silenceMilliseconds ?? 0)
            } else if !channel.hasGivenUp && isDue(orWakeAt: channel.notBefore) {
                channel.isOpen = true
                channel.isKept = true
                channel.call = send(
                    .startNotify(characteristic: path), for: .channel(address, uuid))
            }
        }
        link.channels[uuid] = channel
    }

    /// Only a heart rate must come all the time; a pedometer is silent while its wearer stands.
    private mutating func endSilence(
        _ address: BluetoothAddress, _ uuid: BluetoothUUID, _ channel: inout Channel,
        _ path: String, _ silence: UInt64
    ) {
        guard uuid == .heartRateMeasurement else { return }
        let patience = channel.patienceMilliseconds(silence)
        guard isDue(orWakeAt: channel.quietSince + patience) else { return }
        report(.silent(address, uuid, forMilliseconds: now - channel.quietSince))
        channel.silentRounds += 1
        channel.call = send(.stopNotify(characteristic: path), for: .channel(address, uuid))
    }

    private mutating func unsubscribe(
        _ address: BluetoothAddress, _ link: inout Link, _ uuid: BluetoothUUID, _ path: String
    ) {
        guard let channel = link.channels[uuid], channel.isKept, channel.call == nil,
            isDue(orWakeAt: channel.notBefore)
        else { return }
        link.channels[uuid]?.call = send(
            .stopNotify(characteristic: path), for: .channel(address, uuid))
    }

    /// Reads once, one detail after the other and after the measurements; then subscribes.
    private mutating func serveDetail(
        _ address: BluetoothAddress, _ link: inout Link, _ uuid: BluetoothUUID, _ path: String,
        _ characteristic: BluezMirror.Characteristic
    ) {
        let channel = link.channels[uuid] ?? Channel()
        guard channel.call == nil else { return }
        if characteristic.isReadable && !channel.isRead {
            guard !link.channels.values.contains(where: { $0.call != nil }) else { return }
            link.channels[uuid] = channel
            link.channels[uuid]?.isReading = true
            link.channels[uuid]?.call = send(
                .readValue(characteristic: path), for: .channel(address, uuid))
        } else if characteristic.isNotifiable && !channel.isOn {
            subscribe(address, &link, uuid, path)
        }
    }

    /// Switches all notifications off before leaving, also those that bluetoothd would renew.
    ///
    /// Returns whether an answer is still to come.
    mutating func stopChannels(_ link: inout Link, _ path: String) -> Bool {
        guard let address = mirror.devices[path]?.address else { return false }
        var isWaiting = false
        for uuid in link.channels.keys.sorted() {
            guard let channel = link.channels[uuid], channel.isOn || channel.isKept && !link.isUp
            else { continue }
            if channel.call == nil, let (path, _) = mirror.characteristic(uuid, of: path) {
                unsubscribe(address, &link, uuid, path)
            }
            isWaiting = isWaiting || link.channels[uuid]?.call != nil
        }
        return isWaiting
    }

    // MARK: - Answers

    mutating func channelAnswered(
        _ address: BluetoothAddress, _ uuid: BluetoothUUID, _ call: CentralCall,
        _ answer: CallAnswer
    ) {
        guard var channel = links[address]?.channels[uuid] else { return }
        channel.call = nil
        switch call {
        case .readValue: readAnswered(address, uuid, &channel, answer)
        case .startNotify: startAnswered(address, uuid, &channel, call, answer)
        case .stopNotify: stopAnswered(&channel, answer, isUp: links[address]?.isUp ?? false)
        default: break
        }
        links[address]?.channels[uuid] = channel
    }

    private mutating func readAnswered(
        _ address: BluetoothAddress, _ uuid: BluetoothUUID, _ channel: inout Channel,
        _ answer: CallAnswer
    ) {
        channel.isReading = false
        channel.isRead = true
        switch answer {
        case .bytes(let bytes):
            reportValue(address, uuid, bytes, else: .valueRead(address, uuid, bytes))
        case .failed(let failure): report(.readFailed(address, uuid, failure))
        case .timedOut: report(.readFailed(address, uuid, .noAnswer))
        case .done, .objects: count(.unexpectedType)
        }
    }

    private mutating func startAnswered(
        _ address: BluetoothAddress, _ uuid: BluetoothUUID, _ channel: inout Channel,
        _ call: CentralCall, _ answer: CallAnswer
    ) {
        var failure: CallFailure?
        if case .failed(let reason) = answer, CallVerdict(reason, of: call) != .alreadyDone {
            failure = reason
        }
        if answer == .timedOut { failure = .noAnswer }
        guard let failure else {
            channel.isOn = true
            channel.failures = 0
            channel.quietSince = now
            report(.subscribed(address, uuid))
            return
        }
        channel.isKept = answer == .timedOut
        // A measurement is worth every attempt; a detail is not.
        channel.failures += 1
        channel.hasGivenUp = uuid.roleService == nil
        let pause = Self.backOffMilliseconds(failures: channel.failures)
        channel.notBefore = now + pause
        report(.subscribeFailed(address, uuid, failure, nextAttemptMilliseconds: pause))
    }

    private mutating func stopAnswered(_ channel: inout Channel, _ answer: CallAnswer, isUp: Bool) {
        channel.isOn = false
        // A refusal says that there was none, on a link; without one it may say anything.
        var isRefused = false
        if case .failed = answer { isRefused = true }
        channel.isKept = answer != .done && !(isRefused && isUp)
        channel.notBefore = channel.isKept ? now + Self.stopPauseMilliseconds : now
    }

    // MARK: - Values

    /// A value was signalled: a notification, or the echo of somebody's read.
    ///
    /// BlueZ keeps signalling what is no longer wanted until our `StopNotify` is answered, and
    /// as long as another program is subscribed: that is passed on, for it was heard.
    mutating func takeValue(_ bytes: [UInt8], path: String) {
        guard let (devicePath, device, uuid) = mirror.owner(ofCharacteristic: path) else { return }
        let address = device.address
        guard var link = links[address], var channel = link.channels[uuid], channel.isOpen,
            mirror.characteristic(uuid, of: devicePath)?.path == path
        else { return }
        // Our own read is signalled too, before its answer.
        if channel.isReading { return }
        // A value says that there is a link, whatever else is still to be settled.
        if !link.isUp && link.wanted != nil && device.isConnected && hasPower {
            bringUp(address, &link, device)
        }
        if uuid.roleService != nil {
            link.hasDelivered = true
            link.attempts = 0
            link.quickFailures = 0
        }
        channel.hasDelivered = true
        channel.quietSince = now
        channel.silentRounds = 0
        link.channels[uuid] = channel
        links[address] = link
        reportValue(address, uuid, bytes, else: .valueNotified(address, uuid, bytes))
    }

    /// No more of a value is passed on than a device can send.
    private mutating func reportValue(
        _ address: BluetoothAddress, _ uuid: BluetoothUUID, _ bytes: [UInt8],
        else whole: CentralReport
    ) {
        guard bytes.count > Self.valueLimitBytes else { return report(whole) }
        let cut = Array(bytes.prefix(Self.valueLimitBytes))
        report(.valueCut(address, uuid, fullByteCount: bytes.count, cut))
    }
}

extension Channel {
    /// How long a value of a strap may be awaited; a strap sends once a second.
    ///
    /// At first the device's own silence, 5 s of a strap, means that the subscription failed; then
    /// twice and four times that, to 30 s. Once
    /// values came, silence means a gap in the radio link, which heals better alone: the strap
    /// keeps what it could not send, and forgets it when it is unsubscribed.
    fileprivate func patienceMilliseconds(_ silence: UInt64) -> UInt64 {
        let silence = max(silence, 5_000)
        return hasDelivered
            ? max(30_000, silence) : min(silence << UInt64(min(silentRounds, 3)), 30_000)
    }
}

extension CallFailure {
    /// No answer came in time.
    static let noAnswer = CallFailure(
        name: "org.freedesktop.DBus.Error.NoReply", message: "no answer in time")
}
