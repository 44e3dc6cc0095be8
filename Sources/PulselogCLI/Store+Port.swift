internal import Clocks
internal import Stores
internal import WalkService
internal import Web
internal import Words

extension Store {
    /// The secret that lets a program in; made at first use, or anew.
    ///
    /// - Throws: ``CommandFailure`` if its file cannot be read or made.
    func token(for purpose: AccessToken.Purpose, isNew: Bool = false) throws -> AccessToken {
        try withSecrets {
            try AccessToken(purpose, inStore: directory, isNew: isNew, random: Store.randomBytes)
        }
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
        let phones = PhoneFile(inStore: directory)
        let address = hasPage ? listeners.compactMap(\.phoneAddress).first : nil
        if let address { try changePhones { $0.listen(at: address) } }
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

    /// Reads or changes which phones are let in.
    ///
    /// - Throws: ``CommandFailure`` if their file cannot be read or written, or what `body` throws.
    func withPhones<Outcome>(_ body: (PhoneFile) throws -> Outcome) throws -> Outcome {
        try withSecrets { try body(PhoneFile(inStore: directory)) }
    }

    private func withSecrets<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
        do {
            return try body()
        } catch let error as AccessTokenError {
            throw CommandFailure(
                error.isDiskFull ? .inputOutput : .permission, error.description)
        }
    }

    /// Changes which phones are let in.
    ///
    /// - Throws: ``CommandFailure`` as of ``withPhones(_:)``.
    func changePhones<Outcome>(_ body: (inout PhoneBook) throws -> Outcome) throws -> Outcome {
        try withPhones { try $0.change(body) }
    }
}
