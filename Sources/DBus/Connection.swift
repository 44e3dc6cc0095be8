internal import CDBus
public import Clocks
import Glibc

/// The connection as its own thread sees it: everything that may be done with it, none of it waits.
///
/// It is lent to jobs (``Bus/enqueue(_:)``) and lives on the bus thread alone; not being
/// `Sendable`, it cannot leave. Whoever is called by it (handlers, completions, timers) is on the
/// bus thread, one at a time, and may keep it.
///
/// Replies are matched here, by serial number, and time limits are timers like any other. libdbus's
/// own pending calls are not used: a second table with a second clock, whose reference counts and
/// notify functions are the usual source of lost replies.
@safe
public final class Connection {
    /// What happens to a reply.
    public typealias Completion = (Result<[Value], DBusError>, Arrival) -> Void

    /// The unique name that the bus gave to this connection, as in `:1.42`.
    public let uniqueName: String

    /// Whether the bus is there.
    ///
    /// Once false, forever false.
    public var isConnected: Bool { phase == .open }

    /// How many messages were dropped because they were beyond the limits or held an unknown type.
    public internal(set) var droppedMessageCount: UInt64 = 0

    /// How many answers came from somebody who was not asked, or to a question nobody asked.
    public internal(set) var strayAnswerCount: UInt64 = 0

    /// Called for each signal, in the order the bus sent them, with the sender's unique name.
    public var onSignal: ((_ signal: Signal, _ sender: String, Arrival) -> Void)?

    /// Called for each call of a method of ours.
    ///
    /// Without it, callers learn that there is no such method.
    public var onMethodCall: ((_ call: MethodCall, _ from: ReplyAddress, Arrival) -> MethodReply)?

    /// Called for each dropped message; the error names it.
    ///
    /// With the sender's unique name if it was a signal.
    public var onDropped: ((DBusError, _ signalSender: String?, Arrival) -> Void)?

    /// Called once when the bus goes away.
    ///
    /// All pending calls have failed before.
    public var onDisconnected: ((Arrival) -> Void)?

    /// What lives on this connection, so that later jobs find it.
    ///
    /// Released when the connection ends.
    public var resident: AnyObject?

    let limits: Limits
    /// Reads the connection's clock: the stamp of this moment.
    public let now: @Sendable () -> Arrival
    let messages: MessageCounter
    let watches = WatchSet()
    var timers = TimerQueue<(Arrival) -> Void>()
    var pending: [UInt32: PendingCall] = [:]
    /// Failures of calls that could not be sent, handed over in the next turn of the loop.
    var failures: [(Arrival) -> Void] = []
    var phase = Phase.open

    enum Phase {
        case open
        /// The bus went away.
        case lost
        /// We ended it.
        case closed
    }

    /// Valid until ``closeAndRelease()``, which is the last thing that happens to a connection.
    let pointer: OpaquePointer

    struct PendingCall {
        let call: MethodCall
        let timer: TimerID
        let completion: Completion
    }

    init(
        owning pointer: OpaquePointer, limits: Limits, messages: MessageCounter,
        clock: @escaping @Sendable () -> Arrival
    ) {
        unsafe self.pointer = pointer
        (self.limits, self.messages) = (limits, messages)
        now = clock
        uniqueName =
            unsafe dbus_bus_get_unique_name(pointer).map { unsafe String(cString: $0) } ?? ""
        unsafe watches.attach(to: pointer)
    }
}

// MARK: - Timers

extension Connection {
    /// Names a timer of one connection.
    public struct TimerID: Hashable {
        let id: TimerQueue<(Arrival) -> Void>.ID
    }

    /// Calls once, not before a time has passed on the boot clock.
    ///
    /// - Parameters:
    ///   - milliseconds: The time; 0 for the next turn of the loop.
    ///   - action: What is to be done. Of timers that are due together the one set first comes
    ///     first.
    /// - Returns: The timer, for ``cancel(_:)``.
    @discardableResult
    public func after(
        milliseconds: UInt64, _ action: @escaping (Arrival) -> Void
    ) -> TimerID {
        let (sum, overflow) = now().bootMilliseconds.addingReportingOverflow(milliseconds)
        let deadline = overflow ? UInt64.max : sum
        return TimerID(id: timers.insert(deadlineMilliseconds: deadline, action))
    }

    /// Cancels a timer.
    ///
    /// Nothing happens if it has fired already.
    ///
    /// - Parameter timer: The timer.
    public func cancel(_ timer: TimerID) {
        timers.remove(timer.id)
    }
}
