internal import Text

/// A signal's strength in three bars.
enum SignalBars: String {
    case strong
    case good
    case weak
    case unknown

    /// Strong above -60 dBm, good above -80 dBm and at -60, weak otherwise; 127 is unknown.
    init(rssi: Int16?) {
        self =
            switch rssi {
            case nil, 127: .unknown
            case let rssi? where rssi > -60: .strong
            case let rssi? where rssi > -80: .good
            default: .weak
            }
    }

    /// Three characters for a terminal.
    var text: String { count.map { padded(String("▂▄▆".prefix($0)), to: 3) } ?? " ? " }

    /// How many bars; nil for unknown.
    var count: Int? { [.weak: 1, .good: 2, .strong: 3][self] }
}
