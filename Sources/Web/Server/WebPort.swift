internal import Clocks
package import Recording
package import Words

/// A port at which other programs report health totals, and, if it has a page, browsers show walks.
package struct WebPort: Sendable {
    private let listeners: [Listener]
    private let site: Site
    /// The secret for looking at walks; nil without a page.
    private let walkToken: AccessToken?
    private let whenOver: @Sendable () -> Void

    /// Takes a port of 127.0.0.1, and if a walker has named one, of this machine's address on a
    /// network.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - address: The address; nil for none.
    ///   - variable: Gives a variable of the environment, by which a service manager says that it
    ///     passes a port on; that one is taken then.
    /// - Returns: The port, at which nobody is answered yet, of each address.
    /// - Throws: ``CommandFailure`` if it cannot be had.
    package static func listen(
        _ port: UInt16, at address: String? = nil,
        orPassedBy variable: (String) -> String? = { _ in nil }
    ) throws(CommandFailure) -> [Listener] {
        try require(
            ConnectionRoom.connections(upTo: ConnectionRoom.least) > 0, .unavailable,
            "The system allows this process too few open files to serve anything; "
                + CommandFailure.moreFiles)
        let named = try address.map { (text) throws(CommandFailure) in try OwnAddress(text) }
        let passed = try Listener.passed(variable)
        let own = if let passed { passed } else { try Listener(port: port) }
        guard let named else { return [own] }
        do throws(CommandFailure) {
            return [own, try Listener(at: named, port: own.port)]
        } catch {
            own.close()
            throw error
        }
    }

    /// Joins a port and what is shown there.
    ///
    /// - Parameters:
    ///   - listeners: The port, of each address.
    ///   - site: What is shown there.
    ///   - walkToken: The secret for looking at walks; nil for no page.
    ///   - whenOver: Called when nothing is served any longer.
    package init(
        _ listeners: [Listener], _ site: Site, walkToken: AccessToken?,
        whenOver: @escaping @Sendable () -> Void
    ) {
        (self.listeners, self.site, self.walkToken) = (listeners, site, walkToken)
        self.whenOver = whenOver
    }

    private var port: UInt16 { listeners[0].port }

    /// Where phones reach it; nil if none does.
    package var phoneAddress: String? { listeners.compactMap(\.phoneAddress).first }

    /// What whoever has phones let in has to know; nil if none is.
    private var phoneAnnouncement: String? {
        phoneAddress.map {
            let way =
                walkToken == nil
                ? "Programs of phones reach it at \($0) with a secret of `pulselog serve devices "
                    + "add-push`."
                : "Phones that are paired reach it at \($0); `pulselog serve pair` pairs one."
            return "\(way) Nothing that goes there is encrypted: whoever can listen on that "
                + "network can read it, and act as the phone."
        }
    }

    /// Where totals are to be sent.
    package var healthAddress: String { WebServer.address(at: port) + Site.healthPath }

    /// What is to be opened in a browser of this machine; nil without a page.
    package var pageAddress: String? {
        walkToken.map { Self.pageAddress(at: port, $0) }
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
        (walkToken.map { _ in "`pulselog serve --open` shows the page.\n" } ?? "")
            + healthAnnouncement
    }

    private var healthAnnouncement: String {
        "Health totals are accepted at \(healthAddress); `pulselog health token` shows the token."
            + (phoneAnnouncement.map { "\n\($0)" } ?? "")
    }

    /// Serves until the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` if the system gives no means to serve.
    package func run() async throws(CommandFailure) {
        defer { whenOver() }
        do {
            try await WebServer(listeners, site).run()
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
    private let announcement: String

    /// Joins a port to a recording.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - isService: Whether others may read what is said.
    package init(port: WebPort, isService: Bool) {
        self.port = port
        announcement = isService ? port.serviceAnnouncement : port.announcement
    }

    package func run(into inbox: Inbox) async {
        for line in announcement.split(separator: "\n") {
            inbox.insist(Arrived(.said(String(line)), at: .now()))
        }
        do throws(CommandFailure) {
            try await port.run()
        } catch {
            inbox.insist(Arrived(.said(error.message), at: .now()))
        }
    }
}
