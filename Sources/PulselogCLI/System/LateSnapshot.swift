internal import Deciding
internal import Recording
internal import Synchronization
internal import WalkService

/// The snapshot that a command keeps when its answer has been given.
///
/// It takes a flush of the disk, which nobody shall wait for: neither who asked, nor a recorder of
/// this process, which has ended by then, nor one of another.
final class LateSnapshot: Sendable {
    /// That of the command that runs; nil outside of one.
    @TaskLocal static var ofCommand: LateSnapshot?

    private struct Offer {
        let store: Store
        let folded: @Sendable () async -> FoldedState
    }

    private let offer = Mutex<Offer?>(nil)

    /// Notes what may be kept, in the place of what was noted before.
    ///
    /// The store stays open as long: a command that opens it again notes nothing.
    ///
    /// - Parameters:
    ///   - folded: Gives the state when the time has come.
    ///   - store: The store that it is of.
    func note(_ folded: @escaping @Sendable () async -> FoldedState, of store: Store) {
        offer.withLock { $0 = Offer(store: store, folded: folded) }
    }

    /// Keeps the snapshot, if so much was folded that it is worth it, and nobody records.
    func keep() async {
        guard let offer = offer.withLock({ $0.take() }) else { return }
        let folded = await offer.folded()
        guard folded.isFar(CommonOptions.snapshotInterval), !offer.store.isRecorderAlive else {
            return
        }
        offer.store.log.keepSnapshot(of: folded.state, in: offer.store.snapshots)
    }
}

extension Store {
    /// Keeps what an appender has folded, and its own events, when the command has done its work.
    func keepLater(_ appender: Appender) {
        LateSnapshot.ofCommand?.note({ await appender.folded }, of: self)
    }

    /// Keeps what a service has folded, when the command has done its work.
    func keepLater(_ service: WalkService) {
        LateSnapshot.ofCommand?.note({ await service.folded }, of: self)
    }

    /// Keeps a state of the whole log when the command has given its answer.
    func keepLater(_ folded: FoldedState) {
        LateSnapshot.ofCommand?.note({ folded }, of: self)
    }
}
