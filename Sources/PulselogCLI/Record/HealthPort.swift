internal import Clocks
internal import Interchange
internal import Projections
internal import Recording
internal import Web

/// A port at which other programs report health totals, and the token that they need.
struct HealthPort: Sendable {
    private let listener: LoopbackListener
    private let token: AccessToken

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
    init(_ listener: LoopbackListener, _ store: Store) throws(CommandFailure) {
        self.listener = listener
        token = try store.token(for: .health)
    }

    /// Where totals are to be sent.
    var address: String { WebServer.address(of: listener) + Site.healthPath }

    /// Says where totals are to be sent, and how.
    var announcement: String {
        "Health totals are accepted at \(address); `pulselog health token` shows the token."
    }

    /// Records reports until the task is cancelled.
    ///
    /// - Parameters:
    ///   - appender: Where they go.
    ///   - walk: What is told of walks; nil for nothing.
    /// - Throws: ``CommandFailure`` if the system gives no means to serve.
    func run(_ appender: Appender, telling walk: WalkEndpoint? = nil) async throws(CommandFailure) {
        let site = Site(
            token: token, walk: walk,
            offsetMinutes: { LocalZone.zone(atWallMilliseconds: $0).offsetMinutes }
        ) { report in
            try await appender.record(report, at: .now()) {
                HealthTotal.totals(of: $0, offsetMinutes: $1)
            }
        }
        do {
            try await WebServer(listener, site).run()
        } catch {
            throw CommandFailure(.unavailable, "Health totals cannot be accepted: \(error)")
        }
    }
}

/// A health port beside a recording: it opens when the start of the recorder is durable, as all
/// sensors do, and closes with them.
struct HealthPortSensor: Sensor {
    /// The port.
    let port: HealthPort
    /// Where the reports go.
    let appender: Appender

    func want(_ wish: SensorWish) {
        // Health totals are wanted whatever the session does.
    }

    func run(into inbox: Inbox) async {
        inbox.insist(Arrived(.said(port.announcement), at: .now()))
        do throws(CommandFailure) {
            try await port.run(appender)
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
