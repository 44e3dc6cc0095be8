internal import ArgumentParser
internal import Recording
internal import Sensors

/// Where positions come from, as people write it: `gpsd`, `HOST:PORT`, `FILE.gpx`, `none`.
enum PositionOption: ExpressibleByArgument, Equatable {
    /// gpsd on this machine.
    case gpsd
    /// gpsd at an address.
    case address(host: String, port: UInt16)
    /// A file that a logger writes.
    case file(String)
    /// Nowhere.
    case none

    init?(argument: String) {
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

    /// The source of a recording's positions.
    ///
    /// - Parameters:
    ///   - option: What somebody asked for; nil for this machine's gpsd if it runs.
    ///   - isLive: Whether the other values come from the world; if not, nothing is asked unasked.
    /// - Returns: The sensor; nil if no positions are to be recorded.
    static func sensor(_ option: PositionOption?, isLive: Bool) -> (any Sensor)? {
        let isAskedFor = option != nil
        switch option ?? (isLive ? .gpsd : .none) {
        case .none: return nil
        case .file(let path): return TrackFileWatch(path: path)
        case .address(let host, let port):
            return GpsdWatch(host: host, port: port, isAskedFor: isAskedFor)
        case .gpsd:
            switch CommonOptions.machineGpsd {
            case .address(let host, let port)?:
                return GpsdWatch(host: host, port: port, isAskedFor: isAskedFor)
            case PositionOption.none?: return nil
            case .gpsd?, .file?, nil: return GpsdWatch(isAskedFor: isAskedFor)
            }
        }
    }
}
