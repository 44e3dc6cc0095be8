/// How a recorder waits for a disk that is full.
///
/// What comes meanwhile waits in a ``BoundedQueue``; of what finds no room there, an event tells
/// the number.
package struct DiskPatience: Sendable {
    /// How often an append is tried again before the log counts as failed.
    let attempts: Int
    /// Whether the first append is tried again as well: else who cannot even begin does not wait.
    let isForTheFirst: Bool
    /// Waits before the next attempt.
    let pause: @Sendable () async -> Void
    /// Told true when the waiting begins, and false when the disk has room again.
    let told: @Sendable (_ isWaiting: Bool) -> Void

    /// Makes a patience; without an argument none at all.
    ///
    /// - Parameters:
    ///   - attempts: How often an append is tried again.
    ///   - isForTheFirst: Whether the first append is tried again as well.
    ///   - pause: Waits before the next attempt.
    ///   - told: Told true when the waiting begins, and false when the disk has room again.
    package init(
        attempts: Int = 0, isForTheFirst: Bool = true,
        pause: @escaping @Sendable () async -> Void = {},
        told: @escaping @Sendable (_ isWaiting: Bool) -> Void = { _ in }
    ) {
        self.attempts = attempts
        self.isForTheFirst = isForTheFirst
        self.pause = pause
        self.told = told
    }

    /// An attempt each second, for a minute, once something was recorded.
    ///
    /// - Parameters:
    ///   - runtime: Whose seconds they are.
    ///   - told: Told true when the waiting begins, and false when it is over well.
    /// - Returns: The patience.
    package static func minute(
        on runtime: Runtime,
        told: @escaping @Sendable (_ isWaiting: Bool) -> Void
    ) -> DiskPatience {
        DiskPatience(
            // When it is cancelled, the next attempt comes at once, and is the last.
            attempts: 60, isForTheFirst: false, pause: { await runtime.pass(.seconds(1)) },
            told: told)
    }
}
