public import Events

/// What a capture holds, besides its events.
public struct CaptureSurvey: Sendable {
    /// Notifications of a handle whose characteristic the capture does not name.
    public struct UnknownHandle: Hashable, Sendable {
        /// The device.
        public let device: DeviceID
        /// The handle of the value.
        public let handle: UInt16
        /// How many came.
        public internal(set) var count: UInt64
        /// Whether all of them look like a Heart Rate Measurement: flags without reserved bits, and
        /// as many bytes as they announce (Bluetooth HRS 1.0, 3.1.1).
        public internal(set) var looksLikeHeartRate: Bool
    }

    /// The format of the file.
    public let format: CaptureFormat
    /// How many packets there are, or values with a time of their own.
    public internal(set) var packets: UInt64 = 0
    /// How many links were captured from their beginning.
    public internal(set) var links: UInt64 = 0
    /// How many values of each characteristic devices sent.
    public internal(set) var values: [CharacteristicCode: UInt64] = [:]
    /// The straps that sent heart rates.
    public internal(set) var straps = StrapCounts()
    /// How many values the machine that captured sent, as a strap would; they are nobody's
    /// readings.
    public internal(set) var sentValues: UInt64 = 0
    /// Handles with notifications of which the capture does not say what they are, in the order of
    /// their appearance.
    public internal(set) var unknownHandles: [UnknownHandle] = []
    /// Packets that cannot be read, for their link is encrypted.
    public internal(set) var encryptedPackets: UInt64 = 0
    /// Packets that the capture says it does not have, because they came too fast.
    public internal(set) var droppedPackets: UInt64 = 0
    /// Packets that were damaged, cut or incomplete.
    public internal(set) var lostPackets: UInt64 = 0
    /// Lines of a text that hold a value in a form that is not read.
    public internal(set) var unreadLines: UInt64 = 0
    /// Whether values came without times, so that one each second was assumed.
    public internal(set) var hasAssumedTimes = false
    /// What the capture does not say of its times, and nobody said.
    public internal(set) var timeGaps: [StatedTimes.Gap] = []
    /// Why the file was not read to its end; what comes before it is good.
    public internal(set) var damage: CaptureError?

    /// How many events the transcript has.
    public internal(set) var events: UInt64 = 0
    /// Whether any packet so far has had a time.
    var hasTimes = false
    /// How many of them are values.
    var valueEvents: UInt64 = 0
    /// What each device has of these.
    private(set) var shares: [DeviceID: Share] = [:]
    /// The heart rates of the straps that were not chosen: nothing of them is told.
    private(set) var leftOut: [DeviceID: UInt64] = [:]
    /// The attributes that were known before the first packet.
    let tables: [DeviceID: AttributeTable]
    /// The attributes that were known after the last one.
    var learned: [DeviceID: AttributeTable] = [:]
    /// What was given by hand.
    let assignments: [UInt16: CharacteristicCode]
    let times: StatedTimes

    /// The events of one device.
    struct Share {
        var events: UInt64 = 0
        var values: [CharacteristicCode: UInt64] = [:]
    }

    /// More handles are not remembered by themselves.
    static let handleLimit = 256

    /// Whether another survey of the same file may find more, because attributes were made known
    /// after values were sent with them, or by a later link of the device.
    public var isWorthRepeating: Bool {
        tables.isEmpty && !learned.isEmpty && !unknownHandles.isEmpty
    }

    /// Leaves out every strap but one, with all that its device sent.
    ///
    /// - Parameter address: The address of the strap; nil for the one that sent the most.
    public mutating func choose(_ address: UInt64?) {
        guard let others = straps.choice(address)?.others else { return }
        for strap in others {
            leftOut[strap.device] = strap.values
            let share = shares[strap.device] ?? Share()
            events -= share.events
            for (code, count) in share.values {
                valueEvents -= count
                values[code] = (values[code] ?? count) > count ? (values[code] ?? 0) - count : nil
            }
        }
    }

    /// Whether a device sent at least one value of a characteristic.
    public func holds(_ characteristic: CharacteristicCode) -> Bool {
        values[characteristic] != nil
    }
}

/// Reads a capture to see what it holds.
public struct CaptureSurveyor {
    private var reader: CaptureReader
    private var traffic: Traffic<CaptureSurvey>

    /// Begins a reading.
    ///
    /// - Parameters:
    ///   - format: The file's format.
    ///   - assignments: Handles whose characteristic is given by hand, for captures that do not
    ///     tell them; they go before what a capture says.
    ///   - times: What is said by hand of a text's times.
    public init(
        _ format: CaptureFormat, assignments: [UInt16: CharacteristicCode] = [:],
        times: StatedTimes = StatedTimes()
    ) {
        self.init(
            CaptureSurvey(format: format, tables: [:], assignments: assignments, times: times))
    }

