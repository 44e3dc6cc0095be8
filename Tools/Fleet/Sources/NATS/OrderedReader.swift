internal import JSON

/// Reads a stream in order, each message once, from a consumer that nobody else knows.
///
/// A consumer lives on one server and may die with it: then another one is made, after the last
/// message that was read (NATS ADR-17, ordered consumers).
package actor OrderedReader {
    /// How long the server keeps a consumer that nobody asks.
    private static let lifetimeSeconds: Int64 = 60

    private let stream: JetStream
    private let name: String
    private let filter: String
    private var consumer: String?
    /// Made with the first consumer.
    private var inbox: Connection.Inbox?
    /// The last message that was read.
    private var sequence: UInt64
    /// How many messages came of this consumer.
    private var delivered: UInt64 = 0
    /// How many are known to wait after them.
    private var pending: UInt64 = 0

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - stream: The cluster.
    ///   - name: The stream's name.
    ///   - filter: The subjects of interest, with wildcards.
    ///   - sequence: The last sequence that is not of interest.
    package init(of stream: JetStream, _ name: String, _ filter: String, after sequence: UInt64) {
        (self.stream, self.name, self.filter, self.sequence) = (stream, name, filter, sequence)
    }

    /// The next messages.
    ///
    /// - Parameters:
    ///   - limit: The most.
    ///   - patience: How long to wait for the first; 0 for those only that are there.
    /// - Returns: The messages, and how many there are after them.
    /// - Throws: ``NATSError``.
    package func next(
        _ limit: Int, within patience: Duration
    ) async throws(NATSError) -> (messages: [JetStream.Stored], pending: UInt64) {
        let consumer = try await current()
        guard pending > 0 || patience > .zero else { return ([], 0) }
        // What is known to be there comes at once; else the first message is waited for, and what
        // it says to be there after it is the next call's.
        let count = max(1, min(limit, Int(clamping: pending)))
        let patience = pending > 0 ? .seconds(5) : patience
        let request = NextRequest(count: count, patience: patience)
        let replies = try await stream.connection.ask(
            "$JS.API.CONSUMER.MSG.NEXT.\(name).\(consumer)", JSONWriter.line(request),
            replies: count, at: inbox, within: patience + .seconds(2))
        var messages: [JetStream.Stored] = []
        for reply in replies {
            if let status = reply.headers.status {
                // 404 and 408: there are no more for now.
                if status == "404" || status == "408" { pending = 0 } else { self.consumer = nil }
                break
            }
            guard let (message, place) = JetStream.Stored.read(reply, of: consumer),
                place == delivered + 1
            else {
                // One is missing: the rest is asked for again.
                self.consumer = nil
                break
            }
            delivered = place
            sequence = message.sequence
            pending = message.pending
            messages.append(message)
        }
        if replies.isEmpty { self.consumer = nil }
        return (messages, pending)
    }

    private func current() async throws(NATSError) -> String {
        if let consumer { return consumer }
        if inbox == nil { inbox = try stream.connection.makeInbox() }
        let request = ConsumerRequest(stream: name, filter: filter, start: sequence + 1)
        let answer = try await stream.api("CONSUMER.CREATE.\(name)", JSONWriter.line(request))
        guard let made = answer["name"]?.text else {
            throw NATSError(.refused(0), "The cluster's answer names no consumer.")
        }
        consumer = made
        delivered = 0
        pending = answer["num_pending"]?.integer(as: UInt64.self) ?? 0
        return made
    }

    private struct ConsumerRequest: JSONObject {
        let stream: String
        let filter: String
        let start: UInt64

        func writeFields(to json: inout JSONWriter) {
            json.field("stream_name", stream)
            json.object("config") { json in
                json.field("deliver_policy", "by_start_sequence")
                json.field("opt_start_seq", start)
                json.field("ack_policy", "none")
                json.field("replay_policy", "instant")
                json.field("filter_subject", filter)
                json.field("max_waiting", Int64(16))
                json.field("num_replicas", Int64(1))
                json.field("mem_storage", true)
                json.field("inactive_threshold", OrderedReader.lifetimeSeconds * 1_000_000_000)
            }
        }
    }

    private struct NextRequest: JSONObject {
        let count: Int
        let patience: Duration

        func writeFields(to json: inout JSONWriter) {
            json.field("batch", Int64(count))
            let parts = patience.components
            json.field("expires", parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
        }
    }
}

extension JetStream.Stored {
    /// Reads a message of a consumer: its place stands in where an answer would go (ADR-15),
    /// `$JS.ACK.[domain.account.]stream.consumer.tries.sequence.delivered.time.pending`.
    ///
    /// - Returns: The message, and which one of its consumer it is; nil if it is of another one.
    fileprivate static func read(
        _ message: Connection.Message, of consumer: String
    ) -> (stored: JetStream.Stored, place: UInt64)? {
        let tokens = message.reply.utf8.split(separator: UInt8(ascii: ".")).map(Substring.init)
        let start = tokens.count >= 11 ? 4 : 2
        guard tokens.count >= 9, tokens[start + 1] == consumer,
            let sequence = UInt64(tokens[start + 3]),
            let place = UInt64(tokens[start + 4]), let pending = UInt64(tokens[start + 6])
        else { return nil }
        let stored = JetStream.Stored(
            subject: message.subject, sequence: sequence, payload: message.payload,
            pending: pending)
        return (stored, place)
    }
}
