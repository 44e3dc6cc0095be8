/// What happens to the central: all that ``CentralState`` ever learns.
public enum CentralInput: Hashable, Sendable {
    /// The caller wants something (else).
    case desireChanged(CentralDesire)
    /// bluetoothd has appeared on the bus, or was found there.
    ///
    /// Signals are subscribed already.
    case serviceAppeared
    /// bluetoothd is not, or no longer, on the bus.
    case serviceVanished
    /// The bus itself is gone, or cannot be reached.
    case busVanished
    /// An object was added, with all its properties.
    case objectAdded(LocatedObject)
    /// Properties of an object have changed.
    case objectChanged(LocatedObject)
    /// The value of a characteristic was signalled: notified, or read by somebody.
    case valueSignalled(path: String, [UInt8])
    /// An object lost an interface.
    case objectRemoved(path: String, BluezInterface)
    /// A link ended, and BlueZ (from 5.83) says why; the change of properties follows.
    case disconnected(path: String, name: String, message: String)
    /// A call was answered.
    ///
    /// Every call is, once.
    case answered(CallID, CallAnswer)
    /// Something came in that cannot be used.
    case found(IntakeFinding)
    /// Time has passed: ``CentralState/nextDeadlineMilliseconds`` is reached.
    case timePassed
}

/// The number of a call, never used twice.
public struct CallID: Hashable, Sendable {
    /// The number.
    public let number: UInt64

    /// Makes a number.
    ///
    /// - Parameter number: The number.
    public init(_ number: UInt64) {
        self.number = number
    }
}

/// How a call was answered.
public enum CallAnswer: Hashable, Sendable {
    /// It is done.
    case done
    /// It is done; this is the value that was read.
    case bytes([UInt8])
    /// It is done; these are all objects of interest.
    case objects([LocatedObject])
    /// It was refused, or failed.
    case failed(CallFailure)
    /// No answer came within its time limit; it may still be going on.
    case timedOut
}

/// What the central is to do.
public enum CentralAction: Hashable, Sendable {
    /// Send a call; its answer is a later input.
    case call(CallID, CentralCall)
    /// Tell the caller.
    case report(CentralReport)
}

/// A call of BlueZ, or of the bus about BlueZ.
public enum CentralCall: Hashable, Sendable {
    /// `GetManagedObjects`.
    case listObjects
    /// Ask the bus to start bluetoothd.
    case startService
    /// `AgentManager1.RegisterAgent`: we agree to pair with wanted devices.
    case registerAgent
    /// `SetDiscoveryFilter` and `StartDiscovery`.
    case startDiscovery(adapter: String, services: Set<BluetoothUUID>)
    /// `StopDiscovery`.
    case stopDiscovery(adapter: String)
    /// `Device1.Connect`.
    case connect(device: String)
    /// `Device1.Disconnect`; it also cancels a `Connect` that is going on.
    case disconnect(device: String)
    /// `GattCharacteristic1.StartNotify`.
    case startNotify(characteristic: String)
    /// `GattCharacteristic1.StopNotify`.
    case stopNotify(characteristic: String)
    /// `GattCharacteristic1.ReadValue`.
    case readValue(characteristic: String)
}

extension CentralCall {
    /// How long to wait for the answer, in milliseconds.
    ///
    /// BlueZ gives a `Connect` up after 42 s and an unanswered read after 30 s; `Disconnect` takes
    /// 2 s.
    public var timeoutMilliseconds: UInt64 {
        switch self {
        case .listObjects, .registerAgent, .startDiscovery, .stopDiscovery, .disconnect: 10_000
        case .stopNotify: 5_000
        case .startService: 30_000
        case .startNotify, .readValue: 35_000
        case .connect: 60_000
        }
    }
}
