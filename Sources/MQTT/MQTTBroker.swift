/// What stands below a topic, or came for it; below a topic with an empty text stands nothing.
public typealias MQTTMessage = (topic: String, payload: String)

/// A broker, how it is reached, and what it does for us.
public struct MQTTBroker: Sendable {
    /// Its name or address.
    public let host: String
    /// Its port.
    public let port: UInt16
    /// The file with the certificates that vouch for it; nil without TLS.
    public var authorities: String?
    /// Who we are; nil for nobody.
    public var user: String?
    /// The password of that user; nil without one.
    public var password: String?
    /// What it publishes if this process or its network is gone; nil for nothing.
    public var will: MQTTMessage?
    /// The topics that are listened to.
    public var topics: [String] = []

    /// Names a broker.
    public init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }
}
