package import Deciding
internal import Synchronization

/// The snapshot that a command keeps when its answer has been given.
///
/// It takes a flush of the disk, which nobody shall wait for: neither who asked, nor a recorder of
/// this process, which has ended by then, nor one of another.
package final class LateSnapshot: Sendable {
    /// That of the command that runs; nil outside of one.
    @TaskLocal package static var ofCommand: LateSnapshot?

    fileprivate struct Offer {
        let store: Store
        let folded: @Sendable () async -> FoldedState
    }

    fileprivate let offer = Mutex<Offer?>(nil)

    /// Begins with nothing to keep.
    package init() {}

    /// Keeps the snapshot, if so much was folded that it is worth it, and nobody records.
    package func keep() async {
        guard let offer = offer.withLock({ $0.take() }) else { return }
        let folded = await offer.folded()
        guard folded.isFar(Surroundings.snapshotInterval), !offer.store.isRecorderAlive else {
            return
        }
        offer.store.log.keepSnapshot(of: folded, in: offer.store.snapshots)
    }
}

extension Store {
    /// Keeps what was folded when the command has given its answer, in the place of what was noted
    /// before.
    ///
    /// The store stays open as long: a command that opens it again notes nothing.
    ///
    /// - Parameter folded: Gives the state when the time has come.
    package func keepLater(_ folded: @escaping @Sendable () async -> FoldedState) {
        LateSnapshot.ofCommand?.offer.withLock { $0 = .init(store: self, folded: folded) }
    }
}
