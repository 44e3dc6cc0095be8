internal import BlueZ
internal import Decoding
internal import Events
internal import Projections

/// Decides what the walker is told of a recording, and when: a value, without a clock.
///
/// It hears the central's reports and the log's events, and gives sentences. Three rules keep it
/// quiet. Nothing is said of a lost link within the grace (PRODUCT B8). What goes on is said again
/// only after ten minutes. And what is good is said once.
struct Narrator {
    /// After how long the same thing is told again.
    static let repeatMilliseconds: UInt64 = 600_000
    /// How long the greeting of a strap waits for its battery.
    static let greetingMilliseconds: UInt64 = 3_000
    /// How long a strap is looked for before that is said.
    static let unheardMilliseconds: UInt64 = 30_000
    /// How many links in a row break at once, without a value, before that is said.
    static let brokenLinkLimit = 3
    /// A link that held for so long did not break as soon as it was made.
    static let brokenLinkMilliseconds: UInt64 = 10_000
    /// The charges at which a battery is spoken of, in percent, and how much it must rise again.
    static let lowBatteryPercents: [UInt8] = [10, 20]
    static let batteryRisePercents: UInt8 = 5

    /// What a sentence is about; one of each is told in ten minutes.
    private enum Topic: Hashable {
        case adapter(BlueZ.AdapterState, BlueZ.AdapterCause)
        case bus
        case attempt(BluetoothAddress, FailureCause)
        case subscription(BluetoothAddress, FailureCause)
        case missing(BluetoothAddress)
        case silence(BluetoothAddress)
        case detail(BluetoothAddress, BluetoothUUID)
        case longValue(BluetoothAddress, BluetoothUUID)
        case finding(IntakeFinding)
        case overflow
        case unheard
        case breaking(BluetoothAddress)
        case day(Refusal)
    }

    /// The first values of a strap, to be told together.
    private struct Greeting {
        let since: UInt64
        var value: HeartRateMeasurement?
    }

    private let graceMilliseconds: UInt64
    private var told: [Topic: UInt64] = [:]
    /// What is to be said of a lost link once the grace is over.
    private var losses: [BluetoothAddress: (sentence: String, at: UInt64)] = [:]
    private var greetings: [DeviceID: Greeting] = [:]
    private var greeted: Set<DeviceID> = []
    private var announced: Set<BluetoothAddress> = []
    /// The lowest charge spoken of in the present fall.
    private var lowBatteries: [DeviceID: UInt8] = [:]
    private var batteries: [DeviceID: UInt8] = [:]
    private var isAdapterMissed = false
    /// When the links that stand were made.
    private var linkedSince: [BluetoothAddress: UInt64] = [:]
    /// Links in a row that broke as soon as they were made, without a value.
    private var brokenLinks: [UInt64: Int] = [:]
    /// Since when nothing is heard of a strap.
    private var unheardSince: UInt64?

    /// Makes a narrator that has said nothing yet.
    ///
    /// - Parameter graceMilliseconds: How long nothing is said of a lost link.
    init(graceMilliseconds: UInt64 = Rules().graceMilliseconds) {
        self.graceMilliseconds = graceMilliseconds
    }
}

// MARK: - The central

extension Narrator {
    /// Hears a report.
    ///
    /// - Parameters:
    ///   - report: What the central learnt.
    ///   - now: When, on the boot clock.
    ///   - name: Gives what a device is called, harmless in a terminal.
    /// - Returns: What is to be said now, or nil.
    mutating func hear(
        _ report: CentralReport, at now: UInt64, naming name: (BluetoothAddress) -> String
    ) -> String? {
        guard let sentence = report.sentence(naming: name) else { return hearGood(report, at: now) }
        switch report {
        case .linkLost(let address, _):
            countBroken(address, at: now)
            losses[address] = (isBreaking(address) ? Self.breaking(name(address)) : sentence, now)
            return nil
        case .connecting(let address, _):
            return announced.insert(address).inserted ? sentence : nil
        case .adapterStateChanged(let change):
            isAdapterMissed = true
            // The report of the bus comes as well, and says more.
            if change.cause == .busClosed { return nil }
            return tell(sentence, .adapter(change.state, change.cause), at: now)
        case .busUnavailable: return tell(sentence, .bus, at: now)
        case .connectFailed(let address, let failure, _):
            return tell(sentence, .attempt(address, FailureCause(failure)), of: address, at: now)
        case .subscribeFailed(let address, _, let failure, _):
            let topic = Topic.subscription(address, FailureCause(failure))
            return tell(sentence, topic, of: address, at: now)
        case .measurementMissing(let address, _):
            return tell(sentence, .missing(address), of: address, at: now)
        case .silent(let address, _, _):
            return tell(sentence, .silence(address), of: address, at: now)
        case .readFailed(let address, let uuid, _):
            return tell(sentence, .detail(address, uuid), of: address, at: now)
        case .valueCut(let address, let uuid, _, _):
            return tell(sentence, .longValue(address, uuid), at: now)
        case .intakeFinding(let finding, _): return tell(sentence, .finding(finding), at: now)
        case .deviceSeen, .linkUp, .subscribed, .valueNotified, .valueRead: return nil
        }
    }

