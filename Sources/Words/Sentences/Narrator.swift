package import BluetoothCentral
internal import Decoding
internal import Events
package import Projections
internal import Text

/// Decides what the walker is told of a recording, and when: a value, without a clock.
///
/// It gets the central's reports and the log's events, and gives sentences. Four rules keep it
/// quiet. Nothing is said of a lost link within the grace. What goes on is said again
/// only after ten minutes. What is good is said once. And of one trouble the root is told, not what
/// follows from it: while Bluetooth is away nothing is said of links and attempts.
///
/// What it has said is over at some time; ``takeWithdrawn()`` gives the sentences that no longer
/// hold.
package struct Narrator: Sendable {
    /// After how long the same thing is repeated.
    static let repeatMilliseconds: UInt64 = 600_000
    /// How long the greeting of a strap waits for its battery.
    static let greetingMilliseconds: UInt64 = 3_000
    /// How long the trouble of an adapter must stay the same before it is said: a bluetoothd that
    /// ends switches its adapters off first, and then takes them away, within half a second.
    static let troubleMilliseconds: UInt64 = 1_000
    /// How long a strap is looked for before that is said.
    static let unheardMilliseconds: UInt64 = 30_000
    /// How many links in a row break at once, without a value, before that is said.
    static let brokenLinkLimit = 3
    /// So many values in a row that cannot be used, or some for so long, are said.
    static let faultLimit: (count: Int, milliseconds: UInt64) = (10, 12_000)
    /// A link that held for so long did not break as soon as it was made.
    static let brokenLinkMilliseconds: UInt64 = 10_000
    /// The charges at which a battery is spoken of, in percent, and how much it must rise again.
    package static let lowBatteryPercents: [UInt8] = [10, 20]
    /// What a recorder says that simulates what it records.
    package static let simulation = "Nobody walks this: it counts in no day and no proof."
    static let batteryRisePercents: UInt8 = 5

    /// What a sentence is about; one of each is reported in ten minutes.
    enum Topic: Hashable, Sendable {
        case bus
        case trouble
        case back
        case looking
        case connecting(BluetoothAddress)
        case loss(BluetoothAddress)
        case attempt(BluetoothAddress, FailureCause)
        case subscription(BluetoothAddress, FailureCause)
        case unresolved(BluetoothAddress)
        case unreadable(DeviceID)
        case positions(PositionLack)
        case missing(BluetoothAddress)
        case contactless(DeviceID)
        case silence(BluetoothAddress)
        case detail(BluetoothAddress, BluetoothUUID)
        case longValue(BluetoothAddress, BluetoothUUID)
        case finding(IntakeFinding)
        case overflow
        case fixFlood
        case unheard
        case substitute(BluetoothAddress)
        case breaking(BluetoothAddress)
        case day(Refusal)
    }

    /// Why there can be no links at all.
    private struct Trouble: Sendable {
        /// Nil if the report of the bus says it.
        var change: AdapterChange?
        var since: UInt64
        var isTold = false
    }

    /// The first values of a strap, to be reported together.
    struct Greeting: Sendable {
        let since: UInt64
        var value: HeartRateMeasurement?
    }

    private let graceMilliseconds: UInt64
    var told: [Topic: UInt64] = [:]
    /// What was reported and still holds.
    var standing: [Topic: String] = [:]
    /// What was reported and holds no longer.
    private var over: [String] = []
    /// What is to be said of a lost link once the grace is over.
    private var losses: [BluetoothAddress: (sentence: String, at: UInt64)] = [:]
    /// When the links were lost of which that was told.
    private var toldLosses: [BluetoothAddress: UInt64] = [:]
    private var trouble: Trouble?
    /// What is looked for, until Bluetooth works or a trouble is said.
    private var looking: String?
    /// Whether anything was said of the trouble.
    private var isTroubleTold = false
    /// When the links that are up were made.
    private var linkedSince: [BluetoothAddress: UInt64] = [:]
    /// Since when nothing is heard of a strap.
    private var unheardSince: UInt64?

    // MARK: - Of the log

    var greetings: [DeviceID: Greeting] = [:]
    var greeted: Set<DeviceID> = []
    /// The lowest charge spoken of in the present fall.
    var lowBatteries: [DeviceID: UInt8] = [:]
    var batteries: [DeviceID: UInt8] = [:]
    /// Values in a row that cannot be used, since when, and what the walker's clock showed then.
    var faults: [DeviceID: (count: Int, since: UInt64, clock: String)] = [:]
    /// Links in a row that broke as soon as they were made, without a value.
    var brokenLinks: [UInt64: Int] = [:]

    /// Makes a narrator that has said nothing yet.
    ///
    /// - Parameter graceMilliseconds: How long nothing is said of a lost link.
    package init(graceMilliseconds: UInt64 = Rules().graceMilliseconds) {
        self.graceMilliseconds = graceMilliseconds
    }

    /// Begins to look; what is looked for is said once Bluetooth works.
    ///
    /// - Parameter device: The device; nil for any strap.
    package mutating func begin(lookingFor device: DeviceTitle? = nil) {
        let isStrap = device?.isStrap ?? true
        looking =
            isStrap
            ? "Looking for the strap. Wear it, and moisten it."
            : "Looking for \(device?.description ?? "it"). Wear it, and keep other devices off it."
    }

    /// Why there can be no links at all, as reported; nil if nothing hinders them, or if it has
    /// not stayed the same long enough to be reported.
    package var bluetoothProblem: String? { standing[.trouble] ?? standing[.bus] }

    /// The sentences that hold no longer since the last call.
    package mutating func takeWithdrawn() -> [String] {
        defer { over = [] }
        return over
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
    package mutating func hear(
        _ report: CentralReport, at now: UInt64, naming name: (BluetoothAddress) -> DeviceTitle
    ) -> String? {
        switch report {
        case .adapterStateChanged(let change): return hear(change, at: now)
        case .linkUp(let device):
            linkUp(device.address, at: now)
            return toldLosses.removeValue(forKey: device.address).map { lostAt in
                let time = TimeText.duration(now - min(lostAt, now))
                return "\(name(device.address)) is connected again after \(time)."
            }
        case .subscribed(let address, _):
            for case .subscription(address, let cause) in standing.keys {
                end(.subscription(address, cause))
            }
        case .servicesFound(let device): end(.unresolved(device.address))
        default: break
        }
        guard let sentence = report.sentence(naming: name) else {
            if case .linkLost(let address, _) = report { linkedSince[address] = nil }
            return nil
        }
        switch report {
        case .linkLost(let address, _):
            countBroken(address, at: now)
            guard trouble == nil else { return nil }
            losses[address] = (isBreaking(address) ? Self.breaking(name(address)) : sentence, now)
            return nil
        case .connecting(let device, _):
            let topic = Topic.connecting(device.address)
            return told[topic] == nil ? tell(sentence, topic, at: now) : nil
        case .busUnavailable:
            if trouble == nil { trouble = Trouble(since: now) }
            noteTrouble()
            return tell(sentence, .bus, at: now)
        case .connectFailed(let address, let failure, _):
            // While the link counts as up, a failed attempt is of a loss still to be reported.
            guard linkedSince[address] == nil else { return nil }
            return tell(sentence, .attempt(address, FailureCause(failure)), of: address, at: now)
        case .subscribeFailed(let address, _, let failure, _):
            let topic = Topic.subscription(address, FailureCause(failure))
            return tell(sentence, topic, of: address, at: now)
        case .servicesUnresolved(let address):
            return tell(sentence, .unresolved(address), of: address, at: now)
        case .measurementMissing(let address, _):
            return tell(sentence, .missing(address), of: address, at: now)
        case .silent(let address, _, _):
            return tell(sentence, .silence(address), of: address, at: now)
        case .readFailed(let address, let uuid, _):
            return tell(sentence, .detail(address, uuid), of: address, at: now)
        case .valueCut(let address, let uuid, _, _):
            return tell(sentence, .longValue(address, uuid), at: now)
        case .intakeFinding(let finding, _): return tell(sentence, .finding(finding), at: now)
        case .adapterStateChanged, .deviceSeen, .linkUp, .linkDown, .servicesFound, .subscribed,
            .valueNotified, .valueRead:
            return nil
        }
    }

    private mutating func linkUp(_ address: BluetoothAddress, at now: UInt64) {
        losses[address] = nil
        linkedSince[address] = now
        looking = nil
        for topic in [.looking, .back, .unheard, .connecting(address), .loss(address)] as [Topic] {
            end(topic)
        }
        for case .attempt(address, let cause) in standing.keys { end(.attempt(address, cause)) }
    }

    /// A value came of a device: what was said of its silence is over.
    mutating func hearValue(of device: DeviceID) {
        brokenLinks[device.address] = nil
        let address = BluetoothAddress(device.address)
        for topic in [.silence(address), .missing(address), .breaking(address)] as [Topic] {
            end(topic)
        }
    }

    mutating func tell(_ sentence: String, _ topic: Topic, at now: UInt64) -> String? {
        if let last = told[topic], now < last + Self.repeatMilliseconds { return nil }
        told[topic] = now
        standing[topic] = sentence
        return sentence
    }

    /// As above, unless there is a trouble, or a loss of the device's link is still kept quiet.
    private mutating func tell(
        _ sentence: String, _ topic: Topic, of address: BluetoothAddress, at now: UInt64
    ) -> String? {
        losses[address] == nil && trouble == nil ? tell(sentence, topic, at: now) : nil
    }

    /// Tells of a strap that could be used instead of the one that is away; what was told of
    /// another one is over.
    ///
    /// - Parameters:
    ///   - sentence: What is said of it; nil for none.
    ///   - strap: Its address.
    ///   - now: The boot clock.
    /// - Returns: What is to be said now, or nil.
    package mutating func offer(
        _ sentence: String?, of strap: BluetoothAddress?, at now: UInt64
    ) -> String? {
        for case .substitute(let other) in standing.keys where other != strap {
            end(.substitute(other))
        }
        guard let sentence, let strap else { return nil }
        return tell(sentence, .substitute(strap), at: now)
    }

    mutating func end(_ topic: Topic) {
        if let sentence = standing.removeValue(forKey: topic) { over.append(sentence) }
    }

    private mutating func countBroken(_ address: BluetoothAddress, at now: UInt64) {
        let since = linkedSince.removeValue(forKey: address)
        let isShort = since.map { now < $0 + Self.brokenLinkMilliseconds } ?? false
        brokenLinks[address.value] = isShort ? brokenLinks[address.value, default: 0] + 1 : nil
    }

    private func isBreaking(_ address: BluetoothAddress) -> Bool {
        brokenLinks[address.value, default: 0] >= Self.brokenLinkLimit
    }

    private static func breaking(_ name: DeviceTitle) -> String {
        "The links to \(name) break as soon as they are made; trying again. Come closer, and keep "
            + "other devices off it."
    }
}

// MARK: - The adapter

extension Narrator {
    private mutating func hear(_ change: AdapterChange, at now: UInt64) -> String? {
        // Whatever else is known of the adapter came over the bus.
        if change.cause != .busClosed {
            end(.bus)
            told[.bus] = nil
        }
        guard change.sentence() != nil else {
            guard change.state == .poweredOn else { return nil }
            let sentence = endTrouble() ?? looking
            if looking != nil { standing[.looking] = sentence }
            looking = nil
            return sentence
        }
        // It explains the losses that were not reported yet.
        losses = [:]
        // The report of the bus comes as well, and says more; beyond it nothing is known now.
        if change.cause == .busClosed {
            end(.trouble)
            trouble = Trouble(since: now)
        } else if trouble?.change?.sentence() != change.sentence() {
            trouble = Trouble(change: change, since: now)
        }
        return nil
    }

    /// Something is said of a trouble: until it is over nothing is looked for.
    private mutating func noteTrouble() {
        isTroubleTold = true
        looking = nil
        end(.looking)
    }

    private mutating func endTrouble() -> String? {
        trouble = nil
        end(.trouble)
        guard isTroubleTold else { return nil }
        isTroubleTold = false
        let sentence = "Bluetooth is back; continuing."
        standing[.back] = sentence
        return sentence
    }

    /// What is to be said of a trouble that has stayed the same for a second.
    private mutating func troubleDue(at now: UInt64, block: RadioBlock?) -> String? {
        guard let present = trouble, let change = present.change, !present.isTold,
            now >= present.since + Self.troubleMilliseconds
        else { return nil }
        trouble?.isTold = true
        noteTrouble()
        end(.trouble)
        let sentence = change.sentence(blockedBy: change.state == .poweredOff ? block : nil)
        standing[.trouble] = sentence
        return sentence
    }

    /// What has become due.
    ///
    /// - Parameters:
    ///   - now: The boot clock.
    ///   - isScanning: Whether a strap is looked for, and none was heard yet.
    ///   - block: The switch that blocks all adapters, if there is one.
    /// - Returns: Of a trouble that lasts, of each loss whose grace is over, and of a strap that is
    ///   not heard.
    package mutating func sentencesDue(
        at now: UInt64, isScanning: Bool = false, block: RadioBlock? = nil
    ) -> [String] {
        var sentences: [String] = []
        if let sentence = troubleDue(at: now, block: block) { sentences.append(sentence) }
        let due = losses.filter { now > $0.value.at + graceMilliseconds }
            .sorted { $0.key < $1.key }
        for (address, loss) in due {
            losses[address] = nil
            if isBreaking(address) {
                let sentence = tell(loss.sentence, .breaking(address), at: now)
                if let sentence { sentences.append(sentence) }
            } else {
                toldLosses[address] = loss.at
                standing[.loss(address)] = loss.sentence
                sentences.append(loss.sentence)
            }
        }
        unheardSince = isScanning ? unheardSince ?? now : nil
        if let since = unheardSince {
            guard now >= since + Self.unheardMilliseconds else { return sentences }
            let sentence =
                "No strap was heard yet; still listening. Wear it and moisten it, or see "
                + "`pulselog doctor`."
            end(.looking)
            if let sentence = tell(sentence, .unheard, at: now) { sentences.append(sentence) }
        } else {
            end(.unheard)
        }
        return sentences
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
    package mutating func hear(_ refusal: Refusal, at now: UInt64) -> String? {
        tell(refusal.description, .day(refusal), at: now)
    }
}
