package import BluetoothCentral
package import Deciding
package import EventStore
package import Events
package import Projections
package import Words

/// What happens to a recording: all that ``RecordingLife`` ever learns.
package enum Happening: Sendable {
    /// The recorder begins, with the log folded.
    case began(LogState)
    /// Events became durable, of this recorder or of another process.
    case recorded(LogState, [RecordedEvent])
    /// What was to be appended made no sense.
    case refused(Command, Refusal)
    /// Somebody asks for something, and may want to know what becomes of it.
    case asked(Request, Answering? = nil)
    /// The central has something to say.
    case reported(CentralReport)
    /// An adapter is off; this is what blocks it, if anything.
    case radioBlockFound(RadioBlock?)
    /// A sensor has read something that is to be decided, or recorded as it is.
    case read(Command)
    /// A source of positions speaks, and uses so many satellites, with or without a fix; nil if it
    /// does not say, or is gone.
    case receptionTold(satellites: UInt64?)
    /// What became of a receiver of positions.
    case receiverTold(Receiver)
    /// A phone's app has sent a fix, which may be recorded.
    case phoneHeard(PhoneFix)
    /// A sensor has something to tell the walker.
    case said(String)
    /// There is nothing more to play: the session ends.
    case inputEnded
    /// So many happenings found no room.
    case overflowed(UInt64)
    /// Time has passed: a second, or ten at rest.
    ///
    /// `awaitedWriter` names whoever has kept the log from being appended to for seconds.
    case ticked(awaitedWriter: String?)
    /// A time has passed that was asked for.
    case woke
    /// The system asks the process to end.
    case signalled(EndSignal)
    /// The disk is full, or has room again.
    case diskFull(Bool)
    /// Nothing more can be appended: everything is, or the log failed, for this reason.
    case logEnded(EventLogError?)
}

/// What becomes of a receiver of positions.
package enum Receiver: Hashable, Sendable {
    /// It is connected, and asked.
    case connected
    /// It was unplugged.
    case unplugged
    /// What asks it is gone.
    case gone
    /// Nobody asks it any more.
    case left
}

/// What a walker or a program asks of a recording.
package enum Request: Hashable, Sendable {
    /// Something to be decided on the log.
    case command(Command)
    /// End the recorder, and leave the session open for the next one.
    case leave
    /// End the recorder if no session is open or asked for.
    case leaveSetUp
    /// Begin the session that is being set up, without waiting for the strap.
    case begin
    /// Take the next preset as the goal of the session that is being set up.
    case nextGoal
    /// Take a goal for the session that is being set up.
    case choose(Goal, outAndBack: Bool)
    /// Use the strap of this address, which is offered instead of the one that is away.
    case useSubstitute(BluetoothAddress)
    /// Tell nothing of heart rates beyond their limits for so many milliseconds; nil for the walk.
    case quietAlerts(UInt64?)
    /// Report who is in range from now on; for nil stop that.
    case list(CentralDesire.Scan?)
    /// Pair a device, once it has shown what it can do; nil calls that off.
    case pick(Pick?)
}

/// How the system asks a process to end.
package enum EndSignal: Hashable, Sendable {
    /// The walker pressed Ctrl-C: the session ends as well.
    case interrupt
    /// Anything else: the session stays open for the next recorder.
    case termination
}

/// What a recording wants done.
package enum RecordingAction: Sendable {
    /// Append what comes of this, and tell whoever asked for it.
    case append(Input)
    /// Let the sensors begin.
    case sense
    /// Ask the sensors for this from now on.
    case want(SensorWish)
    /// Tell the walker.
    case say(String)
    /// Tell the walker so that they hear it.
    case alert(String)
    /// What was reported holds no longer.
    case withdraw(String)
    /// Let ``Happening/woke`` happen after so many milliseconds.
    case wake(afterMilliseconds: UInt64)
    /// Seal what the log holds, and sign it, alongside everything else.
    case seal
    /// Append what waits, and nothing after it.
    case finish
    /// No longer wait for another process's write.
    case abandon
}

/// What a recording wants of its sensors; set as a whole.
package struct SensorWish: Hashable, Sendable {
    /// What the central is to do.
    package var central = CentralDesire()
    /// The step counters of the machine that are to be read.
    package var counters: Set<DeviceID> = []
    /// Whether positions are wanted: before and during a session, but not in a pause, which is none
    /// of its route.
    package var positions: Bool

    /// Makes a wish; without arguments: nothing.
    package init(positions: Bool = false) { self.positions = positions }
}
