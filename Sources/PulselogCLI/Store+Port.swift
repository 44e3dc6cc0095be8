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
        do throws(AccessTokenError) {
            return try AccessToken(
                purpose, inStore: directory, isNew: isNew, random: Store.randomBytes)
        } catch {
            throw CommandFailure(.permission, error.description)
        }
    }

    /// Joins a port and the tokens of this store.
    ///
    /// - Parameters:
    ///   - listener: The port.
    ///   - service: The store's walks.
    ///   - hasPage: Whether browsers are shown walks.
    ///   - tiles: A map for the page; nil for none.
    /// - Returns: The port.
    /// - Throws: ``CommandFailure`` if a token cannot be read or made.
    func port(
        _ listener: LoopbackListener, _ service: WalkService, hasPage: Bool, tiles: MapTiles?
    ) throws -> WebPort {
        let walkToken = hasPage ? try token(for: .walks) : nil
        return WebPort(
            listener, service, token: try token(for: .health), walkToken: walkToken, tiles: tiles,
            selfCheck: { lastSelfCheck },
            offsetMinutes: { LocalZone.zone(atWallMilliseconds: $0).offsetMinutes },
            whenOver: { walkToken?.end(.walks, inStore: directory) })
    }
}
