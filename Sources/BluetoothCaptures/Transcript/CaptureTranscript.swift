public import Events

/// Reads a capture again, and makes events of it: those that its survey has counted.
///
/// The values stand in one session, from the first to the last of them.
public struct CaptureTranscript {
    private var reader: CaptureReader
    private var traffic: Traffic<EventWriter>

    /// Begins a transcript.
    ///
    /// - Parameter survey: What the same file holds.
    public init(_ survey: CaptureSurvey) {
        reader = CaptureReader(survey.format, survey.times)
        traffic = Traffic(
            EventWriter(
                valuesToCome: survey.valueEvents, leftOut: survey.leftOut,
                began: survey.times.beganAtMilliseconds ?? 0),
            tables: survey.tables, assignments: survey.assignments)
    }

    /// Reads the next bytes of the file.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - batch: Where the events go.
    /// - Returns: false if the rest need not be read, because the file is damaged here.
    public mutating func read(_ chunk: Span<UInt8>, into batch: inout EventBatch) -> Bool {
        swap(&traffic.observer.batch, &batch)
        defer { swap(&traffic.observer.batch, &batch) }
        do throws(CaptureError) {
            try reader.read(chunk, into: &traffic)
            return true
        } catch {
            return false
        }
    }

    /// Says that no bytes follow.
    ///
    /// - Parameter batch: Where the last events go.
    public mutating func finish(into batch: inout EventBatch) {
        swap(&traffic.observer.batch, &batch)
        defer { swap(&traffic.observer.batch, &batch) }
        do throws(CaptureError) {
            try reader.finish(&traffic)
        } catch {
            // The survey has told it.
        }
    }
}

/// Makes events of what goes on in a capture.
private struct EventWriter: Observer {
    var batch = EventBatch()
    private var valuesToCome: UInt64
    private let leftOut: [DeviceID: UInt64]
    private var hasBegun = false
    private var clock: CaptureClock

    init(valuesToCome: UInt64, leftOut: [DeviceID: UInt64], began: Int64) {
        (self.valuesToCome, self.leftOut) = (valuesToCome, leftOut)
        clock = CaptureClock(beganAtMilliseconds: began)
    }

    mutating func packet(at microseconds: Int64?) { clock.set(microseconds) }

    mutating func linkUp(_ device: DeviceID) { add(.linkUp(LinkUp(device: device)), of: device) }

    mutating func linkLost(_ device: DeviceID, reason: UInt8?) {
        add(
            .linkLost(
                LinkLost(
                    device: device, cause: reason.map(LinkLossCause.init(hci:)) ?? .unknown,
                    reason: reason.map {
                        "0x" + ($0 < 16 ? "0" : "") + String($0, radix: 16)
                    })), of: device)
    }

    mutating func subscribed(_ device: DeviceID, _ characteristic: CharacteristicCode) {
        add(
            .subscribed(Subscribed(device: device, characteristic: characteristic)), of: device)
    }

    mutating func assumedTime() {}

    mutating func unknown(_ gap: StatedTimes.Gap) {}

    mutating func dropped(_ count: UInt32) {}

    mutating func loss(_ loss: PacketLoss) {}

    mutating func value(_ value: ObservedValue, _ bytes: Span<UInt8>) {
        // A file that has grown since the first reading has more values: the session is over.
        guard !value.isSent, let code = value.characteristic, valuesToCome > 0,
            leftOut[value.device] == nil
        else { return }
        if value.isNotified { clock.assumeSecond() }
        if !hasBegun {
            hasBegun = true
            add(.sessionStarted(SessionStarted()))
        }
        add(code.event(of: value.device, bytes, isNotified: value.isNotified))
        valuesToCome -= 1
        if valuesToCome == 0 { add(.sessionEnded(SessionEnded(reason: .inputEnded))) }
    }

    private mutating func add(_ event: Event, of device: DeviceID? = nil) {
        if let device, leftOut[device] != nil { return }
        do throws(FieldError) {
            try batch.append(event, stamp: clock.stamp, flags: clock.flags)
        } catch {
            preconditionFailure("a capture's event is within the limits of fields: \(error)")
        }
    }
}

extension CharacteristicCode {
    /// The event of a value.
    fileprivate func event(of device: DeviceID, _ bytes: Span<UInt8>, isNotified: Bool) -> Event {
        let isCut = bytes.count > EventLimit.valueBytes
        let value = [UInt8](
            copying: bytes.extracting(0..<min(bytes.count, EventLimit.valueBytes)))
        return isCut
            ? cut(of: device, fullLength: UInt64(bytes.count), value)
            : event(of: device, value, isNotified: isNotified)
    }
}

extension LinkLossCause {
    /// What a reason of HCI means: Bluetooth Core 5.4, volume 1, part F, 1.3.
    fileprivate init(hci reason: UInt8) {
        self =
            switch reason {
            case 0x08, 0x22: .timeout
            case 0x13, 0x14, 0x15: .remote
            case 0x16: .requested
            case 0x05, 0x06, 0x3D: .authentication
            default: .unknown
            }
    }
}
