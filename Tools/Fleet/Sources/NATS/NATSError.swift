internal import CNATS

/// What libnats, or the server, says is wrong.
package struct NATSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What to make of it.
    package enum Code: Hashable, Sendable {
        /// No server answers.
        case unreachable
        /// No answer came in time.
        case timeout
        /// Nobody answers there now: the stream has no leader, or is not there.
        case unavailable
        /// A server answered, and has no JetStream here.
        case noJetStream
        /// Name or key is not accepted.
        case unauthorized
        /// The server's certificate is not accepted, or one of both does not speak TLS.
        case untrusted
        /// The subject's last message is another one than expected.
        case wrongLastSequence
        /// There is no such thing.
        case notFound
        /// JetStream refuses it, with this number of its own.
        case refused(Int)
        /// libnats refuses it.
        case library(UInt32)
    }

    /// What to make of it.
    package let code: Code
    /// Theirs.
    package let detail: String

    /// Makes an error.
    package init(_ code: Code, _ detail: String = "") { (self.code, self.detail) = (code, detail) }

    /// What happened, in their words.
    package var description: String { detail.isEmpty ? "\(code)" : detail }

    /// Throws unless a call succeeded.
    static func check(_ status: natsStatus) throws(NATSError) {
        guard status != NATS_OK else { return }
        // What this thread's last call says, which is more than its status does.
        let words = unsafe nats_GetLastError(nil) ?? natsStatus_GetText(status)
        let text = unsafe words.map { unsafe String(cString: $0) } ?? ""
        // Without the line of the library, "(conn.c:733): ".
        let parts = text.split(separator: "): ", maxSplits: 1)
        let detail = text.hasPrefix("(") ? String(parts.last ?? "") : text
        let code: Code =
            switch status {
            case NATS_NO_SERVER, NATS_IO_ERROR, NATS_CONNECTION_CLOSED,
                NATS_CONNECTION_DISCONNECTED, NATS_STALE_CONNECTION:
                .unreachable
            case NATS_TIMEOUT: .timeout
            case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED: .unauthorized
            case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_REQUIRED, NATS_SECURE_CONNECTION_WANTED:
                .untrusted
            default: .library(status.rawValue)
            }
        throw NATSError(code, detail)
    }
}