    /// Begins another reading, that knows from the beginning what the one before has learned.
    public init(repeating survey: CaptureSurvey) {
        self.init(
            CaptureSurvey(
                format: survey.format, tables: survey.learned, assignments: survey.assignments,
                times: survey.times))
    }

    private init(_ survey: CaptureSurvey) {
        reader = CaptureReader(survey.format, survey.times)
        traffic = Traffic(survey, tables: survey.tables, assignments: survey.assignments)
    }

    /// Reads the next bytes of the file.
    ///
    /// - Returns: false if the rest need not be read, because the file is damaged here.
    public mutating func read(_ chunk: Span<UInt8>) -> Bool {
        do throws(CaptureError) {
            try reader.read(chunk, into: &traffic)
            return true
        } catch {
            traffic.observer.damage = error
            return false
        }
    }

    /// Ends the reading.
    ///
    /// - Returns: What the capture holds.
    /// - Throws: ``CaptureError`` if there is nothing to read in the file: it is not a capture, or
    ///   one of other packets.
    public mutating func finish() throws(CaptureError) -> CaptureSurvey {
        var damage = traffic.observer.damage
        do throws(CaptureError) {
            if damage == nil { try reader.finish(&traffic) }
        } catch {
            damage = error
        }
        var survey = traffic.observer
        survey.damage = damage
        survey.learned = traffic.tables
        if let damage = survey.damage, [.unknownFormat, .otherPackets].contains(damage.code) {
            throw damage
        }
        // A session around the values.
        if survey.valueEvents > 0 { survey.events += 2 }
        if survey.hasAssumedTimes, survey.times.beganAtMilliseconds == nil {
            survey.unknown(.date)
        }
        return survey
    }
}

extension CaptureSurvey: Observer {
    mutating func packet(at microseconds: Int64?) {
        packets += 1
        hasTimes = hasTimes || microseconds != nil
    }

    mutating func linkUp(_ device: DeviceID) {
        links += 1
        addEvent(of: device)
    }

    mutating func linkLost(_ device: DeviceID, reason: UInt8?) { addEvent(of: device) }

    mutating func subscribed(_ device: DeviceID, _ characteristic: CharacteristicCode) {
        addEvent(of: device)
    }

    private mutating func addEvent(of device: DeviceID) {
        events += 1
        shares[device, default: Share()].events += 1
    }

    mutating func assumedTime() { hasAssumedTimes = true }

    mutating func unknown(_ gap: StatedTimes.Gap) {
        if !timeGaps.contains(gap) { timeGaps.append(gap) }
    }

    mutating func dropped(_ count: UInt32) { droppedPackets += UInt64(count) }

    mutating func loss(_ loss: PacketLoss) {
        switch loss {
        case .encrypted: encryptedPackets += 1
        case .malformed, .fragment, .checksum: lostPackets += 1
        case .line: unreadLines += 1
        }
    }

    mutating func value(_ value: ObservedValue, _ bytes: Span<UInt8>) {
        guard !value.isSent else {
            sentValues += value.isNotified ? 1 : 0
            return
        }
        guard let code = value.characteristic else {
            if value.isNotified { remember(value, bytes) }
            return
        }
        if value.isNotified, !hasTimes { hasAssumedTimes = true }
        values[code, default: 0] += 1
        valueEvents += 1
        addEvent(of: value.device)
        shares[value.device]?.values[code, default: 0] += 1
        if code == .heartRateMeasurement { straps.add(value.device) }
    }

    private mutating func remember(_ value: ObservedValue, _ bytes: Span<UInt8>) {
        let looksRight = Self.looksLikeHeartRate(bytes)
        for index in unknownHandles.indices
        where unknownHandles[index].handle == value.handle
            && unknownHandles[index].device == value.device
        {
            unknownHandles[index].count += 1
            unknownHandles[index].looksLikeHeartRate =
                unknownHandles[index].looksLikeHeartRate && looksRight
            return
        }
        guard unknownHandles.count < Self.handleLimit else { return }
        unknownHandles.append(
            UnknownHandle(
                device: value.device, handle: value.handle, count: 1,
                looksLikeHeartRate: looksRight))
    }

    private static func looksLikeHeartRate(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 2 else { return false }
        let flags = bytes[0]
        let rest = bytes.count - 1 - (flags & 1 == 0 ? 1 : 2) - (flags & 8 == 0 ? 0 : 2)
        return flags & 0xE0 == 0 && (flags & 16 == 0 ? rest == 0 : rest > 0 && rest % 2 == 0)
    }
}
