internal import NIOHTTP1

/// Where a connection came in.
enum Entrance: Hashable, Sendable {
    /// At 127.0.0.1: whoever connects sits at this machine, or has a tunnel to it.
    case loopback
    /// At the address that a walker has named: anybody on that network.
    case network(host: String)

    /// By which names it is called, in a browser's address.
    var hosts: [String] {
        switch self {
        case .loopback: ["127.0.0.1", "localhost", "[::1]"]
        case .network(let host): [host]
        }
    }
}

/// Who may do what: the one place where that is decided, from nothing but the facts of a request.
///
/// A page of any web site can make a browser send requests to this machine, and can give its own
/// name this machine's address (DNS rebinding); both are told by what browsers put into the head.
struct Access: Hashable, Sendable {
    /// What a request is about.
    enum Errand: CaseIterable, Sendable {
        /// The files that a phone needs to be paired.
        case pairingPage
        /// The other files of the page.
        case page
        /// The page, with the token of this machine in the address.
        case entering
        /// Walks, days and the log.
        case walks
        /// Something is to be done; which phone may do what is decided by the command.
        case commands
        /// What is paired, and what is known of the walker.
        case settings
        /// A health total.
        case totals
        /// Where a phone is.
        case positions
        /// What an overlay draws: of a walk neither places nor times of the day.
        case overlay
        /// How the recorder is, for a program that watches over it.
        case metrics
        /// A phone comes with a code.
        case pairing
        /// The phones themselves: which there are, a code for another, an end.
        case phones

        /// Whether a program reports something, with a token for that alone.
        var isOfProgram: Bool { self == .totals || self == .positions }
    }

    /// Who somebody has shown to be, by a secret.
    enum Visitor: CaseIterable, Sendable {
        /// The one at this machine, who has the page's token.
        case walker
        /// A program with the token for health totals.
        case healthProgram
        /// A program with the token for metrics.
        case watchingProgram
        /// A phone that was paired.
        case phone
        /// One that may only watch, or walk.
        case confinedPhone
        /// A program of a phone, which was given a token to report totals.
        case phoneProgram
        /// Whoever has the link to an overlay.
        case overlay
    }

    /// Where it came in.
    var entrance: Entrance
    /// What it is about.
    var errand: Errand
    /// Its `Host`, in lower case.
    var host: String
    /// Its `Origin`, if it has one.
    var origin: String?
    /// Its `Sec-Fetch-Site`, if it has one: browsers send it to loopback, and by TLS.
    var site: String?
    /// All that the sender has shown to be.
    var visitors: Set<Visitor>

    /// Why it is refused; nil if it is allowed.
    var refusal: HTTPRefusal? {
        guard isHostOurs else { return .foreignHost(entrance) }
        // Anybody may open what has nothing of a walker's in it, from wherever a link was followed.
        let isOpened = [.pairingPage, .page, .entering].contains(errand)
        guard isOpened || isFromOurPage else { return .foreignOrigin }
        let (allowed, refusal): (Set<Visitor>, HTTPRefusal)
        switch (entrance, errand) {
        case (_, .pairingPage), (.loopback, .page), (.loopback, .entering), (.network, .pairing):
            return nil
        case (.loopback, .walks), (.loopback, .commands), (.loopback, .settings),
            (.loopback, .phones):
            (allowed, refusal) = ([.walker], .unauthorized("pulselog serve --token"))
        case (.loopback, .totals), (.loopback, .positions):
            (allowed, refusal) = ([.healthProgram], .unauthorized("pulselog health token"))
        case (.loopback, .metrics):
            allowed = [.walker, .watchingProgram]
            refusal = .unauthorized("pulselog serve metrics")
        case (.network, .page), (.network, .walks), (.network, .commands):
            (allowed, refusal) = ([.phone, .confinedPhone], .notPaired)
        case (_, .overlay):
            let own: Set<Visitor> = entrance == .loopback ? [.walker] : [.phone, .confinedPhone]
            (allowed, refusal) = (own.union([.overlay]), .endedLink)
        case (.network, .settings), (.network, .totals), (.network, .positions):
            allowed = errand == .settings ? [.phone] : [.phone, .phoneProgram]
            refusal = visitors.contains(.confinedPhone) ? .notAllowed : .notPaired
        // Whoever finds a phone cannot let in another, nor is the token of this machine any good
        // elsewhere.
        case (.loopback, .pairing), (.network, .phones), (.network, .entering),
            (.network, .metrics):
            return .notFound
        }
        return visitors.isDisjoint(with: allowed) ? refusal : nil
    }

    /// Whether `Host` is a name of the entrance, with any port or none.
    private var isHostOurs: Bool {
        entrance.hosts.contains { name in
            host.hasPrefix(name)
                && host.dropFirst(name.utf8.count).wholeMatch(of: /(:[0-9]*)?/) != nil
        }
    }

    /// Whether no page of another site sends it.
    ///
    /// A proxy in front of the network's address may speak TLS, with the same host.
    private var isFromOurPage: Bool {
        let isOwn =
            switch entrance {
            case .loopback: origin == nil || origin == "http://\(host)"
            case .network: [nil, "http://\(host)", "https://\(host)"].contains(origin)
            }
        return isOwn && [nil, "same-origin", "none"].contains(site)
    }
}

extension HTTPRefusal {
    fileprivate static func foreignHost(_ entrance: Entrance) -> HTTPRefusal {
        let hosts = entrance.hosts
        let names = hosts.count == 1 ? hosts[0] : "127.0.0.1, localhost or [::1]"
        return HTTPRefusal(
            .forbidden, "foreignHost", "The Host field names a machine other than \(names).")
    }

    fileprivate static let foreignOrigin = HTTPRefusal(
        .forbidden, "foreignOrigin", "Pages of other sites can send nothing here.")

    fileprivate static func unauthorized(_ command: String) -> HTTPRefusal {
        HTTPRefusal(
            .unauthorized, "unauthorized",
            "Send the header field Authorization with Bearer and the token that "
                + "`\(command)` shows.")
    }

    /// A phone that may not do this.
    static let notAllowed = HTTPRefusal(
        .forbidden, "notAllowed",
        "This phone may not do that. `pulselog serve devices rights`, or the page of the machine "
            + "that records, under Devices, changes what it may do.")

    /// A link to an overlay that is good no longer, or was never made.
    static let endedLink = HTTPRefusal(
        .unauthorized, "endedLink",
        "This link is not valid. `pulselog serve overlay` shows another.")

    /// A phone, or who knows what, that this machine does not know.
    static let notPaired = HTTPRefusal(
        .unauthorized, "notPaired",
        "This phone is not paired. `pulselog serve pair`, on the machine that records, shows a "
            + "code.")
}
