internal import Decoding
internal import Events
internal import Projections

/// Why a value that came cannot be used.
enum ValueFault {
    /// A heart rate's bytes end early.
    case short([UInt8])
    /// Nobody's heart beats like that.
    case notCredible(HeartRateMeasurement)
    /// A pedometer's bytes cannot be read.
    case unreadableSteps

    /// What stands of a strap for as long as such values come: how many did so far, since when.
    func row(_ count: Int, since: String) -> String? {
        if case .unreadableSteps = self { return nil }
        return "Your strap's values cannot be read. \(count) came since \(since); they are kept. "
            + "Take it off and put it on again."
    }

    /// What the walker is told once such values came in a row.
    func sentence(of name: DeviceTitle) -> String {
        switch self {
        case .short(let value):
            let hex = value.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return "\(name) sends values that end early and cannot be read; they are kept. "
                + "`pulselog decode \(hex)` explains them; report its model."
        case .notCredible(let value):
            let (bpm, credible) = (value.heartRateBPM, Plausibility.heartRatesBPM)
            guard !credible.contains(bpm) else {
                return "\(name) sends values of another form than heart rates have, and none "
                    + "counts; they are kept. Report its model."
            }
            let isSwapped = value.flags & 1 != 0 && credible.contains(bpm.byteSwapped)
            return "\(name) says \(bpm) BPM, which is not credible"
                + (isSwapped
                    ? ": are its bytes in the wrong order?" : ". Take it off and put it on again.")
        case .unreadableSteps:
            return "The values of \(name) cannot be read; they are kept. Take its battery out and "
                + "put it back."
        }
    }
}

extension CharacteristicNotified {
    /// Why a heart rate cannot be used; nil if it can, or is another value.
    var fault: ValueFault? {
        guard characteristic == .heartRateMeasurement else { return nil }
        do throws(MalformedMeasurement) {
            let measurement = try HeartRateMeasurement(decoding: value.span)
            return measurement.doubt == .notCredible ? .notCredible(measurement) : nil
        } catch {
            return .short(value)
        }
    }
}

extension PedometerRead {
    /// Why a reading cannot be used; nil if it can.
    var fault: ValueFault? {
        do throws(MalformedMeasurement) {
            switch reading {
            case .characteristic(.infiniTimeStepCount, let value):
                _ = try InfiniTimeStepCount(decoding: value.span)
            case .characteristic(_, let value):
                _ = try RunningSpeedCadenceMeasurement(decoding: value.span)
            case .counter: break
            }
            return nil
        } catch {
            return .unreadableSteps
        }
    }
}
