package import Decoding

/// Why a number that a strap sends is not a heart rate: nobody's heart beats like that.
package enum HeartRateDoubt: Hashable, Sendable {
    /// BPM 0: the strap has no reading.
    case zero
    /// All bits are set, 255 in one byte or 65,535 in two: no reading either.
    case noReading
    /// Outside of ``Plausibility/heartRatesBPM``, or of another form: with reserved flags, and with
    /// bytes that belong to no field.
    case notCredible

    @inline(__always)
    init?(_ bpm: UInt16, isWide: Bool) {
        if bpm == 0 {
            self = .zero
        } else if bpm == (isWide ? .max : 255) {
            self = .noReading
        } else if !Plausibility.heartRatesBPM.contains(bpm) {
            self = .notCredible
        } else {
            return nil
        }
    }
}

/// A strap's value as folds and views take it: by the rules, and by what the walker chose for it.
package struct HeartReading: Sendable {
    /// Beats per minute as they came.
    let sentBPM: UInt16
    /// Why they are none; nil if they are, or the rules take them for some.
    package let doubt: HeartRateDoubt?
    /// Whether the strap denies contact, and is heeded.
    package let isWithoutContact: Bool

    /// Beats per minute; 0 if the value has none.
    @inline(__always)
    package var heartRateBPM: UInt16 { doubt == nil ? sentBPM : 0 }

    /// Takes a value of a device that may be known.
    package init(_ measurement: HeartRateMeasurement, of device: Device?, _ rules: Rules) {
        self.init(measurement, isContactIgnored: device?.contact.isIgnored ?? false, rules)
    }

    @inline(__always)
    init(_ value: HeartRateMeasurement, isContactIgnored: Bool, _ rules: Rules) {
        sentBPM = value.heartRateBPM
        doubt =
            switch value.doubt {
            case .zero where rules.countZero: nil
            case .noReading where rules.countImplausible: nil
            case .notCredible where rules.countImplausible: nil
            case let doubt: doubt
            }
        isWithoutContact =
            value.contact == .notDetected && !isContactIgnored && !rules.countNoContact
    }

    /// Whether it counts in a session, or why not.
    ///
    /// One reason excludes a reading: paused before no contact before what is wrong with its BPM.
    @inline(__always)
    func outcome(isPaused: Bool) -> HeartEffect.Outcome {
        if isPaused { return .paused }
        if isWithoutContact { return .noContact }
        return doubt.map { .doubted($0) } ?? .counts
    }
}

extension HeartRateMeasurement {
    /// Why its number is not a heart rate; nil if it is one.
    @inline(__always)
    package var doubt: HeartRateDoubt? {
        flags & 0b1110_0000 != 0 && trailingByteCount > 0
            ? .notCredible : HeartRateDoubt(heartRateBPM, isWide: flags & 1 != 0)
    }
}
