package import Fleet
package import NATS

/// A cluster of NATS servers with JetStream.
package struct JetStreamCluster: Cluster {
    private let streams: JetStream

    /// Uses a connection.
    package init(_ connection: Connection) { streams = JetStream(connection) }

    /// Connects.
    ///
    /// - Throws: `ClusterError`.
    package init(to credentials: Credentials, as name: String) throws(ClusterError) {
        do throws(NATSError) {
            self.init(try Connection(to: credentials, name: name))
        } catch {
            throw ClusterError(error, credentials.servers)
        }
    }

    package func publish(_ message: NewMessage) async throws(ClusterError) -> UInt64 {
        try await explained { () async throws(NATSError) in
            try await streams.publish(
                message.subject, message.payload, expecting: message.expecting)
        }
    }

    package func tell(_ subject: String, _ payload: [UInt8]) {
        do throws(NATSError) {
            try streams.connection.send(subject, payload)
        } catch {
            // Whoever looks at glances gets the next ones.
        }
    }

    package func lastMessage(
        of subject: String, in stream: String
    ) async throws(ClusterError) -> StoredMessage? {
        try await explained { () async throws(NATSError) in
            try await streams.last(of: subject, in: stream)
        }.map(StoredMessage.init)
    }

    package func identity(of stream: String) async throws(ClusterError) -> String {
        try await explained { () async throws(NATSError) in try await streams.created(stream) }
    }

    package func reader(
        of stream: String, _ filter: String, after sequence: UInt64
    ) async throws(ClusterError) -> any MessageReader {
        Reader(reader: OrderedReader(of: streams, stream, filter, after: sequence))
    }

    private struct Reader: MessageReader {
        let reader: OrderedReader

        func next(
            _ limit: Int, within patience: Duration
        ) async throws(ClusterError) -> (messages: [StoredMessage], pending: UInt64) {
            let (messages, pending) = try await explained { () async throws(NATSError) in
                try await reader.next(limit, within: patience)
            }
            return (messages.map(StoredMessage.init), pending)
        }
    }
}

/// Streams of a study: who makes them, and who leaves them.
extension JetStreamCluster {
    /// Makes the streams, or changes them to what is asked for.
    ///
    /// - Parameter replicas: How many servers keep each message; nil for 1 of new streams, and to
    ///   leave those alone that are there.
    /// - Throws: `ClusterError`.
    package func makeStreams(replicas: Int?) async throws(ClusterError) {
        var events = JetStream.Stream(Subjects.events, subjects: ["pulselog.>"])
        var states = JetStream.Stream(Subjects.states, subjects: ["pulselog-states.>"])
        var leases = JetStream.Stream(Subjects.leases, subjects: ["pulselog-leases.>"])
        states.messagesPerSubject = 1
        leases.messagesPerSubject = 1
        leases.age = Lease.lifetime
        // No recorder sends more; what is larger never gets into the stream.
        events.messageBytes = 8_192
        for var stream in [events, states, leases] {
            stream.replicas = replicas ?? 1
            try await explained { () async throws(NATSError) in
                try await streams.make(stream, orChange: replicas != nil)
            }
        }
    }

    /// Removes all that a person has sent, and what was made of it.
    ///
    /// - Returns: How many messages there were.
    /// - Throws: `ClusterError`.
    package func remove(_ person: String) async throws(ClusterError) -> UInt64 {
        try await explained { () async throws(NATSError) in
            let count = try await streams.purge(Subjects.events, Subjects.person(person))
            for share in Subjects.shares {
                let states = Subjects.states(of: person, inShare: share)
                guard try await streams.purge(Subjects.states, states) > 0 else { continue }
                // Without a cursor the share is folded anew, once; with one that no longer fits its
                // states, by each question.
                let cursor = Subjects.cursor(ofShare: share)
                _ = try await streams.purge(Subjects.states, cursor)
            }
            return count
        }
    }

    /// How many workers there are.
    ///
    /// - Throws: `ClusterError`.
    package func workerCount() async throws(ClusterError) -> Int {
        try await explained { () async throws(NATSError) in
            try await streams.subjectCount(
                of: Subjects.leases, Subjects.presence(ofWorker: "*"))
        }
    }

    /// Hands on what workers say of all shares.
    ///
    /// - Throws: `ClusterError`.
    package func listen(_ body: @escaping @Sendable ([UInt8]) -> Void) throws(ClusterError) {
        do throws(NATSError) {
            try streams.connection.listen(to: "pulselog-glances.*") { body($0.payload) }
        } catch {
            throw ClusterError(error, [])
        }
    }
}

private func explained<Value>(
    _ body: () async throws(NATSError) -> Value
) async throws(ClusterError) -> Value {
    do throws(NATSError) {
        return try await body()
    } catch {
        throw ClusterError(error, [])
    }
}

extension StoredMessage {
    fileprivate init(_ stored: JetStream.Stored) {
        self.init(
            subject: stored.subject, sequence: stored.sequence, payload: stored.payload)
    }
}

extension ClusterError {
    /// Says what to do.
    fileprivate init(_ error: NATSError, _ servers: [String]) {
        let place = servers.isEmpty ? "the cluster" : servers.joined(separator: ", ")
        switch error.code {
        case .unreachable:
            self.init(
                .lost, "No server answers at \(place). Is one running there, and is the way free?")
        case .timeout:
            self.init(
                .lost,
                "The cluster did not answer within 5 s: it has no leader now, or you are not who "
                    + "--as says.")
        case .unavailable:
            self.init(
                .lost,
                "No stream of the study answers: the cluster has no leader now, you are not who "
                    + "--as says, or its keeper has not run `pulselog-fleet streams` yet.")
        case .wrongLastSequence: self.init(.conflict, error.detail)
        case .noJetStream:
            self.init(
                .refused,
                "The server has no JetStream for you. Only the keeper's seed may ask about the "
                    + "study, and the server needs the configuration that `pulselog-fleet init` "
                    + "writes.")
        case .unauthorized:
            self.init(
                .shutOut,
                "The server does not accept who connects (\(error.detail)). Name the file that the "
                    + "study's keeper gave you with --seed or --creds.")
        case .untrusted:
            self.init(
                .shutOut,
                "The server is not known to be the study's (\(error.detail)). Write tls:// for one "
                    + "with a certificate, and name with --ca who signed it.")
        case .notFound:
            self.init(
                .refused,
                "The study's streams are not there; its keeper makes them with "
                    + "`pulselog-fleet streams`.")
        case .refused(10_047), .refused(10_077), .refused(10_023):
            self.init(
                .lost,
                "The cluster is full (\(error.detail)). Give it more room; nothing is lost, for "
                    + "each recorder keeps its own log.")
        case .refused(let number):
            self.init(.refused, "The cluster refuses it: \(error.detail) (\(number)).")
        case .library(let number):
            self.init(.refused, "It cannot be done: \(error.detail) (libnats, \(number)).")
        }
    }
}
