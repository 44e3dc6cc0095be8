package import Events

extension RecordedEvent {
    /// An event in the version that is written now, as a log holds it.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - position: Where in the log.
    ///   - stamp: When.
    ///   - flags: What is known of that time.
    ///   - source: The log that it comes from; 0 is the log itself.
    package init(
        _ event: Event, at position: Position, _ stamp: Stamp, flags: EventFlags = [],
        source: UInt32 = 0
    ) {
        let header = EventHeader(
            position: position, source: source, stamp: stamp, flags: flags, kind: event.kind,
            version: event.version)
        self.init(header: header, event: event)
    }
}
