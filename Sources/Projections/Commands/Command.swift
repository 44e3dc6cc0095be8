package import Events

/// What is asked for, or has arrived; ``Decider`` makes events of it, or refuses.
package enum Command: Hashable, Sendable {
    /// Begin a session. A goal of kind daily with target 0 means what is still missing today.
    case start(goal: Goal = Goal(kind: .none), outAndBack: Bool = false)
    /// Pause the session.
    case pause
    /// Go on with the paused session.
    case resume
    /// End the session.
    case end(EndReason = .requested)
    /// Mark this moment of the session.
    case mark(String = "")
    /// End a lap; the next begins.
    case lap(LapCause = .byHand)
    /// Pause the session until the walker moves again. No event comes of it if it does not run.
    case standStill
    /// Go on with a session that has paused by itself. No event comes of it if none has.
    case moveOn
    /// Reconcile today's steps: a person asks (manual), opened a view (foreground), says that the
    /// clock's date is today's although the log's is later (clockTrusted), or the program started
    /// (start).
    case refresh(Trigger = .manual)
    /// A health store's total; of today if `date` is nil. It is noted, and today's is reconciled.
    /// One above ``Plausibility/stepsPerDay`` only if it is meant.
    case healthTotal(
        UInt64, date: CivilDate? = nil, validUntilMilliseconds: Int64? = nil,
        origin: Reporter? = nil, trigger: Trigger = .observer, meantBy: String? = nil)
    /// A health store's total, as above, by the observer; no event if the log knows as much.
    case news(HealthTotal, origin: Reporter)
    /// What an earlier program displayed on a date, and why it is taken over; today's is
    /// reconciled. Only one that is more than what is displayed.
    case legacyTotal(UInt64, date: CivilDate, reason: String, author: String)
    /// Correct the steps of a day; what is displayed stays.
    case correct(date: CivilDate, by: Int64, reason: String, author: String)
    /// Take in a number that was set aside, by its event.
    case takeIn(Position, reason: String, author: String)
    /// Change what is known of the walker and what they want; events come of what is new.
    case setWalker(Profile, Walker, Preferences)
    /// Add a device, or rename one. The first of a role becomes primary.
    case pair(DeviceID, name: String?, roles: Roles)
    /// Remove a device, or only take one of its roles from it. The oldest remaining one of what it
    /// filled becomes primary.
    case forget(DeviceID, Role? = nil)
    /// Make a paired device primary in each role that it fills, or in one of them.
    case makePrimary(DeviceID, Role? = nil)
    /// Let values of a paired strap count that deny contact, or no longer.
    case ignoreContact(DeviceID, Bool)
    /// Leave a strap's values out of the session that an event began, or take them in again.
    case exclude(DeviceID, session: Position, Bool)
    /// Say something of the session that an event began, of whatever source, and of others: of all,
    /// or of none.
    case describe(SessionDescribed, also: [Position] = [])
    /// A process begins to append. An event comes of it only in a new boot of the machine.
    case beginBoot(bootID: [UInt8], zoneOffsetMinutes: Int64, zoneName: String)
    /// The machine's clocks are those of the moment. An event comes of it only if the wall clock
    /// was set since the last event of this boot.
    case readClocks
    /// The recorder starts. If the wall clock was set since the last event, that is noted after the
    /// start: until then the links of the recorder before stand.
    case startRecorder(programVersion: String, zoneOffsetMinutes: Int64, zoneName: String)
    /// The recorder stops, or was found dead. If the wall clock was set since the last event, that
    /// is noted after it, as after a start.
    case stopRecorder(StopReason)
    /// The machine's zone offset is this. An event comes of it only if it is another one.
    case setZone(offsetMinutes: Int64, name: String)
    /// Local midnight passed. Events come of it only if the day is not open yet.
    case rollOver
    /// An input arrived: it is recorded as it is; a fix of a receiver, unless a phone leads.
    case record(Event)
    /// A phone's app sends a fix, or one that is to be left out. No event comes of it unless a
    /// session is being recorded, nor if another source leads.
    case phoneFix(PhoneFix)
}

extension Command {
    /// Whether the recorder gives it, and nobody asked: it is never refused.
    var comesByItself: Bool {
        switch self {
        case .standStill, .moveOn, .lap(.byDistance): true
        default: false
        }
    }

    /// Whether it is about the session that is open.
    package var isOfSession: Bool {
        switch self {
        case .pause, .resume, .end, .mark, .lap, .standStill, .moveOn: true
        default: false
        }
    }
}

