/// Where a cluster is, and how it knows who connects.
public struct Credentials: Hashable, Sendable {
    /// The servers, as `nats://host:port` or `tls://host:port`.
    public var servers: [String]
    /// The file of a user's credentials (JWT and seed), or nil.
    public var credentialsFile: String?
    /// The file of a user's seed, which proves the public key below, or nil.
    public var seedFile: String?
    /// The public key of the seed: an nkey that begins with U.
    public var publicKey: String?
    /// The file of the certificates that servers are known by, or nil for the system's.
    public var authorityFile: String?

    /// Names the servers.
    public init(servers: [String]) {
        self.servers = servers
    }
}
