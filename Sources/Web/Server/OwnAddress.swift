internal import NIOCore
internal import Words

/// An address that this machine has on a network: the one that its phones reach it at.
///
/// It is always named by somebody: all addresses at once would be those of every network that the
/// machine ever joins.
struct OwnAddress: Hashable, Sendable {
    /// As inet_ntop(3) writes it, such as 192.168.1.5 or fd00::5.
    let text: String

    /// As it stands in addresses of pages (RFC 3986, 3.2.2).
    var host: String { text.contains(":") ? "[\(text)]" : text }

    /// Looks whether an address is one of this machine's.
    ///
    /// - Parameter text: What somebody has typed.
    /// - Throws: `CommandFailure` if it is none, all at once, loopback, one that needs the name of
    ///   an interface or stands for one of IPv4, or another machine's.
    init(_ text: String) throws(CommandFailure) {
        let own = Self.all
        guard !text.contains("%"), let name = Self.name(of: Self.numeric(text, port: 0)) else {
            throw CommandFailure(.usage, ofListeningAt: text)
        }
        // A service may not be allowed to ask; then the system says so when it is to listen.
        guard own.isEmpty || own.contains(where: { $0.text == name }) else {
            throw CommandFailure(.unavailable, ofListeningAt: text)
        }
        self.text = name
    }

    /// Those that can be named, with their networks.
    static var names: [String] { all.map { "\($0.text) (\($0.network))" } }

    private static var all: [(text: String, network: String)] {
        do {
            return try System.enumerateDevices().compactMap { device in
                name(of: device.address).map { ($0, device.name) }
            }
        } catch {
            return []
        }
    }

    /// What is written for an address; nil unless it can be that of one machine, and a browser can
    /// be sent to it.
    private static func name(of address: SocketAddress?) -> String? {
        guard let name = address?.ipAddress, !["0.0.0.0", "::", "::1"].contains(name),
            !["127.", "::ffff:", "fe80:"].contains(where: name.hasPrefix)
        else { return nil }
        return name
    }

    /// A numeric address; nil if the text isn't one: nobody is asked what a name means.
    static func numeric(_ text: String, port: UInt16) -> SocketAddress? {
        do {
            return try SocketAddress(ipAddress: text, port: Int(port))
        } catch {
            return nil
        }
    }
}
