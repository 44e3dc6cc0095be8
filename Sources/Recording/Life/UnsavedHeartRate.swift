internal import Clocks
internal import Deciding
internal import Decoding
public import Events
internal import Projections

/// A heart rate that has arrived and is not durable yet, where commits are grouped.
///
/// It is shown and marked as such, and is part of no total.
public struct UnsavedHeartRate: Hashable, Sendable {
    /// Whose it is.
    public let device: DeviceID
    /// Beats per minute; 0 if the strap has none.
    public let heartRateBPM: UInt16
    /// Whether the strap says that it touches no skin, and is heeded.
    public let isWithoutContact: Bool
    /// When it arrived, on the boot clock.
    public let bootMilliseconds: UInt64

    /// Takes the heart rate of an input; nil if it has none that can be decoded.
    init?(_ input: Input, in state: LogState) {
        guard case .record(.characteristicNotified(let event)) = input.command,
            event.characteristic == .heartRateMeasurement
        else { return nil }
        do throws(MalformedMeasurement) {
            let measurement = try HeartRateMeasurement(decoding: event.value.span)
            device = event.device
            let reading = HeartReading(measurement, of: state.live.devices[device], state.rules)
            heartRateBPM = reading.heartRateBPM
            isWithoutContact = reading.isWithoutContact
            bootMilliseconds = input.arrival.bootMilliseconds
        } catch {
            return nil  // The fold finds it, once it is durable.
        }
    }
}

extension RecordingLife {
    /// Inputs wait for the log from now on.
    mutating func noteUnsaved(_ inputs: [Input]) {
        guard plan.commitIntervalMilliseconds != nil else { return }
        for input in inputs {
            if let heartRate = UnsavedHeartRate(input, in: state) { unsaved = heartRate }
            if case .record(.positionFixed(let fix)) = input.command {
                reception.take(fix, at: moment(at: input.arrival).stamp)
            }
        }
    }

    /// A heart rate is durable, and so is what came of the device before it.
    mutating func noteSaved(_ event: CharacteristicNotified, at stamp: Stamp) {
        guard let unsaved, unsaved.device == event.device,
            unsaved.bootMilliseconds <= stamp.bootMilliseconds
        else { return }
        self.unsaved = nil
    }
}
