package import Clocks
package import Events
package import Projections

/// What arrived or was asked, and when.
package struct Input: Sendable {
    /// What is to be decided; ``Command/record(_:)`` for a reading.
    package var command: Command
    /// When it arrived.
    package var arrival: Arrival
    /// Whether it is simulated; nil for what somebody asks for without recording: that is about
    /// whatever session there is.
    package var isSimulated: Bool?
    /// Told what became of it; nil if nobody waits for that.
    package var answer: Answering?

    /// Makes an input.
    package init(
        _ command: Command, at arrival: Arrival, isSimulated: Bool? = nil,
        answer: Answering? = nil
    ) {
        (self.command, self.arrival, self.isSimulated) = (command, arrival, isSimulated)
        self.answer = answer
    }
}

/// Told what became of what was asked, when it is durable; nil if that cannot be told, because the
/// recording ends or the log failed.
package typealias Answering = @Sendable (Outcome?) -> Void

extension Input {
    /// What becomes of an input when too much waits.
    package enum Priority: Hashable, Sendable {
        /// It waits all the same: it is rare, or somebody asks for it.
        case always
        /// It is dropped and counted: readings, and what a file tells.
        case counted
        /// It is left out: it comes again by itself.
        case repeated
    }

    /// What becomes of it when too much waits.
    package var priority: Priority {
        switch command {
        case .record(.intakeOverflowed(let event)):
            event.intake == OpenCode(.bus) ? .counted : .always
        case .record(let event):
            [.heart, .steps, .place].contains(event.kind.lane) ? .counted : .always
        case .news: .counted
        case .rollOver: .repeated
        default: .always
        }
    }
}

extension Arrival {
    /// The moment in a boot.
    ///
    /// - Parameters:
    ///   - bootNumber: The number of the boot, counted by the log.
    ///   - isSimulated: Whether what arrived is simulated.
    /// - Returns: The moment.
    package func moment(bootNumber: UInt32, isSimulated: Bool = false) -> Moment {
        let stamp = Stamp(
            bootMilliseconds: bootMilliseconds, wallMilliseconds: wallMilliseconds,
            bootNumber: bootNumber)
        var flags: EventFlags = isSimulated ? .simulated : []
        if isWallTrusted { flags.insert(.wallTrusted) }
        return Moment(stamp, flags)
    }
}

/// What became of an input.
package enum Outcome: Hashable, Sendable {
    /// Its events are durable; the range is empty if there was nothing to say.
    case recorded(Range<Position>)
    /// It made no sense; no event of its own was made. What the machine had to say before it
    /// stands.
    case refused(Refusal)
}

/// What the machine says of itself, for the events that name it.
package struct Machine: Sendable {
    /// The kernel's identity of this boot, 16 bytes.
    package var bootID: [UInt8]
    /// The local zone at an instant: minutes east of UTC, and its name.
    package let zone: @Sendable (_ wallMilliseconds: Int64) -> (offsetMinutes: Int64, name: String)

    /// Describes a machine.
    package init(
        bootID: [UInt8],
        zone: @escaping @Sendable (Int64) -> (offsetMinutes: Int64, name: String)
    ) {
        (self.bootID, self.zone) = (bootID, zone)
    }
}
