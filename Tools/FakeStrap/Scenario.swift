/// What is played: the straps in range, and what happens to them.
///
/// A capture and a scenario file both become this; nothing behind it knows which one it was.
struct Scenario: Hashable, Sendable {
    /// The straps in range.
    var straps: [Strap]
    /// What happens; the parts run beside each other, each with a clock of its own.
    var parts: [[Step]]
}

extension Scenario {
    /// One step of a part.
    enum Step: Hashable, Sendable {
        /// Stop the part's clock until something is so, at most for a time; nil for no limit.
        case wait(Condition, limitMilliseconds: UInt64?)
        /// Let time pass on the part's clock, which runs at the speed of the play.
        case pause(milliseconds: UInt64)
        /// Do something.
        case act(Action)
    }

    /// What a part can wait for; straps are counted from 0.
    enum Condition: Hashable, Sendable {
        /// Somebody gets the values of a characteristic, or, for nil, of any characteristic.
        case subscribed(strap: Int?, GattUUID?)
        /// Nobody gets any values of the strap.
        case unsubscribed(strap: Int)
        /// The strap has a link.
        case connected(strap: Int)
        /// The strap has no link.
        case disconnected(strap: Int)
    }

    /// What can happen; straps are counted from 0.
    enum Action: Hashable, Sendable {
        /// The strap sends a value; lost if nobody is subscribed.
        case notify(strap: Int, GattUUID, [UInt8])
        /// A read gives this from now on.
        case setValue(strap: Int, GattUUID, [UInt8])
        /// The strap can be heard and connected to, or no longer; a link stays.
        case advertise(strap: Int, Bool)
        /// The strap vanishes: a link breaks, and it does not advertise.
        case drop(strap: Int)
        /// The signal strength changes.
        case setRSSI(strap: Int, Int16?)
        /// The strap begins or ends to misbehave.
        case setFaults(strap: Int, Strap.Faults)
        /// The adapter is switched on or off.
        case power(Bool)
        /// The adapter is plugged in or pulled out.
        case plug(Bool)
        /// bluetoothd is killed, or started again.
        case daemon(isRunning: Bool)
        /// The next call of a method is refused.
        case refuse(Refusal)
    }

    /// A refusal of the next call of a method.
    struct Refusal: Hashable, Sendable {
        /// The method, as in `Connect`.
        var member: String
        /// The D-Bus name of the error, as in `org.bluez.Error.Failed`.
        var name: String
        /// The text that comes with it.
        var message: String
    }
}
