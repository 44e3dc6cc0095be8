package import BluetoothCentral

/// What is played: the straps in range, and what happens to them.
///
/// A capture and a scenario file both become this; nothing behind it knows which one it was.
package struct Scenario: Hashable, Sendable {
    /// The straps in range.
    package var straps: [Strap]
    /// What happens; the parts run beside each other, each with a clock of its own.
    package var parts: [[Step]]
    /// The adapters of the machine, the first is `hci0`.
    var adapters = [Controller()]
    /// Time limits of bluetoothd that are not as usual.
    var limits = Limits()
    /// Whether bluetoothd says why a link ended, as it does from version 5.83 on.
    var tellsReasons = false
}

extension Scenario {
    /// Makes a scenario in which nothing happens by itself.
    package init(straps: [Strap]) { self.init(straps: straps, parts: []) }

    /// One step of a part.
    package enum Step: Hashable, Sendable {
        /// Stop the part's clock until something is so, at most for a time; nil for no limit.
        ///
        /// Sets the mark.
        case wait(Condition, limitMilliseconds: UInt64?)
        /// Let time pass on the part's clock, which runs at the speed of the play.
        case pause(milliseconds: UInt64)
        /// Let time pass until the part's clock is this far from the mark, if it is not yet.
        case until(milliseconds: UInt64)
        /// Set the mark to this moment; at first it is where the part begins.
        case mark
        /// Let parts run beside each other, and wait until all are over.
        case parallel([[Step]])
        /// Do something.
        case act(Action)
    }

    /// What a part can wait for; straps are counted from 0.
    package enum Condition: Hashable, Sendable {
        /// Somebody gets the values of a characteristic, or, for nil, of any characteristic.
        case subscribed(strap: Int?, BluetoothUUID?)
        /// Nobody gets any values of the strap.
        case unsubscribed(strap: Int)
        /// The strap has a link.
        case connected(strap: Int)
        /// The strap has no link.
        case disconnected(strap: Int)
    }

    /// What can happen; straps are counted from 0.
    package enum Action: Hashable, Sendable {
        /// The strap sends a value; lost if nobody is subscribed.
        case notify(strap: Int, BluetoothUUID, [UInt8])
        /// A read gives this from now on.
        case setValue(strap: Int, BluetoothUUID, [UInt8])
        /// The strap can be heard and connected to, or no longer; a link stays.
        case advertise(strap: Int, Bool)
        /// The strap vanishes: a link breaks, and it does not advertise.
        case drop(strap: Int, LossReason = .timeout)
        /// The signal strength changes.
        case setRSSI(strap: Int, Int16?)
        /// The strap calls itself differently; nil for no name.
        case setName(strap: Int, String?)
        /// The strap sends and answers nothing, though its link stays; or no longer so.
        case mute(strap: Int, Bool)
        /// The strap answers requests with errors, or no longer.
        case setErrors(strap: Int, AttributeErrors)
        /// The next links of the strap break in the moment they are made.
        case breakLinks(strap: Int, count: Int)
        /// The strap begins or ends to misbehave.
        case setFaults(strap: Int, Strap.Faults)
        /// Another program removes the strap from bluetoothd.
        case remove(strap: Int)
        /// The adapters drop their scans.
        case stopScans
        /// An adapter is switched on or off.
        case power(Bool, adapter: Int = 0)
        /// An adapter is plugged in or pulled out.
        case plug(Bool, adapter: Int = 0)
        /// bluetoothd is killed, or started again.
        case daemon(isRunning: Bool)
        /// bluetoothd takes its leave and ends.
        case stopDaemon
        /// The next call of a method, as in `Connect`, is not answered as usual.
        case reply(Reply, to: String)
        /// bluetoothd sends a signal that is not as it should be.
        case malform(strap: Int, BluetoothUUID, Malformation, sizeBytes: Int)
        /// Another program on the bus says what only bluetoothd may say.
        case spoof(strap: Int, Spoof)
    }

    /// An answer to a call, other than usual.
    package enum Reply: Hashable, Sendable {
        /// That it is done, though nothing is.
        case done
        /// An error: its D-Bus name, as in `org.bluez.Error.Failed`, and a text.
        case refusal(name: String, message: String)
        /// Return values of types that nobody expects.
        case nonsense
        /// None at all.
        case silence
    }

    /// A claim of a program that is not bluetoothd.
    package struct Spoof: Hashable, Sendable {
        /// What it says.
        var claim: Claim
        /// Whether it says so to each program that is subscribed, past all match rules, and not to
        /// all who listen.
        var isDirect: Bool

        /// What a stranger can say of a strap.
        package enum Claim: Hashable, Sendable {
            /// It has sent this value.
            case value(BluetoothUUID, [UInt8])
            /// Its link is lost.
            case drop
        }
    }

    /// Time limits of bluetoothd, in milliseconds; nil for the usual one.
    ///
    /// They do not run at the speed of the play, so a play that is to be quick makes them short.
    package struct Limits: Hashable, Sendable {
        /// How long `Connect` waits for a strap that is not there.
        var connect: UInt64?
        /// How long a strap without a link is remembered after its last report.
        var forget: UInt64?
        /// How long the strap may take to answer a request.
        var answer: UInt64?
        /// How long a pairing may take.
        var pairing: UInt64?
    }
}
