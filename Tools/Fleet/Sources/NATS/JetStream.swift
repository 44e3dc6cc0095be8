package import JSON

/// Streams of a cluster, by the requests of its API (NATS ADR-1, ADR-8 and ADR-31).
package struct JetStream: Sendable {
    /// What a stream is made with.
    package struct Stream: Sendable {
        /// The name.
        package var name: String
        /// The subjects, with wildcards.
        package var subjects: [String]
        /// How many servers keep it.
        package var replicas = 1
        /// How many messages of a subject stay; nil for all.
        package var messagesPerSubject: Int?
        /// How long a message stays; nil for ever.
        package var age: Duration?
        /// How many bytes a message has at most; nil for as many as the server takes.
        package var messageBytes: Int?

        /// Describes a stream.
        package init(_ name: String, subjects: [String]) {
            (self.name, self.subjects) = (name, subjects)
        }
    }

    /// What the server says of a stored message.
    package struct Stored: Sendable {
        /// Where it is.
        package let subject: String
        /// Its place in the stream.
        package let sequence: UInt64
        /// The content.
        package let payload: [UInt8]
        /// How many messages of the filter come after it.
        package let pending: UInt64
    }

    /// The connection.
    package let connection: Connection

    /// Uses a connection.
    package init(_ connection: Connection) { self.connection = connection }

    /// Stores a message.
    ///
    /// - Parameters:
    ///   - subject: Where.
    ///   - payload: The content.
    ///   - expected: The sequence of the subject's last message, 0 for none; nil if it does not
    ///     matter.
    /// - Returns: Its sequence.
    /// - Throws: ``NATSError``; after `timeout` it may be stored.
    package func publish(
        _ subject: String, _ payload: [UInt8], expecting expected: UInt64? = nil
    ) async throws(NATSError) -> UInt64 {
        // Without an id: the server knows ids by the stream, and somebody else's would keep this
        // message away.
        let headers = expected.map { [("Nats-Expected-Last-Subject-Sequence", "\($0)")] } ?? []
        let answer = try await answer(subject, payload, headers)
        guard let sequence = answer["seq"]?.integer(as: UInt64.self) else {
            throw NATSError(.refused(0), "The answer to a message has no sequence.")
        }
        return sequence
    }

    /// The last message of a subject; nil if there is none.
    ///
    /// - Throws: ``NATSError``.
    package func last(of subject: String, in stream: String) async throws(NATSError) -> Stored? {
        // The subject stands in the request's, so that a user can be allowed to ask for his own.
        let reply = try await connection.ask("$JS.API.DIRECT.GET.\(stream).\(subject)", []).first
        guard let reply else { throw connection.silence }
        switch reply.headers.status {
        case nil: break
        case "404": return nil
        case let status?: throw Self.error(status: status)
        }
        guard let sequence = reply.headers.sequence, let subject = reply.headers.subject else {
            throw NATSError(.refused(0), "The cluster's answer has no sequence.")
        }
        return Stored(
            subject: subject, sequence: sequence, payload: reply.payload, pending: 0)
    }

    /// Makes a stream.
    ///
    /// - Parameters:
    ///   - stream: What is asked for.
    ///   - changes: Whether one that is there is changed to that.
    /// - Throws: ``NATSError``.
    package func make(_ stream: Stream, orChange changes: Bool) async throws(NATSError) {
        let request = JSONWriter.line(stream)
        do throws(NATSError) {
            try await api("STREAM.CREATE.\(stream.name)", request)
        } catch {
            // 10058: it exists with other settings.
            guard error.code == .refused(10_058) else { throw error }
            guard changes else { return }
            try await api("STREAM.UPDATE.\(stream.name)", request)
        }
    }

    /// When a stream was made, as the server writes it.
    ///
    /// - Throws: ``NATSError``.
    package func created(_ stream: String) async throws(NATSError) -> String {
        guard let created = try await api("STREAM.INFO.\(stream)", [])["created"]?.text else {
            throw NATSError(.refused(0), "The cluster's answer does not say when it was made.")
        }
        return created
    }

    /// How many subjects have messages.
    ///
    /// - Throws: ``NATSError``.
    package func subjectCount(of stream: String, _ filter: String) async throws(NATSError) -> Int {
        let request = JSONWriter.line { $0.field("subjects_filter", filter) }
        let state = try await api("STREAM.INFO.\(stream)", request)["state"]
        guard case .object(let subjects) = state?["subjects"] else { return 0 }
        return subjects.count
    }

    /// Removes the messages of a subject.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``NATSError``.
    package func purge(_ stream: String, _ filter: String) async throws(NATSError) -> UInt64 {
        let request = JSONWriter.line(Filter(filter: filter))
        return try await api("STREAM.PURGE.\(stream)", request)["purged"]?
            .integer(as: UInt64.self) ?? 0
    }

    /// Asks the API.
    ///
    /// - Throws: ``NATSError``.
    @discardableResult
    package func api(_ verb: String, _ request: [UInt8]) async throws(NATSError) -> JSONValue {
        try await answer("$JS.API.\(verb)", request, [])
    }

    private func answer(
        _ subject: String, _ payload: [UInt8], _ headers: [(String, String)]
    ) async throws(NATSError) -> JSONValue {
        guard let reply = try await connection.ask(subject, payload, headers: headers).first else {
            throw connection.silence
        }
        if let status = reply.headers.status { throw Self.error(status: status) }
        guard let answer = JSONValue(parsing: reply.payload) else {
            throw NATSError(.refused(0), "The cluster's answer is no JSON.")
        }
        guard let error = answer["error"] else { return answer }
        let number = error["err_code"]?.integer(as: Int.self) ?? 0
        let words = error["description"]?.text ?? "no reason given"
        switch number {
        case 10_071: throw NATSError(.wrongLastSequence, words)
        case 10_059, 10_014: throw NATSError(.notFound, words)
        case 10_039, 10_076: throw NATSError(.noJetStream, words)
        default:
            let isTransient = error["code"]?.integer(as: Int.self) == 503
            throw NATSError(isTransient ? .unavailable : .refused(number), words)
        }
    }

    static func error(status: String) -> NATSError {
        status == "503"
            ? NATSError(.unavailable, "Nobody answers there.")
            : NATSError(.refused(Int(status) ?? 0), "The cluster answered \(status).")
    }
}

private struct Filter: JSONObject {
    let filter: String

    func writeFields(to json: inout JSONWriter) { json.field("filter", filter) }
}

extension JetStream.Stream: JSONObject {
    /// Writes the stream's configuration (JetStream API, `STREAM.CREATE`).
    package func writeFields(to json: inout JSONWriter) {
        json.field("name", name)
        json.array("subjects", subjects)
        json.field("retention", "limits")
        json.field("storage", "file")
        json.field("num_replicas", Int64(replicas))
        json.field("max_consumers", Int64(-1))
        json.field("max_msgs", Int64(-1))
        json.field("max_msgs_per_subject", Int64(messagesPerSubject ?? -1))
        json.field("max_bytes", Int64(-1))
        json.field("max_msg_size", Int64(messageBytes ?? -1))
        json.field("max_age", (age?.components.seconds ?? 0) * 1_000_000_000)
        // A full stream refuses what is new; nothing that was acknowledged is dropped.
        json.field("discard", messagesPerSubject == nil ? "new" : "old")
        json.field("allow_direct", true)
    }
}
