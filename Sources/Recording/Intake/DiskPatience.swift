/// How a recorder waits for a disk that is full; without an argument not at all.
///
/// What comes meanwhile waits in a ``BoundedQueue``; of what finds no room there, an event tells
/// the number.
package struct DiskPatience: Sendable {
    /// How often an append is tried again before the log counts as failed.
    var attempts = 0
    /// Whether the first append is tried again as well: else who cannot even begin does not wait.
    var isForTheFirst = true
    /// Waits before the next attempt.
    var pause: @Sendable () async -> Void = {}
    /// Told true when the waiting begins, and false when the disk has room again.
    var told: @Sendable (_ isWaiting: Bool) -> Void = { _ in }

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
