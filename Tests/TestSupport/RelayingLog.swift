package import EventStore

/// A log in front of one in memory, which does what this one does not do in its own way.
package protocol RelayingLog: ForwardingLog {
    /// The log behind it.
    var log: InMemoryEventLog { get }
}

extension RelayingLog {
    /// The same, as any log.
    package var behind: any EventLog { log }
}