    /// Hears what needs no sentence of its own.
    private mutating func hearGood(_ report: CentralReport, at now: UInt64) -> String? {
        switch report {
        case .linkUp(let address):
            losses[address] = nil
            linkedSince[address] = now
        case .adapterStateChanged(let change) where change.state == .poweredOn && isAdapterMissed:
            isAdapterMissed = false
            return "Bluetooth is back; connecting again."
        default: break
        }
        return nil
    }

    private mutating func tell(_ sentence: String, _ topic: Topic, at now: UInt64) -> String? {
        if let last = told[topic], now < last + Self.repeatMilliseconds { return nil }
        told[topic] = now
        return sentence
    }

    /// As above, unless a loss of the device's link is still kept quiet.
    private mutating func tell(
        _ sentence: String, _ topic: Topic, of address: BluetoothAddress, at now: UInt64
    ) -> String? {
        losses[address] == nil ? tell(sentence, topic, at: now) : nil
    }

    private mutating func countBroken(_ address: BluetoothAddress, at now: UInt64) {
        let since = linkedSince.removeValue(forKey: address)
        let isShort = since.map { now < $0 + Self.brokenLinkMilliseconds } ?? false
        brokenLinks[address.value] = isShort ? brokenLinks[address.value, default: 0] + 1 : nil
    }

    private func isBreaking(_ address: BluetoothAddress) -> Bool {
        brokenLinks[address.value, default: 0] >= Self.brokenLinkLimit
    }

    private static func breaking(_ name: String) -> String {
        "The links to \(name) break as soon as they are made; trying again. Come closer, and keep "
            + "other devices off it."
    }

    /// What has become due.
    ///
    /// - Parameters:
    ///   - now: The boot clock.
    ///   - isScanning: Whether a strap is looked for, and none was heard yet.
    /// - Returns: Of each loss whose grace is over, and of a strap that is not heard.
    mutating func sentencesDue(at now: UInt64, isScanning: Bool = false) -> [String] {
        unheardSince = isScanning ? unheardSince ?? now : nil
        var unheard: String?
        if let since = unheardSince, now >= since + Self.unheardMilliseconds {
            let sentence =
                "No strap was heard yet; still listening. Wear it and moisten it, or see "
                + "`pulselog doctor`."
            unheard = tell(sentence, .unheard, at: now)
        }
        let due = losses.filter { now > $0.value.at + graceMilliseconds }
            .sorted { $0.key < $1.key }
        let lost = due.compactMap { address, loss in
            losses[address] = nil
            return isBreaking(address)
                ? tell(loss.sentence, .breaking(address), at: now) : loss.sentence
        }
        return lost + (unheard.map { [$0] } ?? [])
    }
}

// MARK: - The day

extension Narrator {
    /// Hears why a new day cannot begin, as often as it is asked for.
    ///
    /// - Parameters:
    ///   - refusal: Why.
    ///   - now: The boot clock.
    /// - Returns: What is to be said now, or nil.
    mutating func hear(_ refusal: Refusal, at now: UInt64) -> String? {
        tell(refusal.description, .day(refusal), at: now)
    }
}

// MARK: - The log

