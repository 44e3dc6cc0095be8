import Testing

@testable import Web

@Suite("Who may do what")
struct AccessTests {
    private static let network = Entrance.network(host: "10.0.0.5")

    /// Who is allowed an errand at an entrance, with nothing wrong about host and origin; nil for
    /// everybody.
    private static let rules: [(Entrance, Access.Errand, Set<Access.Visitor>?)] = [
        (.loopback, .pairingPage, nil), (.loopback, .page, nil), (.loopback, .entering, nil),
        (.loopback, .walks, [.walker]), (.loopback, .commands, [.walker]),
        (.loopback, .settings, [.walker]), (.loopback, .totals, [.healthProgram]),
        (network, .commands, [.phone, .confinedPhone]), (network, .settings, [.phone]),
        (.loopback, .pairing, []), (.loopback, .phones, [.walker]),
        (.loopback, .metrics, [.walker, .watchingProgram]), (network, .metrics, []),
        (network, .pairingPage, nil), (network, .pairing, nil),
        (network, .page, [.phone, .confinedPhone]),
        (network, .walks, [.phone, .confinedPhone]), (network, .totals, [.phone, .phoneProgram]),
        (network, .entering, []), (network, .phones, []),
        (.loopback, .overlay, [.walker, .overlay]),
        (network, .overlay, [.phone, .confinedPhone, .overlay]),
        (.loopback, .positions, [.healthProgram]), (network, .positions, [.phone, .phoneProgram]),
    ]

    private func access(
        _ entrance: Entrance, _ errand: Access.Errand, _ visitors: Set<Access.Visitor>,
        host: String? = nil, origin: String? = nil, site: String? = nil
    ) -> Access {
        Access(
            entrance: entrance, errand: errand, host: host ?? entrance.hosts[0] + ":8367",
            origin: origin, site: site, visitors: visitors)
    }

    @Test("is in the table for each errand at each entrance, and each visitor is checked")
    func table() {
        #expect(Self.rules.count == 2 * Access.Errand.allCases.count)
        for (entrance, errand, allowed) in Self.rules {
            for visitor in [nil] + Access.Visitor.allCases.map(Optional.init) {
                let access = access(entrance, errand, visitor.map { [$0] } ?? [])
                let isAllowed = allowed.map { all in visitor.map(all.contains) ?? false } ?? true
                #expect((access.refusal == nil) == isAllowed, "\(access)")
            }
        }
    }

    @Test("holds only under the names of the entrance, for whoever it is")
    func hosts() {
        let all = Set(Access.Visitor.allCases)
        let names = ["127.0.0.1", "localhost", "[::1]", "10.0.0.5"]
        for (entrance, errand, allowed) in Self.rules where allowed != [] {
            for name in names {
                for port in ["", ":8367", ":1"] {
                    let refusal = access(entrance, errand, all, host: name + port).refusal
                    let isOurs = entrance.hosts.contains(name)
                    #expect((refusal == nil) == isOurs, "\(errand) at \(name + port)")
                }
            }
            for host in [
                "", "evil.example", "10.0.0.50", "10.0.0.5.evil", "10.0.0.5:x", "10.0.0.5:80:80",
                "127.0.0.1.evil", "127.0.0.1:", "0.0.0.0:8367", "user@10.0.0.5", "10.0.0.5:٣",
                "localhost.evil", "localhost:80x", "[::1", "[::2]:80",
            ] {
                let refusal = access(entrance, errand, all, host: host).refusal
                #expect((refusal == nil) == (host == "127.0.0.1:" && entrance == .loopback))
            }
        }
    }

    @Test("is once each second in the long run and so often at once, for each who writes")
    func rate() throws {
        var rate = WriteRate(eachMilliseconds: 1_000, burst: 2)
        for (sender, now, seconds) in [
            ("a", 5_000, nil), ("a", 5_000, nil), ("a", 5_001, 1), ("b", 5_999, nil),
            ("a", 6_000, nil), ("a", 6_000, 1), ("b", 0, 6), ("a", 99_000, nil), ("a", 99_000, nil),
            ("a", 99_999, 1), ("a", 100_000, nil),
        ] as [(String, UInt64, UInt64?)] {
            #expect(rate.secondsToWait(sender, at: now) == seconds, "\(sender) at \(now)")
        }
        for turn in 0..<999 as Range<UInt64> { _ = rate.secondsToWait("\(turn)", at: turn << 20) }
        #expect(rate.busyUntilMilliseconds.count <= WriteRate.senderLimit)
    }

    @Test("is nothing for a page of another site, but to open ours")
    func origins() {
        let all = Set(Access.Visitor.allCases)
        for (entrance, errand, allowed) in Self.rules where allowed != [] {
            let own = entrance.hosts[0] + ":8367"
            let isOpened = [.pairingPage, .page, .entering].contains(errand)
            for origin in ["http://evil.example", "null", "http://\(entrance.hosts[0]):1", "", own]
            {
                let refusal = access(entrance, errand, all, origin: origin).refusal
                #expect((refusal?.code == "foreignOrigin") != isOpened, "\(errand) of \(origin)")
            }
            for site in ["cross-site", "same-site", ""] {
                let refusal = access(entrance, errand, all, site: site).refusal
                #expect((refusal?.code == "foreignOrigin") != isOpened, "\(errand) of \(site)")
            }
            #expect(access(entrance, errand, all, origin: "http://\(own)").refusal == nil)
            // A proxy that speaks TLS stands before the network's address only.
            let refusal = access(entrance, errand, all, origin: "https://\(own)").refusal
            #expect((refusal == nil) == (isOpened || entrance != .loopback), "\(errand)")
        }
    }
}
