internal import Clocks
internal import EventStore
internal import Interchange
internal import Projections
internal import Recording
internal import WalkService
internal import Web
internal import Words

/// A port at which other programs report health totals, and, if it has a page, browsers show walks.
struct WebPort: Sendable {
    private let listener: LoopbackListener
    private let site: Site
    /// What somebody has to know who looks at walks; nil without a page.
    private let walkToken: AccessToken?

    /// Takes a port of 127.0.0.1.
    ///
    /// - Parameter port: The port; 0 for any free one.
    /// - Returns: The port, at which nobody is answered yet.
    /// - Throws: ``CommandFailure`` if it cannot be had.
    static func listen(_ port: UInt16) throws(CommandFailure) -> LoopbackListener {
        do throws(ListenError) {
            return try LoopbackListener(port: port)
        } catch {
            throw CommandFailure(
                error.code == .denied ? .permission : .unavailable, error.description)
        }
    }

    /// Joins a port and the tokens of a store, which are made at first use.
    ///
    /// - Parameters:
    ///   - listener: The port.
    ///   - store: The store.
    ///   - service: Its walks.
    ///   - hasPage: Whether browsers are shown walks.
    ///   - tiles: A map for the page; nil for none.
    /// - Throws: ``CommandFailure`` if a token cannot be read or made.
    init(
        _ listener: LoopbackListener, _ store: Store, _ service: WalkService, hasPage: Bool,
        tiles: MapTiles? = nil
    ) throws(CommandFailure) {
        self.listener = listener
        walkToken = hasPage ? try store.token(for: .walks) : nil
        site = Site(
            service, token: try store.token(for: .health), walkToken: walkToken, tiles: tiles,
            selfCheck: { store.lastSelfCheck },
            offsetMinutes: { LocalZone.zone(atWallMilliseconds: $0).offsetMinutes })
    }

    /// Where totals are to be sent.
    var healthAddress: String { WebServer.address(of: listener) + Site.healthPath }

    /// What is to be opened in a browser of this machine; nil without a page.
    var pageAddress: String? {
        walkToken.map { "\(WebServer.address(of: listener))/?token=\($0.text)" }
    }

    /// Says where the page is, and where totals are to be sent.
    var announcement: String {
        let health =
            "Health totals are accepted at \(healthAddress); `pulselog health token` shows the "
            + "token."
        guard let pageAddress else { return health }
        return "Open \(pageAddress) in a browser on this machine.\n\(health)"
    }

    /// Serves until the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` if the system gives no means to serve.
    func run() async throws(CommandFailure) {
        do {
            try await WebServer(listener, site).run()
        } catch {
            throw CommandFailure(
                .unavailable, "Nothing can be served at \(healthAddress): \(error)")
        }
    }
}

/// A port beside a recording: it opens when the start of the recorder is durable, as all sensors
/// do, and closes with them.
struct WebPortSensor: Sensor {
    /// The port.
    let port: WebPort

    func want(_ wish: SensorWish) {
        // Health totals are wanted whatever the session does.
    }

    func run(into inbox: Inbox) async {
        for line in port.announcement.split(separator: "\n") {
            inbox.insist(Arrived(.said(String(line)), at: .now()))
        }
        do throws(CommandFailure) {
            try await port.run()
        } catch {
            inbox.insist(Arrived(.said(error.message), at: .now()))
        }
    }
}

extension Store {
    /// The secret that lets a program in; made at first use.
    ///
    /// - Throws: ``CommandFailure`` if its file cannot be read or made.
    func token(for purpose: AccessToken.Purpose) throws(CommandFailure) -> AccessToken {
        do throws(AccessTokenError) {
            return try AccessToken(purpose, inStore: directory, random: Store.randomBytes)
        } catch {
            throw CommandFailure(.permission, error.description)
        }
    }
}
