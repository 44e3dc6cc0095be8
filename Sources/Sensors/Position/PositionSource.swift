package import Recording

/// Where positions come from, as people write it: `gpsd`, `HOST:PORT`, `FILE.gpx`, `none`.
package enum PositionSource: Equatable {
    /// gpsd on this machine.
    case gpsd
    /// gpsd at an address.
    case address(host: String, port: UInt16)
    /// A file that a logger writes.
    case file(String)
    /// Nowhere.
    case none

    /// Reads one; nil if it isn't one.
    package init?(_ argument: String) {
        switch argument {
        case "gpsd": self = .gpsd
        case "none": self = .none
        case _ where argument.lowercased().hasSuffix(".gpx"): self = .file(argument)
        default:
            guard let colon = argument.lastIndex(of: ":"),
                let port = UInt16(argument[argument.index(after: colon)...]), port > 0
            else { return nil }
            var host = String(argument[..<colon])
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = String(host.dropFirst().dropLast())
            } else if host.contains(where: { $0 == ":" || $0 == "/" }) {
                return nil
            }
            guard !host.isEmpty else { return nil }
            self = .address(host: host, port: port)
        }
    }

    /// What senses there.
    ///
    /// - Parameters:
    ///   - isAskedFor: Whether somebody named it.
    ///   - machine: Where this machine's gpsd is, if it is not where it always is.
    /// - Returns: The sensor; nil for nowhere.
    package func sensor(isAskedFor: Bool, _ machine: PositionSource?) -> (any Sensor)? {
        switch self {
        case .none: return nil
        case .file(let path): return TrackFileWatch(path: path)
        case .address(let host, let port):
            return GpsdWatch(host: host, port: port, isAskedFor: isAskedFor)
        case .gpsd:
            switch machine {
            case .address?, PositionSource.none?:
                return machine?.sensor(isAskedFor: isAskedFor, nil)
            case .gpsd?, .file?, nil: return GpsdWatch(isAskedFor: isAskedFor)
            }
        }
    }
}
