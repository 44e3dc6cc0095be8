internal import Deciding
package import Stores

/// The store that files are imported into, opened when the first of them has been read.
///
/// It is opened once: a process cannot open a store again before everything has let go of it.
package final class ImportTarget {
    private let make: () throws -> Store
    private var opened: (store: Store, appender: Appender)?

    /// Prepares a store.
    ///
    /// - Parameter make: Opens it, and makes it if there is none.
    package init(_ make: @escaping () throws -> Store) {
        self.make = make
    }

    /// Opens the store, unless that was done.
    func open() async throws -> (store: Store, appender: Appender) {
        if let opened { return opened }
        let store = try make()
        let appender = try await store.appender()
        store.keepLater { await appender.folded }
        opened = (store, appender)
        return (store, appender)
    }

    /// Seals the log, if it was opened.
    package func seal() async {
        guard let (store, appender) = opened else { return }
        await store.sealAtExit { await store.seal(appender) }
    }
}