extension Narrator {
    /// Hears an event that is durable.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - name: Gives what a device is called, harmless in a terminal.
    /// - Returns: What is to be said now, or nil.
    mutating func hear(_ event: RecordedEvent, naming name: (DeviceID) -> String) -> String? {
        let now = event.header.stamp.bootMilliseconds
        switch event.event {
        case .linkUp(let event):
            if !greeted.contains(event.device) {
                greetings[event.device] = Greeting(since: now)
            }
            return nil
        case .characteristicNotified(let event):
            brokenLinks[event.device.address] = nil
            hear(event.characteristic, event.value, of: event.device)
            return greet(event.device, at: now, name) ?? warn(of: event.device, at: now, name)
        case .pedometerRead(let event):
            brokenLinks[event.device.address] = nil
            return warn(of: event.device, at: now, name)
        case .characteristicRead(let event):
            hear(event.characteristic, event.value, of: event.device)
            return greet(event.device, at: now, name) ?? warn(of: event.device, at: now, name)
        case .deliveryMultiplied(let event): return event.sentence
        case .turnAroundReached(let event):
            return "Half of the goal is done (\(event.goal.text) in all): turn around now."
        case .goalReached(let event):
            return "The goal is reached: \(event.goal.text). The session goes on until you stop it."
        // What could not be taken from the bus was told as it came.
        case .intakeOverflowed(let event) where event.intake.known != .bus:
            let inputs = event.lostEvents == 1 ? "1 input" : "\(grouped(event.lostEvents)) inputs"
            let sentence =
                "More came than could be written: \(inputs) lost, all others recorded. "
                + "See whether the disk is slow, or what floods the bus."
            return tell(sentence, .overflow, at: now)
        default: return nil
        }
    }

    private mutating func hear(
        _ characteristic: CharacteristicCode, _ value: [UInt8], of device: DeviceID
    ) {
        do throws(MalformedMeasurement) {
            switch characteristic {
            case .batteryLevel: batteries[device] = try BatteryLevel(decoding: value.span).percent
            case .heartRateMeasurement where greetings[device] != nil:
                greetings[device]?.value = try HeartRateMeasurement(decoding: value.span)
            default: return
            }
        } catch {
            return  // The log has it, and counts it.
        }
    }

    /// Tells name, heart rate, contact and battery of a strap, once in a recording.
    private mutating func greet(
        _ device: DeviceID, at now: UInt64, _ name: (DeviceID) -> String
    ) -> String? {
        guard let greeting = greetings[device], let value = greeting.value else { return nil }
        let battery = batteries[device]
        guard battery != nil || now >= greeting.since + Self.greetingMilliseconds else {
            return nil
        }
        greetings[device] = nil
        greeted.insert(device)
        var parts = [value.heartRateBPM == 0 ? "no heart rate yet" : "\(value.heartRateBPM) BPM"]
        switch value.contact {
        case .detected: parts.append("contact")
        case .notDetected: parts.append("no contact: moisten it")
        case .unsupported: break
        }
        if let battery {
            parts.append("battery \(battery) %")
            lowBatteries[device] = Self.lowBatteryPercents.first { battery <= $0 }
        }
        let low = lowBatteries[device] == nil ? "" : " Its battery is low: keep a new one ready."
        return "\(name(device)) is connected: \(parts.joined(separator: ", "))." + low
    }

    /// Tells of a low battery, once at each limit while it falls, and not before a greeting could.
    private mutating func warn(
        of device: DeviceID, at now: UInt64, _ name: (DeviceID) -> String
    ) -> String? {
        let due = greetings[device].map { $0.since + Self.greetingMilliseconds } ?? 0
        guard now >= due, let percent = batteries[device] else { return nil }
        if let lowest = lowBatteries[device], percent >= lowest + Self.batteryRisePercents {
            lowBatteries[device] = Self.lowBatteryPercents.first { $0 > lowest && percent <= $0 }
        }
        guard let limit = Self.lowBatteryPercents.first(where: { percent <= $0 }),
            limit < lowBatteries[device] ?? .max
        else { return nil }
        lowBatteries[device] = limit
        return "The battery of \(name(device)) is at \(percent) %; recording goes on. Keep a new "
            + "one ready."
    }
}

extension DeliveryMultiplied {
    /// What the walker is told.
    fileprivate var sentence: String {
        guard factor > 1 else {
            return "The other program is gone: every value arrives once again."
        }
        let times = factor == 2 ? "twice" : "\(factor) times"
        return "Another program is subscribed too: every value arrives \(times), and is counted "
            + "once. Close that program."
    }
}
