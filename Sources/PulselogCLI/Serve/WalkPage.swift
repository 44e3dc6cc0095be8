internal import Clocks
internal import EventStore
internal import EventStoreLMDB
internal import Glibc
internal import Projections
internal import Recording
internal import Web

/// What browsers are shown of a store: the log as it grows, and the recorder of this process while
/// there is one.
struct WalkPage: Sendable {
    private let store: Store
    private let follower: LogFollower
    /// Decides what is asked for, and what is reported.
    let appender: Appender
    /// Has a recorder while somebody wants one.
    let host: RecorderHost
    /// What somebody has to know who looks.
    let token: AccessToken
    /// What is told, and can be asked for.
    let endpoint: WalkEndpoint

    /// Prepares a page.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - make: Makes a recorder when somebody sets up a walk.
    /// - Throws: ``CommandFailure`` if the log or the token cannot be read.
    init(
        _ store: Store, make: @escaping RecorderHost.Making
    ) async throws(CommandFailure) {
        self.store = store
        appender = try await store.appender()
        store.keepLater(appender)
        follower = LogFollower(
            appender, log: store.log, machine: try Machine.this(),
            isRecorderAlive: { store.isRecorderAlive },
            commitInterval: { store.commitIntervalMilliseconds })
        host = RecorderHost(
            follower,
            eachSecond: {
                // Who travels takes the zone along.
                tzset()
                return store.longWait?.description
            }, make: make)
        token = try store.token(for: .walks)
        endpoint = WalkEndpoint(
            store.log, appender, follower, host, token: token, snapshots: store.snapshots,
            selfCheck: { [store] in store.lastSelfCheck },
            now: Arrival.now)
    }

    /// Follows the log, and runs recorders, until the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` if the log cannot be read any more.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do throws(EventLogError) {
                    try await follower.run()
                } catch {
                    throw CommandFailure(error, store: store.directory)
                }
            }
            group.addTask { await host.run() }
            try await group.next()
        }
    }
}
