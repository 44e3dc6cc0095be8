internal import Decoding
package import Events

extension PedometerRead {
    /// Whether it tells that somebody moves: a cadence by itself, a count by another one before it.
    ///
    /// - Parameter former: The reading of the same device before it, or nil.
    /// - Returns: Whether it does.
    package func tellsMotion(since former: PedometerRead?) -> Bool {
        guard case .characteristic(.runningSpeedCadenceMeasurement, let value) = reading else {
            return former.map { $0.reading != reading } ?? false
        }
        do throws(MalformedMeasurement) {
            return try RunningSpeedCadenceMeasurement(decoding: value.span).cadencePerMinute > 0
        } catch {
            return false
        }
    }
}
