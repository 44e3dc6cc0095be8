import EventStore
import Events
import Synchronization
import WalkService

/// A process with a page that only prepares a walk: the real service, which makes a recorder for it
/// and leaves it once nobody asks for it.
///
/// It has no Bluetooth: what counts is the lock of the one recorder, which it holds meanwhile.
final class PageProcess: Sendable {
    let number: Int
    private let store: SimulatedStore
    private let playing = Mutex<Task<Void, Never>?>(nil)
    private let over = Mutex(false)

    /// How often a page asks again.
    private static let askingMilliseconds: UInt64 = 10_000

    init(_ number: Int, _ computer: Computer, _ disk: Disk, _ timeline: Timeline) {
        self.number = number
        store = SimulatedStore(disk, of: number, on: computer, timeline)
    }

    var log: StoredLog { store.log }

    /// Whether its server has ended.
    var isOver: Bool { over.withLock { $0 } }

    /// Serves a page that prepares a walk for so long, and ends.
    func start(_ timeline: Timeline, for milliseconds: UInt64) {
        let task = Task(executorPreference: timeline) { @concurrent [self] in
            await serve(timeline, until: timeline.now + milliseconds)
            over.withLock { $0 = true }
        }
        playing.withLock { $0 = task }
    }

    private func serve(_ timeline: Timeline, until end: UInt64) async {
        let service: WalkService
        do throws(EventLogError) {
            service = try await store.service()
        } catch {
            return  // The log cannot be read.
        }
        let serving = Task(executorPreference: timeline) { @concurrent in
            do throws(EventLogError) {
                try await service.run()
            } catch {
                return  // Whoever looks is told why.
            }
        }
        while timeline.now < end, !Task.isCancelled {
            do throws(WalkRefusal) {
                try await service.perform(.setUp(listing: nil), within: nil)
            } catch {
                // Somebody records, or a session is open.
            }
            await timeline.sleep(milliseconds: min(Self.askingMilliseconds, end - timeline.now))
        }
        serving.cancel()
        await serving.value
    }

    /// What it still does is seen by nobody.
    func kill() {
        playing.withLock { $0?.cancel() }
    }
}
