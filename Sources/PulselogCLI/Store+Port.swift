internal import Clocks
internal import Stores
internal import WalkService
internal import Web

extension Store {
    /// The secret that lets a program in; made at first use, or anew.
    ///
    /// - Throws: ``CommandFailure`` if its file cannot be read or made.
    func token(for purpose: AccessToken.Purpose, isNew: Bool = false) throws -> AccessToken {
        try AccessToken(purpose, inStore: directory, isNew: isNew, random: Store.randomBytes)
    }

    /// Joins a port and the tokens of this store.
    ///
    /// - Parameters:
    ///   - listeners: The port, of each address.
    ///   - service: The store's walks.
    ///   - hasPage: Whether browsers are shown walks.
    ///   - tiles: A map for the page; nil for none.
    /// - Returns: The port.
    /// - Throws: ``CommandFailure`` if a token cannot be read or made.
    func port(
        _ listeners: [Listener], _ service: WalkService, hasPage: Bool, tiles: MapTiles?
    ) throws -> WebPort {
        let walkToken = hasPage ? try token(for: .walks) : nil
        let phones = phones
        let address = hasPage ? listeners.compactMap(\.phoneAddress).first : nil
        if let address { try phones.change { $0.listen(at: address) } }
        let site = Site(
            service, token: try token(for: .health), walkToken: walkToken,
            metricsToken: hasPage ? try token(for: .metrics) : nil, phones: phones,
            random: Store.randomBytes, tiles: tiles,
            offsetMinutes: LocalZone.offsetMinutes(atWallMilliseconds:))
        return WebPort(
            listeners, site, walkToken: walkToken,
            whenOver: {
                walkToken?.end(.walks, inStore: directory)
                if let address { phones.end(listeningAt: address) }
            })
    }

    /// Which phones are let in.
    var phones: PhoneFile { PhoneFile(inStore: directory) }
}
