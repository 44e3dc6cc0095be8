internal import Clocks
internal import Interchange
internal import Projections
internal import Recording
internal import Web

/// A port at which other programs report health totals, and the token that they need.
struct HealthIntake: Sendable {
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
        token = try store.healthToken()
    }

    /// Where totals are to be sent.
    var address: String { HealthServer.address(of: listener) }

    /// Says where totals are to be sent, and how.
    var announcement: String {
        "Health totals are accepted at \(address); `pulselog health token` shows the token."
    }

    /// Takes reports until the task is cancelled.
    ///
    /// - Parameter appender: Where they go.
    /// - Throws: ``CommandFailure`` if the system gives no means to serve.
    func run(_ appender: Appender) async throws(CommandFailure) {
        let server = HealthServer(
            listener, token: token,
            offsetMinutes: { LocalZone.zone(atWallMilliseconds: $0).offsetMinutes }
        ) { report in
            try await appender.take(report, at: .now()) {
                HealthTotal.totals(of: $0, offsetMinutes: $1)
            }
        }
        do {
            try await server.run()
        } catch {
            throw CommandFailure(.unavailable, "Health totals cannot be accepted: \(error)")
        }
    }

    /// Takes reports beside something else, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - appender: Where they go.
    ///   - tell: Told in a sentence if no reports can be taken any more.
    /// - Returns: The task.
    func start(
        _ appender: Appender, tell: @escaping @Sendable (String) -> Void
    ) -> Task<Void, Never> {
        Task {
            do throws(CommandFailure) {
                try await run(appender)
            } catch {
                tell(error.message)
            }
        }
    }
}

extension Store {
    /// The secret that lets a program send health totals; made at first use.
    ///
    /// - Throws: ``CommandFailure`` if its file cannot be read or made.
    func healthToken() throws(CommandFailure) -> AccessToken {
        do throws(AccessTokenError) {
            return try AccessToken(inStore: directory, random: Store.randomBytes)
        } catch {
            throw CommandFailure(.permission, error.description)
        }
    }
}
