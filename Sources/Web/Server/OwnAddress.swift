internal import Glibc

/// An address that this machine has on a network: the one that its phones reach it at.
///
/// It is always named by somebody: all addresses at once would be those of every network that the
/// machine ever joins.
struct OwnAddress: Hashable, Sendable {
    /// As getnameinfo(3) writes it, such as 192.168.1.5 or fd00::5.
    let text: String

    /// As it stands in addresses of pages (RFC 3986, 3.2.2).
    var host: String { text.contains(":") ? "[\(text)]" : text }

    /// Looks whether an address is one of this machine's.
    ///
    /// - Parameter text: What somebody has typed.
    /// - Throws: ``ListenError`` if it is none, all at once, loopback, one that needs the name of
    ///   an interface or stands for one of IPv4, or another machine's.
    init(_ text: String) throws(ListenError) {
        let own = Self.all
        guard let name = Self.canonical(text), !["0.0.0.0", "::", "::1"].contains(name),
            !name.hasPrefix("127."), !name.hasPrefix("::ffff:"), !name.contains("%")
        else {
            throw ListenError(.noAddress, text, own: Self.names)
        }
        // A service may not be allowed to ask; then the system says so when it is to listen.
        guard own.isEmpty || own.contains(where: { $0.text == name }) else {
            throw ListenError(.notOurs, text, own: Self.names)
        }
        self.text = name
    }

    /// Those that can be named, with their networks.
    static var names: [String] { all.map { "\($0.text) (\($0.network))" } }

    /// Those that there are, but for loopback and those that no browser can be sent to, because
    /// they need the name of an interface.
    private static var all: [(text: String, network: String)] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var all: [(text: String, network: String)] = []
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let entry = entry?.pointee, let address = entry.ifa_addr,
                entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            let family = CInt(address.pointee.sa_family)
            let size =
                family == AF_INET
                ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            guard family == AF_INET || family == AF_INET6,
                let text = name(address, socklen_t(size)), !text.contains("%")
            else { continue }
            all.append((text, String(cString: entry.ifa_name)))
        }
        return all
    }

    private static func canonical(_ text: String) -> String? {
        guard let list = resolved(text, port: 0) else { return nil }
        defer { freeaddrinfo(list) }
        return name(list.pointee.ai_addr, list.pointee.ai_addrlen)
    }

    private static func name(
        _ address: UnsafePointer<sockaddr>?, _ size: socklen_t
    ) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }

    /// A numeric address as the system's calls take it, to be freed by freeaddrinfo(3).
    ///
    /// Nil if the text isn't one: nobody is asked what a name means.
    static func resolved(_ text: String, port: UInt16) -> UnsafeMutablePointer<addrinfo>? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        return getaddrinfo(text, "\(port)", &hints, &list) == 0 ? list : nil
    }
}
