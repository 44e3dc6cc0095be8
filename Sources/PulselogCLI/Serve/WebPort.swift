internal import Clocks
internal import EventStore
internal import Interchange
internal import Projections
internal import Recording
internal import Web

/// A port at which other programs report health totals, and, if it has a page, browsers show walks.
struct WebPort: Sendable {
    private let listener: LoopbackListener
    private let healthToken: AccessToken
    /// What browsers are shown; nil for nothing.
    let page: WalkPage?
    private let tiles: MapTiles?

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

    /// Joins a port and the token of a store, which is made at first use.
    ///
    /// - Throws: ``CommandFailure`` if the token cannot be read or made.
    init(
        _ listener: LoopbackListener, _ store: Store, page: WalkPage? = nil,
        tiles: MapTiles? = nil
    ) throws(CommandFailure) {
        self.listener = listener
        self.page = page
        self.tiles = tiles
        healthToken = try store.token(for: .health)
    }

    /// Where totals are to be sent.
    var healthAddress: String { WebServer.address(of: listener) + Site.healthPath }

    /// What is to be opened in a browser of this machine; nil without a page.
    var pageAddress: String? {
        page.map { "\(WebServer.address(of: listener))/?token=\($0.token.text)" }
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
    /// - Parameter appender: Where health totals go.
    /// - Throws: ``CommandFailure`` if the system gives no means to serve, or the log cannot be
    ///   read any more.
    func run(_ appender: Appender) async throws {
        let site = Site(
            token: healthToken, walk: page?.endpoint, tiles: tiles,
            offsetMinutes: { LocalZone.zone(atWallMilliseconds: $0).offsetMinutes }
        ) { report in
            try await appender.record(report, at: .now()) {
                HealthTotal.totals(of: $0, offsetMinutes: $1)
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            if let page { group.addTask { try await page.run() } }
            group.addTask {
                do {
                    try await WebServer(listener, site).run()
                } catch {
                    throw CommandFailure(
                        .unavailable, "Nothing can be served at \(healthAddress): \(error)")
                }
            }
            try await group.next()
        }
    }
}

/// A port beside a recording: it opens when the start of the recorder is durable, as all sensors
/// do, and closes with them.
struct WebPortSensor: Sensor {
    /// The port.
    let port: WebPort
    /// Where health totals go.
    let appender: Appender

    func want(_ wish: SensorWish) {
        // Health totals are wanted whatever the session does.
    }

    func run(into inbox: Inbox) async {
        for line in port.announcement.split(separator: "\n") {
            inbox.insist(Arrived(.said(String(line)), at: .now()))
        }
        do {
            try await port.run(appender)
        } catch let error as CommandFailure {
            inbox.insist(Arrived(.said(error.message), at: .now()))
        } catch {
            inbox.insist(Arrived(.said("Nothing can be served: \(error)"), at: .now()))
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
