internal import Events

/// How a connection span ended, as far as the log knows.
package enum LinkEnd: UInt8, CodedName, StatePart {
    /// Not known: out of range, empty battery, interference.
    case unknown = 0
    /// The strap was not heard of for the link's supervision timeout.
    case timeout = 1
    /// The strap ended it.
    case remote = 2
    /// The pairing was refused or is out of date.
    case authentication = 3
    /// The machine went to sleep.
    case suspended = 4
    /// The adapter went.
    case adapterLost = 5
    /// The daemon or the bus went.
    case daemonLost = 6
    /// This machine ended it.
    case requested = 7
    /// The recorder or the machine was cut off or restarted; it ended when it was last heard of.
    case recorderGone = 8
    /// Another strap took over.
    case otherStrap = 9
    /// The session ended; the connection stood.
    case sessionEnded = 10

    /// What drops are: losses that nobody asked for while a recorder listened.
    package static let drops = allCases.filter { $0.rawValue < requested.rawValue }

    /// The names in the JSON form, in the order of the cases.
    package static let names = [
        "unknown", "timeout", "remote", "authentication", "suspended", "adapterLost", "daemonLost",
        "requested", "recorderGone", "otherStrap", "sessionEnded",
    ]

    /// The end that an event gives.
    ///
    /// An event other than a loss that ends a link does so because a recorder or a boot began.
    init(_ event: Event) {
        guard case .linkLost(let event) = event else {
            self = .recorderGone
            return
        }
        // Names are the same as in the log, numbers are not.
        self = Self.allCases.first { $0.name == event.cause.known?.name } ?? .unknown
    }
}

/// A connection to the strap within a session, from link up or the session's start to its end.
///
/// A pause does not end it. Times are those of the boot clock.
package struct LinkSpan: StatePart, Hashable, Sendable {
    /// When it began, after the session's start.
    package internal(set) var startMilliseconds: UInt64 = 0
    /// How long it lasted.
    package internal(set) var durationMilliseconds: UInt64 = 0
    /// How it ended, or nil while it is open.
    package internal(set) var end: LinkEnd?
    /// Heart-rate values as they came, with copies and with those that do not count.
    package internal(set) var values: UInt64 = 0
    /// The sum of the RR intervals as they came, in 1/1024 s, without the first value that has any.
    package internal(set) var rrTicks: UInt64 = 0
    /// The time that these intervals should fill: from value to value, without pauses.
    package internal(set) var rrMilliseconds: UInt64 = 0
    /// The most times that each value was found to come; 1 if once.
    package internal(set) var deliveryFactor: UInt64 = 1

    /// The RR intervals' share of the time: 1.00 if no beat is missing, 2.00 if each value comes
    /// twice; nil without two values with RR.
    package var rrConservation: Hundredths? {
        Hundredths(rrTicks.times(1_000), over: rrMilliseconds.times(1_024))
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&startMilliseconds, &durationMilliseconds, &end, &values, &rrTicks)
        try coder(&rrMilliseconds, &deliveryFactor)
    }
}
