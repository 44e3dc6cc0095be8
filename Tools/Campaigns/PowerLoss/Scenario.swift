internal import EventStoreLMDB

/// A run in which the power fails, and what it is to show.
struct Scenario: Sendable {
    /// Whose log is held against what was said.
    enum Subject: Sendable {
        /// A store that was there.
        case store
        /// One that the run makes.
        case newStore
        /// A copy that the run makes of a store, which it leaves alone.
        case copy
    }

    /// A store that runs begin with.
    enum Base: Sendable {
        case none
        /// One that commands have made: a walk, a profile, a health total; sealed, with a snapshot.
        case walked
        /// One of the writer's, without a key.
        case written
        /// The same, with a small map.
        case narrow
    }

    /// A program and its arguments; STORE, STATE and COPY stand for paths.
    enum Run: Sendable {
        case pulselog([String])
        case writer([String])
    }

    /// The kind of commit.
    let name: String
    let subject: Subject
    let base: Base
    let run: Run
    /// Whether the run did what it is there for.
    let shows: @Sendable (_ before: StoreReading?, _ after: StoreReading) -> Bool

    static let all: [Scenario] = [
        Scenario(
            "append", .store, .walked, .writer(["--commits", "24", "--events", "7"])
        ) { before, after in
            after.events.count == (before?.events.count ?? 0) + 168
        },
        Scenario(
            "block", .store, .written, .writer(["--commits", "16", "--events", "150"])
        ) { before, after in
            after.blocks >= (before?.blocks ?? 0) + 3
        },
        Scenario(
            "map", .store, .narrow,
            .writer(["--commits", "10", "--events", "400", "--map-bytes", "\(narrowMapBytes)"])
        ) { before, after in
            before?.fileBytes ?? .max < narrowMapBytes && after.fileBytes > narrowMapBytes
        },
        Scenario("command", .store, .walked, .pulselog(["profile", "set", "weight=80kg"])) {
            after($0, has: 1, moreThan: $1)
        },
        Scenario(
            "record", .store, .walked, .pulselog(["record", "--simulate", "--new", "--for", "1s"])
        ) { after($0, has: 3, moreThan: $1) && $1.evidence.checkpoints > 1 },
        Scenario(
            "checkpoint", .store, .walked, .writer(["--commits", "2", "--seals", "6"])
        ) { before, after in
            after.evidence.checkpoints >= (before?.evidence.checkpoints ?? 0) + 6
        },
        Scenario("key", .store, .written, .writer(["--commits", "1", "--seals", "1"])) {
            $0?.evidence.vkey == nil && $1.evidence.vkey != nil && $1.evidence.isComparedOutside
        },
        Scenario("snapshot", .store, .walked, .pulselog(["steps"])) { before, after in
            after.snapshotEnd ?? 0 > before?.snapshotEnd ?? .max
        },
        Scenario("creation", .newStore, .none, .writer(["--creates", "--commits", "2"])) {
            $0 == nil && $1.events.count == 3
        },
        Scenario(
            "new-record", .newStore, .none, .pulselog(["record", "--simulate", "--for", "1s"])
        ) { $0 == nil && $1.evidence.isComparedOutside && $1.snapshotEnd != nil },
        Scenario("backup", .copy, .walked, .pulselog(["log", "backup", "COPY"]), isCopy),
        Scenario(
            "compaction", .copy, .walked, .pulselog(["log", "backup", "COPY", "--compact"]),
            isCopy),
        Scenario(
            "restore", .copy, .walked, .pulselog(["log", "restore", "STORE", "--store", "COPY"])
        ) { after($0, has: 1, moreThan: $1) },
        Scenario("recover", .copy, .walked, .pulselog(["log", "recover", "--out", "COPY"])) {
            after($0, has: 1, moreThan: $1)
        },
    ]

    /// How far the map of the narrow store reaches at first, in bytes.
    static let narrowMapBytes = 131_072

    private init(
        _ name: String, _ subject: Subject, _ base: Base, _ run: Run,
        _ shows: @escaping @Sendable (_ before: StoreReading?, _ after: StoreReading) -> Bool
    ) {
        (self.name, self.subject, self.base, self.run) = (name, subject, base, run)
        self.shows = shows
    }

    @Sendable
    private static func after(
        _ before: StoreReading?, has count: Int, moreThan after: StoreReading
    ) -> Bool {
        guard let before else { return false }
        return after.events.count >= before.events.count + count
            && after.events.starts(with: before.events)
    }

    @Sendable
    private static func isCopy(_ before: StoreReading?, _ after: StoreReading) -> Bool {
        before?.events == after.events
    }
}
