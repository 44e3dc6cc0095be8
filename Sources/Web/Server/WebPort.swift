internal import Clocks
package import EventStore
package import Recording
package import WalkService
package import Words

/// A port at which other programs report health totals, and, if it has a page, browsers show walks.
package struct WebPort: Sendable {
    private let listener: LoopbackListener
    private let site: Site
    /// The secret for looking at walks; nil without a page.
    private let walkToken: AccessToken?
    private let whenOver: @Sendable () -> Void

    /// Takes a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - variable: Gives a variable of the environment, by which a service manager says that it
    ///     passes a port on; that one is taken then.
    /// - Returns: The port, at which nobody is answered yet.
    /// - Throws: ``CommandFailure`` if it cannot be had.
    package static func listen(
        _ port: UInt16, orPassedBy variable: (String) -> String? = { _ in nil }
    ) throws(CommandFailure) -> LoopbackListener {
        guard ConnectionRoom.connections(upTo: ConnectionRoom.least) > 0 else {
            throw CommandFailure(
                .unavailable,
                "The system allows this process too few open files to serve anything; "
                    + CommandFailure.moreFiles)
        }
        do throws(ListenError) {
            if let passed = try LoopbackListener.passed(variable) { return passed }
            return try LoopbackListener(port: port)
        } catch {
            throw CommandFailure(
                error.code == .denied ? .permission : .unavailable, error.description)
        }
    }

    /// Joins a port and what is shown there.
    ///
    /// - Parameters:
    ///   - listener: The port.
    ///   - service: The walks.
    ///   - token: What a program has to know that reports totals.
    ///   - walkToken: The secret for looking at walks; nil for no page.
    ///   - tiles: A map for the page; nil for none.
    ///   - selfCheck: How far the log was compared with its seals.
    ///   - offsetMinutes: This machine's zone at a UTC time.
    ///   - whenOver: Called when nothing is served any longer.
    package init(
        _ listener: LoopbackListener, _ service: WalkService, token: AccessToken,
        walkToken: AccessToken?, tiles: MapTiles?, selfCheck: @escaping @Sendable () -> SelfCheck?,
        offsetMinutes: @escaping @Sendable (Int64) -> Int64,
        whenOver: @escaping @Sendable () -> Void = {}
    ) {
        self.listener = listener
        self.whenOver = whenOver
        self.walkToken = walkToken
        site = Site(
            service, token: token, walkToken: walkToken, tiles: tiles, selfCheck: selfCheck,
            offsetMinutes: offsetMinutes)
    }

    /// Where totals are to be sent.
    package var healthAddress: String { WebServer.address(at: listener.port) + Site.healthPath }

    /// What is to be opened in a browser of this machine; nil without a page.
    package var pageAddress: String? {
        walkToken.map { Self.pageAddress(at: listener.port, $0) }
    }

    /// What is to be opened in a browser of this machine.
    package static func pageAddress(at port: UInt16, _ token: AccessToken) -> String {
        "\(WebServer.address(at: port))/?token=\(token.text)"
    }

    /// Says where the page is, and where totals are to be sent.
    package var announcement: String {
        guard let pageAddress else { return healthAnnouncement }
        return "Open \(pageAddress) in a browser on this machine.\n\(healthAnnouncement)"
    }

    /// As ``announcement``, without what is secret: others may read a service's messages.
    package var serviceAnnouncement: String {
        "`pulselog serve --open` shows the page.\n\(healthAnnouncement)"
    }

    private var healthAnnouncement: String {
        "Health totals are accepted at \(healthAddress); `pulselog health token` shows the token."
    }

    /// Serves until the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` if the system gives no means to serve.
    package func run() async throws(CommandFailure) {
        defer { whenOver() }
        do {
            try await WebServer(listener, site).run()
        } catch {
            throw CommandFailure(
                .unavailable, "Nothing can be served at \(healthAddress): \(error)")
        }
    }
}

/// A port next to a recorder: it opens when the start of the recorder is durable, as all sensors
/// do, and closes with them.
package struct WebPortSensor: Sensor {
    private let port: WebPort

    /// Joins a port to a recording.
    package init(port: WebPort) {
        self.port = port
    }

    package func want(_ wish: SensorWish) {
        // Health totals are wanted whatever the session does.
    }

    package func run(into inbox: Inbox) async {
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
