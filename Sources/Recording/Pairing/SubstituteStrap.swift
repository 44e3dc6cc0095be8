package import BluetoothCentral
internal import Events
internal import Projections

/// A strap that could be used instead of the one that is away.
package struct SubstituteStrap: Hashable, Sendable {
    /// What it is to the walker.
    package enum Kind: Hashable, Sendable {
        /// Another paired strap.
        case paired
        /// One of the same name: some straps have another address with each new battery.
        case namesake
        /// One that is not taken unasked, where none is paired and no other is in range.
        case forgotten
    }

    /// Its address.
    package let address: BluetoothAddress
    /// What it is to the walker.
    package let kind: Kind
    /// What it is called, harmless in a terminal.
    package let title: String
    /// What the strap that is away is called; nil if none is paired.
    let away: String?
    /// Whether it is the primary strap: then another one was named for this recording.
    let isPrimary: Bool

    /// Chooses among the straps in range.
    ///
    /// - Parameters:
    ///   - away: The strap that is away; nil if none is paired.
    ///   - paired: The paired devices.
    ///   - primary: The primary strap.
    ///   - left: The straps that are not taken unasked.
    ///   - range: What is in range, the strongest first.
    /// - Returns: The strongest that is paired, else the strongest that may be the same strap.
    static func choice(
        for away: DeviceSighting?, paired: [Device], primary: DeviceID? = nil,
        leaving left: Set<BluetoothAddress>, among range: [DeviceSighting]
    ) -> SubstituteStrap? {
        let others = range.filter { $0.address != away?.address }
        func first(_ kind: Kind, where isFit: (DeviceSighting) -> Bool) -> SubstituteStrap? {
            others.first(where: isFit).map {
                SubstituteStrap(
                    address: $0.address, kind: kind, title: $0.title, away: away?.title,
                    isPrimary: $0.address.value == primary?.address)
            }
        }
        let straps = paired.filter { $0.roles.contains(.heart) }.map(\.id.address)
        let strangers = others.filter { other in
            !paired.contains { $0.id.address == other.address.value }
                && !left.contains(other.address) && other.services.contains(.heartRate)
        }
        guard let away else {
            return strangers.isEmpty ? first(.forgotten) { left.contains($0.address) } : nil
        }
        return first(.paired) { straps.contains($0.address.value) }
            ?? first(.namesake) {
                strangers.contains($0) && $0.name != nil && $0.name == away.name
            }
    }

    /// How things stand.
    package var fact: String {
        guard let away else {
            return "No strap is paired. \(title) is in range, but is not taken unasked."
        }
        return kind == .paired
            ? "\(away) is away, and \(title) is in range."
            : "\(away) is away, and a strap of the same name is in range, as after a new battery."
    }

    /// The same, with the command that uses it.
    var sentence: String {
        guard !isPrimary else {
            return "\(fact) `pulselog record` without --device uses it."
        }
        let command = kind == .paired ? "primary" : "pair"
        let use = kind == .paired ? "Use it:" : "If it is yours:"
        return "\(fact) \(use) `pulselog devices \(command) \(address)`."
    }
}

/// Watches, while a strap is away, for one that could be used instead.
struct SubstituteWatch: Sendable {
    /// How long a strap is away before another one is named.
    static let awayMilliseconds: UInt64 = 20_000
    /// When it listens, within each minute that the strap is away: while others are listened for, a
    /// connection takes longer.
    private static let listening: Range<UInt64> = 10_000..<30_000

    /// The strap that could be used.
    private(set) var offer: SubstituteStrap?
    /// The strap that is to be used, until it is the primary one.
    var taken: Taken?
    /// The strap that is away, and since when.
    private var away: (strap: BluetoothAddress?, since: UInt64)?
    private var range = DevicesInRange(.services([.heartRate]))

    /// A strap that is to be used.
    struct Taken {
        /// Its address.
        let address: BluetoothAddress
        /// Whether it is being paired for this.
        let isPicked: Bool
        /// Whether it was asked to be the primary one.
        var isAsked = false
    }

    /// Which devices are listened for now; nil for none.
    func scanning(at now: UInt64) -> CentralDesire.Scan? {
        let milliseconds = away.map { (now - min($0.since, now)) % 60_000 }
        return milliseconds.map(Self.listening.contains) == true ? range.scan : nil
    }

    mutating func hear(_ report: CentralReport, at now: UInt64) {
        range.hear(report, at: now)
    }

    /// Notes whether the strap is away; what is offered stays so while it is in range.
    ///
    /// - Parameters:
    ///   - strap: The strap; nil for any.
    ///   - isAway: Whether it is away.
    ///   - now: The boot clock.
    ///   - choice: Chooses among what is in range, the strongest first.
    mutating func note(
        _ strap: BluetoothAddress?, isAway: Bool, at now: UInt64,
        _ choice: ([DeviceSighting]) -> SubstituteStrap?
    ) {
        guard isAway else {
            (away, offer) = (nil, nil)
            return
        }
        let since = away.flatMap { $0.strap == strap ? $0.since : nil } ?? now
        away = (strap, since)
        range.passTime(at: now)
        guard now >= since + Self.awayMilliseconds else { return offer = nil }
        let offered = offer?.address
        let devices = range.devices
        offer = choice(
            devices.filter { $0.address == offered } + devices.filter { $0.address != offered })
    }
}
