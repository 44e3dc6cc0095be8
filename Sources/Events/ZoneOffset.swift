/// Where an event says what the walker's zone is, and what UTC is by it.
public enum ZoneOffset {
    /// UTC of a time by a clock on the wall.
    ///
    /// - Parameters:
    ///   - local: Milliseconds since 1970 by that clock.
    ///   - offsetMinutes: Minutes east of UTC at a UTC time in milliseconds.
    /// - Returns: UTC in milliseconds since 1970.
    public static func utc(
        ofLocal local: Int64, _ offsetMinutes: (_ milliseconds: Int64) -> Int64
    ) -> Int64 {
        // The second look is right also next to the hour in which the offset changes.
        local - offsetMinutes(local - offsetMinutes(local) * 60_000) * 60_000
    }

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
