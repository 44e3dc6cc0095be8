internal import Clocks
internal import Dispatch
internal import Events
internal import Projections
package import Recording
internal import Synchronization
internal import Text

/// Watches a health store's file during a recording, and reads it when it has changed.
///
/// It asks the file for its time once a second instead of being told by inotify(7). A watch on the
/// folder would not see a file behind a symbolic link, one on a share or a phone's mount, nor a
/// folder that is made later or replaced; all of these are usual where a phone's export arrives,
/// and the store itself is late by half a minute or more. One stat(2) a second costs nothing.
///
/// A file is read once it has not changed for a second. All of it happens on a thread of its own:
/// an export takes seconds, a share that is gone may never answer, and the recording continues.
package final class HealthWatch: Sensor {
    private struct State {
        /// What was seen last: the file, and a database's write-ahead log.
        var seen: [FileSight] = []
        /// What was read or told last.
        var settled: [FileSight] = []
        var isLooking = false
        /// What the file told of dates when it was read last, and the recorder had room for: it is
        /// not told again.
        var told: Set<Command> = []
    }

    private let path: String
    private let zone: @Sendable (Int64) -> Int64
    private let runtime: Runtime
    private let queue = DispatchQueue(label: "health store")
    private let state = Mutex(State())

    /// Names a file; it need not exist yet.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - runtime: The clock and the pauses.
    ///   - zone: Minutes east of UTC at an instant.
    package init(
        path: String, on runtime: Runtime = .machine, zone: @escaping @Sendable (Int64) -> Int64
    ) {
        (self.path, self.zone, self.runtime) = (path, zone, runtime)
    }

    /// Looks at the file each second until the task is cancelled.
    package func run(into inbox: Inbox) async {
        await runtime.eachSecond { look(inbox) }
    }

    /// Looks at the file, and reports what it says, or why it cannot be read: once for each change.
    private func look(_ inbox: Inbox) {
        let isFree = state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard isFree else { return }
        queue.async { [self] in
            defer { state.withLock { $0.isLooking = false } }
            guard let sight = newSight() else { return }
            if case .nothing(let sentence) = sight {
                return inbox.insist(Arrived(.said(sentence), at: runtime.now()))
            }
            read(into: inbox)
        }
    }

    /// Looks at the file; nil if it is as it was, or still changing, or its dates cannot be judged
    /// yet because the clock was never set.
    private func newSight() -> FileSight? {
        let sight = FileSight(of: path)
        let sights = [sight, FileSight(of: DatabaseCopy.log(of: path))]
        let isClockSet = runtime.now().wallMilliseconds >= Arrival.earliestTrustedMilliseconds
        if case .file = sight, !isClockSet { return nil }
        return state.withLock { state in
            defer { state.seen = sights }
            guard state.seen == sights, state.settled != sights else { return nil }
            state.settled = sights
            return sight
        }
    }

    private func read(into inbox: Inbox) {
        do throws(FileError) {
            let file = HealthStoreFile(path: path)
            guard let format = try file.format() else {
                throw FileError(
                    .badContent,
                    "\(path) is neither a total, nor an Apple Health export, nor a "
                        + "Gadgetbridge database.")
            }
            let reading = try file.read(as: format)
            let now = runtime.now()
            if let damage = reading.damage {
                inbox.insist(Arrived(.said("\(name), in part: \(damage)"), at: now))
            }
            for remark in reading.remarks {
                inbox.insist(Arrived(.said("\(name): \(remark)"), at: now))
            }
            let today = CivilDate(
                wallMilliseconds: now.wallMilliseconds,
                zoneOffsetMinutes: zone(now.wallMilliseconds))
            let requests = reading.requests(today: today)
            let before = state.withLock { $0.told }
            // In order: after one that finds no room none is told, though there may be room again.
            var hasRoom = true
            let told = requests.filter { request in
                guard !before.contains(request) else { return true }
                hasRoom = hasRoom && inbox.offer(Arrived(.read(request), at: now))
                return hasRoom
            }
            state.withLock { state in
                if case .days = reading.content { state.told = Set(told) }
                // What found no room is told when the file is read again.
                if told.count < requests.count { state.settled = [] }
            }
        } catch {
            inbox.insist(Arrived(.said(error.description), at: runtime.now()))
        }
    }

    /// The file in a sentence.
    private var name: String { printable(path, limit: 200) }
}
