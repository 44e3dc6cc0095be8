/// The right to fold a share: a message that ends by itself when it is not renewed.
package struct Lease: Sendable {
    /// How long a lease lasts that nobody renews.
    package static let lifetime: Duration = .seconds(10)
    /// How often it is renewed.
    package static let renewInterval: Duration = .seconds(3)

    private let subject: String
    private let holder: [UInt8]
    private var sequence: UInt64
    private var renewedAt: ContinuousClock.Instant

    /// Takes a lease that nobody has.
    ///
    /// - Parameters:
    ///   - share: The share.
    ///   - holder: Who takes it, in words for people.
    ///   - cluster: Where it is kept.
    ///   - now: When.
    /// - Returns: nil if somebody has it.
    /// - Throws: ``ClusterError``.
    package static func take(
        _ share: Character, for holder: String, in cluster: any Cluster,
        at now: ContinuousClock.Instant
    ) async throws(ClusterError) -> Lease? {
        let subject = Subjects.lease(ofShare: share)
        let last = try await cluster.lastMessage(of: subject, in: Subjects.leases)
        // One that was given back holds nothing.
        guard last?.payload.isEmpty ?? true else { return nil }
        let bytes = Array(holder.utf8)
        do throws(ClusterError) {
            let sequence = try await cluster.publish(
                NewMessage(subject, expecting: last?.sequence ?? 0, bytes))
            return Lease(subject: subject, holder: bytes, sequence: sequence, renewedAt: now)
        } catch {
            guard error.code == .conflict else { throw error }
            return nil
        }
    }

    /// Gives it back, so that another worker need not wait until it ends.
    ///
    /// - Throws: ``ClusterError``; it ends by itself then.
    package func giveBack(in cluster: any Cluster) async throws(ClusterError) {
        do throws(ClusterError) {
            try await cluster.publish(NewMessage(subject, expecting: sequence, []))
        } catch {
            // Somebody else has it already.
            guard error.code == .conflict else { throw error }
        }
    }

    /// Renews it if it is time.
    ///
    /// - Returns: Whether it is still held.
    package mutating func renew(
        in cluster: any Cluster, at now: ContinuousClock.Instant
    ) async -> Bool {
        guard now - renewedAt >= Self.renewInterval else { return true }
        do throws(ClusterError) {
            sequence = try await cluster.publish(
                NewMessage(subject, expecting: sequence, holder))
            renewedAt = now
            return true
        } catch {
            // Without an answer it may have been renewed; then the next attempt is refused.
            return error.code == .lost && now - renewedAt < Self.lifetime
        }
    }
}