/// A command that makes no sense now; no event was made of it.
package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why.
    package enum Code: String, CaseIterable, Sendable {
        /// There is no open session.
        case noSession
        /// A session is open.
        case sessionOpen
        /// The session is paused.
        case alreadyPaused
        /// The session is not paused.
        case notPaused
        /// The profile has no daily goal.
        case noDailyGoal
        /// The daily goal is reached.
        case dailyGoalReached
        /// The goal has no target.
        case goalWithoutTarget
        /// Out-and-back needs a goal.
        case outAndBackWithoutGoal
        /// The device is not paired.
        case notPaired
        /// The device fills no role.
        case withoutRole
        /// The date is after today.
        case futureDate
        /// The total is more than anybody walks in a day.
        case totalNotCredible
        /// An earlier program's value is more than anybody walks in a day.
        case legacyNotCredible
        /// As many steps or more are displayed.
        case legacyNotMore
        /// The value of an earlier program needs a reason.
        case legacyWithoutReason
        /// The wall clock was never set, so there is no today.
        case clockNotSet
        /// The event is neither a reading nor a total that was set aside.
        case notSetAside
        /// What was set aside there was taken in already.
        case alreadyTaken
        /// There is no such session of the walker's, or the device sent it no value.
        case notHeard
        /// There is no session that this event began.
        case noSuchSession
        /// A correction needs a reason and must not be 0.
        case emptyCorrection
        /// A field is outside of its limits.
        case fieldOutOfRange
    }

    /// Why.
    package let code: Code
    /// The field that is out of range, else empty.
    package let field: String
    /// The most bytes that it could have, if it is too long for the log.
    package let limitBytes: Int?

    /// Makes a refusal.
    package init(_ code: Code, field: String = "", limitBytes: Int? = nil) {
        (self.code, self.field, self.limitBytes) = (code, field, limitBytes)
    }

    /// Refuses a field that is outside of its limits.
    package init(_ error: FieldError) {
        self.init(.fieldOutOfRange, field: error.field, limitBytes: error.limitBytes)
    }

    /// What is the matter and what to do.
    package var description: String {
        switch code {
        case .noSession: "There is no session; start one with `pulselog record`."
        case .sessionOpen: "A session is already open; stop it before you start another."
        case .alreadyPaused: "The session is already paused; `pulselog resume` continues it."
        case .notPaused: "The session is not paused, so there is nothing to resume."
        case .noDailyGoal: "No daily goal is set; `pulselog profile set daily-goal=8000` sets one."
        case .dailyGoalReached: "Today's goal is already reached; choose a goal in steps instead."
        case .goalWithoutTarget: "The goal's target is 0; give one, such as steps=6000."
        case .outAndBackWithoutGoal: "Out-and-back turns around halfway to a goal; give a goal too."
        case .notPaired: "This device is not paired; `pulselog devices` lists those that are."
        case .withoutRole: "This device offers neither heart rate nor steps; choose another one."
        case .futureDate: "This date is in the future; give today's or an earlier one."
        case .totalNotCredible:
            "Nobody walks more than \(Plausibility.stepsPerDay / 1_000),000 steps in a day, and a "
                + "day's count never falls; check the total. If you mean it: "
                + "`pulselog health TOTAL --anyway`."
        case .notSetAside:
            "Nothing was set aside there; `pulselog steps` lists what was, with its "
                + "position."
        case .notHeard:
            "This device sent no heart rate to this walk; `pulselog sessions show` names those "
                + "that did."
        case .noSuchSession: "There is no such walk; `pulselog sessions` lists them all."
        case .alreadyTaken: "It was already taken in."
        case .legacyNotCredible:
            "Nobody walks more than \(Plausibility.stepsPerDay / 1_000),000 steps in a day, and a "
                + "day's count never falls; check the value."
        case .legacyNotMore:
            "The day already shows at least as many steps, so nothing would change; `pulselog "
                + "steps correct` corrects a day."
        case .legacyWithoutReason: "An earlier program's value needs a reason and an author."
        case .clockNotSet: "The clock was never set, so today is unknown; set it or give a date."
        case .emptyCorrection: "A correction needs steps other than 0, a reason and an author."
        case .fieldOutOfRange:
            limitBytes.map {
                // The walker named a walk, not a session.
                "The \(field == "sessionName" ? "name" : inWords(field)) is too long: it "
                    + "can have \($0) bytes, and a letter with an "
                    + "accent takes two of them, an emoji four or more."
            } ?? "The \(inWords(field)) is out of range; give another."
        }
    }
}
