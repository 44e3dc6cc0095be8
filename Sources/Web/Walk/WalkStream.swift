internal import EventStore
internal import Events
internal import Interchange
internal import JSON
internal import Projections
internal import Recording
internal import Synchronization
internal import WalkService

/// Server-sent events (WHATWG HTML, 9.2): each event of the log, with its position as the id, and
/// how things stand after the last of them; then what is new of the walk's track.
///
/// Whoever was away resumes after the last position received: what was missed is read from the
/// log, so there is no gap and no repeat.
struct WalkStream: Sendable {
    /// The most events that are read, and sent, at once.
    private static let portion: Position = 500

    /// Shows the log, and what is new.
    let service: WalkService
    /// Tells what is new of the walk's track.
    let track: WalkTrack
    /// The first event that the listener wants; nil for only what comes.
    let position: Position?
    /// The listener's.
    let place: StreamPlaces.Place

    /// Writes until the task is cancelled, or the log is followed no longer.
    ///
    /// - Throws: What `write` throws; `EventLogError`.
    func run(_ write: Response.Writing) async throws {
        let feed = await service.views()
        defer { service.unsubscribe(feed) }
        var next = position
        var sent = WalkTrack.Sent()
        for await _ in feed.wakes {
            guard let scene = feed.take() else { continue }
            let end = scene.state.next
            if let wanted = next, wanted > end {
                // Another log than the listener knows, or an older one: his figures are of no use.
                try await write(Array("\(Self.id(scene))event: reset\ndata: {}\n\n".utf8))
                next = nil
            }
            var start = next ?? end
            while start < end {
                let portion = start..<min(end, start + Self.portion)
                try await write(try await events(in: portion, scene).flatMap(Self.message))
                start = portion.upperBound
            }
            next = max(start, end)
            try await write(message(scene))
            for message in try await track.messages(scene, after: &sent) {
                try await write(message)
            }
        }
    }

    /// The events of a range: those of the scene, or if somebody was away those of the log.
    private func events(
        in range: Range<Position>, _ scene: Scene
    ) async throws(EventLogError) -> [RecordedEvent] {
        if let first = scene.events.first?.header.position, first <= range.lowerBound {
            let events = scene.events.filter { range.contains($0.header.position) }
            if events.count == range.count { return events }
        }
        return try await service.history { () throws(EventLogError) in
            try service.log.events(in: range)
        }
    }

    private static func message(_ event: RecordedEvent) -> [UInt8] {
        Array("id: \(event.header.position)\nevent: log\ndata: ".utf8) + event.jsonLine + [0x0A]
    }

    private func message(_ scene: Scene) -> [UInt8] {
        let line = JSONWriter.line { json in
            json.field("head", scene.state.head)
            scene.writeFields(to: &json)
        }
        return Array("\(Self.id(scene))event: scene\ndata: ".utf8) + line + [0x0A]
    }

    /// Whoever has received a scene has all events before it.
    private static func id(_ scene: Scene) -> String {
        "id\(scene.state.head.map { ": \($0)" } ?? "")\n"
    }
}

/// The places of those who listen; there are so many.
final class StreamPlaces: Sendable {
    /// How many there are.
    static let limit = 16

    private let taken = Atomic(0)

    /// Somebody's place, until it is given up.
    final class Place: Sendable {
        private let places: StreamPlaces

        fileprivate init(_ places: StreamPlaces) {
            self.places = places
        }

        deinit { places.taken.subtract(1, ordering: .relaxed) }
    }

    /// Takes a place; nil if there is none.
    ///
    /// - Returns: The place; it is free again when nobody holds it.
    func take() -> Place? {
        guard taken.add(1, ordering: .relaxed).newValue <= Self.limit else {
            taken.subtract(1, ordering: .relaxed)
            return nil
        }
        return Place(self)
    }
}
