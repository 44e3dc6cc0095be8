internal import Text

/// What a recorder that keeps readings for an interval before it commits them may lose, in words.
public struct LossBound: Hashable, Sendable {
    private let milliseconds: UInt64

    /// Names the interval.
    ///
    /// - Parameter milliseconds: How long a reading may be kept.
    public init(commitIntervalMilliseconds milliseconds: UInt64) {
        self.milliseconds = milliseconds
    }

    /// `every 5 s; a power cut may lose up to 5 s of them`, said of readings.
    public var text: String { "every \(interval); a power cut may lose up to \(interval) of them" }

    /// `5 s`, `2.5 s`, `100 ms`.
    private var interval: String {
        guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
        var thousandths = "\(1_000 + milliseconds % 1_000)".dropFirst()
        while thousandths.last == "0" { thousandths.removeLast() }
        return "\(milliseconds / 1_000)" + (thousandths.isEmpty ? "" : ".\(thousandths)") + " s"
    }
}
