/// Where an event says what the walker's zone is.
public enum ZoneOffset {
    /// Minutes east of UTC from an event on.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - source: Whose zone it is: 0 for this recorder's, else an import's.
    /// - Returns: The minutes; nil if the event says nothing of them.
    public static func minutes(_ event: borrowing EventView, of source: UInt32 = 0) -> Int64? {
        guard event.header.source == source else { return nil }
        switch event.header.kind {
        case .bootBegan, .recorderStarted, .zoneOffsetChanged: break
        default: return nil
        }
        return minutes(event.decoded)
    }

    /// As above, for an event of the recorder that is decoded.
    public static func minutes(_ event: Event) -> Int64? {
        switch event {
        case .bootBegan(let event): event.zoneOffsetMinutes
        case .recorderStarted(let event): event.zoneOffsetMinutes
        case .zoneOffsetChanged(let event): event.toMinutes
        default: nil
        }
    }
}
