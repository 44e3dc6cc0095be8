package import Events
internal import Projections
package import Words

/// What the walker wants of a recording.
package struct SessionPlan: Hashable, Sendable {
    /// Where the values come from.
    package enum Source: Hashable, Sendable {
        /// Bluetooth; the strap of an address, or else the primary one.
        case central(strap: UInt64?)
        /// A capture, or made-up values.
        case simulation
    }

    /// Where the values come from.
    package var source: Source
    /// The goal; of kind none for none.
    package var goal: Goal
    /// Whether to turn at half of the goal.
    package var outAndBack: Bool
    /// When the session begins.
    package var begins: Beginning
    /// When to end by itself, in milliseconds since this recorder began to wait for the session,
    /// began it or went on with it; nil for never.
    package var durationMilliseconds: UInt64?
    /// Whether a session that is found open ends, instead of going on.
    package var endsOpenSession: Bool
    /// Whether another paired strap is used unasked where the strap is away.
    package var takesSubstitute: Bool
    /// The heart rates beyond which the walker is told; nil for those of the preferences.
    package var limits: HeartLimits?
    /// Whether somebody looks at a view: then today's steps are reconciled for it.
    package var isWatched: Bool
    /// The machine's step counters, to be paired when they are seen first.
    package var counters: [StepCounter]
    /// The program's version, for the log.
    package var programVersion: String

    /// When a session begins.
    package enum Beginning: Sendable {
        /// With the recorder.
        case atOnce
        /// With the strap's first heart rate, or when the walker asks for it.
        case withHeartRate
        /// When the walker asks for it, and picks a strap if none is paired.
        case whenAsked
        /// It has begun: the one that was left open goes on.
        case leftOpen
        /// Each time that the strap begins to be worn; the recorder goes on after its end.
        case wheneverWorn
    }

    /// Whether a strap is looked for if none is paired; else the walker picks one.
    var picksStrap: Bool {
        switch begins {
        case .atOnce, .withHeartRate, .wheneverWorn: true
        case .whenAsked, .leftOpen: false
        }
    }

    /// A step counter of the machine.
    package struct StepCounter: Hashable, Sendable {
        /// Its identity.
        package var device: DeviceID
        /// The chip's name.
        package var name: String

        /// Names a counter.
        ///
        /// - Parameters:
        ///   - device: Its identity.
        ///   - name: The chip's name.
        package init(_ device: DeviceID, name: String) {
            (self.device, self.name) = (device, name)
        }
    }

    /// Makes a plan; without options: record from the primary strap, at once, without a goal.
    ///
    /// - Parameters:
    ///   - source: Where the values come from.
    ///   - goal: The goal.
    ///   - outAndBack: Whether to turn at half of the goal.
    ///   - begins: When the session begins.
    ///   - durationMilliseconds: When to end by itself.
    ///   - endsOpenSession: Whether a session that is found open ends.
    ///   - takesSubstitute: Whether another paired strap is used unasked.
    ///   - limits: The heart rates beyond which the walker is told.
    ///   - isWatched: Whether somebody looks at a view.
    ///   - counters: The machine's step counters.
    ///   - programVersion: The program's version.
    package init(
        source: Source = .central(strap: nil), goal: Goal = Goal(), outAndBack: Bool = false,
        begins: Beginning = .atOnce, durationMilliseconds: UInt64? = nil,
        endsOpenSession: Bool = false, takesSubstitute: Bool = false, limits: HeartLimits? = nil,
        isWatched: Bool = false, counters: [StepCounter] = [], programVersion: String = ""
    ) {
        (self.source, self.goal, self.outAndBack, self.begins) = (source, goal, outAndBack, begins)
        (self.durationMilliseconds, self.endsOpenSession) = (durationMilliseconds, endsOpenSession)
        (self.takesSubstitute, self.limits, self.isWatched) = (takesSubstitute, limits, isWatched)
        (self.counters, self.programVersion) = (counters, programVersion)
    }

    /// Whether the values are simulated, or a capture's.
    package var isSimulated: Bool { source == .simulation }

    /// The command that begins the session.
    var start: Command { .start(goal: goal, outAndBack: outAndBack) }
}
