import BluetoothCaptures
import Events
import TestSupport

/// What came of a capture.
struct CaptureReading {
    let survey: CaptureSurvey
    let events: EventBatch

    /// Reads a capture in pieces of so many bytes.
    init(
        _ bytes: [UInt8], _ format: CaptureFormat? = nil, pieceBytes: Int = 65_536,
        assignments: [UInt16: CharacteristicCode] = [:], times: StatedTimes = StatedTimes()
    ) throws {
        guard let format = format ?? CaptureFormat(recognizing: bytes.span) else {
            throw Unrecognized()
        }
        var surveyor = CaptureSurveyor(format, assignments: assignments, times: times)
        var survey: CaptureSurvey
        repeat {
            Self.forEachPiece(of: bytes, pieceBytes) { surveyor.read($0.span) }
            survey = try surveyor.finish()
            surveyor = CaptureSurveyor(repeating: survey)
        } while survey.isWorthRepeating
        var transcript = CaptureTranscript(survey)
        var batch = EventBatch()
        Self.forEachPiece(of: bytes, pieceBytes) { transcript.read($0.span, into: &batch) }
        transcript.finish(into: &batch)
        self.survey = survey
        events = batch
    }

    struct Unrecognized: Error {}

    private static func forEachPiece(
        of bytes: [UInt8], _ count: Int, _ body: ([UInt8]) -> Bool
    ) {
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + count, bytes.count)
            guard body(Array(bytes[offset..<end])) else { return }
            offset = end
        }
    }

    /// The events as text, with the seconds since the first.
    var story: [String] {
        (0..<events.count).map { index in
            let seconds = events.headers[index].stamp.bootMilliseconds / 1_000
            return "\(seconds) \(words(events.event(at: index)))"
        }
    }

    /// The values of heart rate, in order, in hexadecimal.
    var heartRates: [String] {
        (0..<events.count).compactMap { index in
            guard case .characteristicNotified(let value) = events.event(at: index),
                value.characteristic == .heartRateMeasurement
            else { return nil }
            return hex(value.value)
        }
    }

    private func words(_ event: Event) -> String {
        switch event {
        case .linkUp(let link): "up \(link.device)"
        case .linkLost(let link): "lost \(link.device) \(link.reason ?? "")"
        case .subscribed(let subscribed): "subscribed \(subscribed.characteristic)"
        case .sessionStarted: "started"
        case .sessionEnded: "ended"
        case .characteristicNotified(let value):
            "\(value.characteristic) \(hex(value.value))"
        case .characteristicRead(let value):
            "read \(value.characteristic) \(hex(value.value))"
        case .pedometerRead(let value): "steps of \(value.device)"
        default: "\(event.kind)"
        }
    }
}
