/// Where a cluster is, and how it knows who connects.
package struct Credentials: Hashable, Sendable {
    /// The servers, as `nats://host:port` or `tls://host:port`.
    package var servers: [String]
    /// The file of a user's credentials (JWT and seed), or nil.
    package var credentialsFile: String?
    /// The file of a user's seed, which proves the public key below, or nil.
    package var seedFile: String?
    /// The public key of the seed: an nkey that begins with U.
    package var publicKey: String?
    /// The file of the certificates that servers are known by, or nil for the system's.
    package var authorityFile: String?

    /// Names the servers.
    package init(servers: [String]) { self.servers = servers }
}
