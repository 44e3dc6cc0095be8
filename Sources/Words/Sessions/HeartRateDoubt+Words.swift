internal import Decoding
internal import Events
package import Projections
internal import Text

extension HeartRateDoubt {
    /// What is wrong with a number of beats.
    var words: String {
        let range = Plausibility.heartRatesBPM
        return switch self {
        case .zero: "zero"
        case .noReading: "not credible (no reading)"
        case .notCredible:
            "not credible (outside \(range.lowerBound) to \(range.upperBound))"
        }
    }
}

extension HeartRateMeasurement {
    /// Why its number is no heart rate, in words; nil if it is one, and of 0, which says it itself.
    var doubtWords: String? {
        guard let doubt, doubt != .zero else { return nil }
        let isOfForm = doubt == .noReading || !Plausibility.heartRatesBPM.contains(heartRateBPM)
        return isOfForm ? doubt.words : "not credible (reserved flags, bytes left over)"
    }
}

extension ContactlessStrap {
    /// What the walker is told, harmless in a terminal: that nothing counts, and what helps.
    package var sentence: String {
        let strap = deviceTitle(name, device)
        let fault =
            "\(strap) measures beats but never reports contact, so its values do not count."
        return switch provenance {
        case .walked, .simulated:
            "\(fault) Wear it and moisten it; if that changes nothing, "
                + "`pulselog devices contact ignore \(device)` counts them from then on."
        case .imported: "\(fault) The rule countNoContact=true counts them."
        }
    }
}
