package import Events

/// Reads FIT files of any maker, in pieces: walks out of activity files, and the totals of days out
/// of monitoring files.
///
/// Of a file's records come heart rate, position, height and speed, and what was counted: cycles
/// are strides where the sport is walking, hiking or running, or none is named, and count two steps
/// each. The device's distance counts wherever there is one. Intervals between beats belong to the
/// record before them. The timer's events are pauses, a lap that somebody ended by hand is a mark
/// at its end. Files may follow each other in the same bytes. See <doc:FIT>.
package struct FITReader: ~Copyable, WalkReader {
    /// What the file says; complete after ``finish()``, or when there is a ``damage``.
    package private(set) var facts: WalkFacts
    /// Why nothing can be read any further, or be dated, in one sentence.
    package var damage: String? { decoder.damage ?? (lacksDate ? StatedTimes.withoutDate : nil) }

    private var decoder = FITDecoder()
    private var activity: FITActivity
    private let keeper: ByteKeeper?
    private var days = FITDays()
    private var counting = WalkCounting()
    private let began: Int64?
    private var lacksDate = false

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - times: What somebody says of its times: a device whose clock was never set has no date.
    ///   - end: As of ``WalkFacts/init(until:keptIn:)``.
    ///   - keeper: Where facts are kept; nil for memory.
    package init(
        _ times: StatedTimes = StatedTimes(), until end: Int64 = WalkFacts.endOfTime,
        keptIn keeper: ByteKeeper? = nil
    ) {
        (self.keeper, began) = (keeper, times.beganAtMilliseconds)
        facts = WalkFacts(until: end, keptIn: keeper)
        activity = FITActivity(keptIn: keeper)
    }

    /// Whether a file begins like FIT.
    ///
    /// - Parameter start: Its first bytes, 12 at least.
    /// - Returns: Whether they are those of a FIT header.
    package static func recognizes(_ start: [UInt8]) -> Bool { FITDecoder.recognizes(start) }

    /// Reads the next bytes.
    package mutating func push(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count, decoder.damage == nil {
            switch decoder.take(bytes, from: &index) {
            case nil: break
            case .message(let message): take(message)
            case .end: close()
            }
            if decoder.damage != nil { close() }
        }
    }

    /// Says that no bytes follow.
    package mutating func finish() {
        let wasDamaged = decoder.damage != nil
        decoder.finish()
        if !wasDamaged, decoder.damage != nil { close() }
    }

    private mutating func take(_ message: FITMessage) {
        switch message.definition.message {
        case FITMessageNumber.monitoring, FITMessageNumber.monitoringInfo: days.take(message)
        default:
            activity.isOurs = decoder.developer != nil
            activity.take(message, &facts)
        }
    }

    /// A file has come to its end, or to a damage.
    private mutating func close() {
        if activity.close(&facts, &counting, began: began) { lacksDate = true }
        days.close(&facts)
        activity = FITActivity(keptIn: keeper)
        days = FITDays()
    }
}
