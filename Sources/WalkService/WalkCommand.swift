package import BluetoothCentral
package import Deciding
package import EventStore
package import Events
package import Projections
package import Recording

/// What a front asks for: a key, a button, another terminal, a health post or a test.
package enum WalkCommand: Sendable {
    /// Asks the recorder of this process; a command is decided on the log where there is none.
    case ask(Request)
    /// Decides what depends on the state after the last event of the log; made again if somebody
    /// else appends first.
    case decide(@Sendable (LogState) throws(WalkRefusal) -> Command)
    /// Takes what a health store reported.
    case report(HealthReport, Appender.SampleRule)
    /// Takes fixes of a phone's app, in order of their times, as long as somebody records a walk.
    case phoneFixes([PhoneFix])
    /// Holds a recorder of this process for 30 s more, which connects to the primary strap; tells
    /// who is in range if that is wanted, or no strap is paired.
    case setUp(listing: CentralDesire.Scan? = nil)
    /// Begins a session, with a recorder of this process; `by` whom is a phone's name.
    case start(Goal, outAndBack: Bool, by: String? = nil)
    /// Goes on with the session that was left open, with a recorder of this process.
    case continueLeftOpen
    /// Pairs a device, once it has shown what it can do.
    case pair(BluetoothAddress)
}

/// What became of a command.
package struct WalkReply: Sendable {
    /// The events that came of it, which are durable; empty if there was nothing to say.
    package var events: Range<Position> = 0..<0
    /// What became of a health report; nil for everything else.
    package var health: HealthOutcome?
}

/// Why a command was not done: told to whoever gave it, and to nobody else.
package struct WalkRefusal: Error, Hashable, Sendable {
    /// Where the reason lies.
    package enum Kind: Hashable, Sendable {
        /// It makes no sense as things stand.
        case senseless
        /// It cannot be read.
        case unreadable
        /// It is not possible here now.
        case impossible
        /// The log cannot be read or written.
        case log(EventLogError)
        /// It took too long; it may be done all the same.
        case late
    }

    /// Where the reason lies.
    package let kind: Kind
    /// A stable name of the reason.
    package let code: String
    /// What is wrong and what to do.
    package let message: String

    /// Names a reason.
    ///
    /// - Parameters:
    ///   - kind: Where it lies.
    ///   - code: A stable name.
    ///   - message: What is wrong and what to do.
    package init(_ kind: Kind, _ code: String, _ message: String) {
        (self.kind, self.code, self.message) = (kind, code, message)
    }

    /// The command made no sense.
    init(_ refusal: Refusal) {
        self.init(.senseless, "refused", refusal.description)
    }

    /// Bluetooth cannot be used.
    init(_ bluetoothProblem: StrapStatus.Word) {
        self.init(.impossible, "notPossible", "Nothing can be paired: \(bluetoothProblem.text).")
    }

    /// A device could not be paired.
    init(_ reason: PairingFlow.Failure, of device: BluetoothAddress, name: String?) {
        self.init(.impossible, "notPaired", Pick.sentence(reason, of: device, name: name))
    }

    /// Another process records, or prepares a walk.
    static func otherRecorder(_ holder: String?) -> WalkRefusal {
        WalkRefusal(
            .impossible, "otherRecorder",
            "The recorder is used by \(holder ?? "another Pulselog"). End its walk first.")
    }

    /// A session was left open.
    static let sessionOpen = WalkRefusal(
        .impossible, "sessionOpen", "A walk is still open. Continue it, or end it.")

    /// There is none.
    static let noSession = WalkRefusal(.impossible, "noSession", "No walk is open.")

    /// The session is open.
    static let recording = WalkRefusal(
        .impossible, "recording", "This Pulselog is already recording.")

    /// A strap records the session.
    static let walking = WalkRefusal(
        .impossible, "recording",
        "A walk is under way with another strap. Pair this one before or after it.")

    /// The walker has picked another device.
    static let anotherPick = WalkRefusal(
        .impossible, "notPaired", "Another device was picked instead.")

    /// The recorder has ended meanwhile, or there is none.
    static let ended = WalkRefusal(
        .impossible, "ended", "The recorder has ended. Ask again.")

    /// The time is over.
    static let late = WalkRefusal(
        .late, "notRecordedInTime",
        "It could not be recorded in time; it may have been recorded anyway.")

    /// The log has failed.
    package init(_ error: EventLogError) {
        self.init(.log(error), "notRecorded", "It cannot be recorded now: \(error)")
    }
}

extension WalkRefusal: DecisionFailure {}
