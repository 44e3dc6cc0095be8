/// What the fleet needs of a cluster: streams of messages with sequence numbers.
///
/// JetStream is one; the tests' model, which loses and doubles, is another.
package protocol Cluster: Sendable {
    /// Stores a message, and returns when the cluster has it for good.
    ///
    /// - Returns: The sequence under which it is stored.
    /// - Throws: ``ClusterError``; after `lost` nobody knows whether it is stored.
    @discardableResult
    func publish(_ message: NewMessage) async throws(ClusterError) -> UInt64

    /// Tells whoever listens now; nobody keeps it.
    func tell(_ subject: String, _ payload: [UInt8])

    /// The last message of a subject.
    ///
    /// - Returns: The message; nil if there is none.
    /// - Throws: ``ClusterError``.
    func lastMessage(of subject: String, in stream: String) async throws(ClusterError)
        -> StoredMessage?

    /// What a stream has only as long as it is the same one: sequences of another one mean nothing.
    ///
    /// - Throws: ``ClusterError``.
    func identity(of stream: String) async throws(ClusterError) -> String

    /// Begins to read a stream in order.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - filter: The subjects of interest, with wildcards.
    ///   - sequence: The last sequence that is not of interest.
    /// - Returns: What hands the messages on.
    /// - Throws: ``ClusterError``.
    func reader(
        of stream: String, _ filter: String, after sequence: UInt64
    ) async throws(ClusterError) -> any MessageReader
}

/// Hands the messages of a stream on, in order, each once.
package protocol MessageReader: Sendable {
    /// The next messages.
    ///
    /// - Parameters:
    ///   - limit: The most messages.
    ///   - patience: How long to wait for the first; 0 for those only that are there.
    /// - Returns: The messages, and how many are waiting after them; none if none came in time.
    /// - Throws: ``ClusterError``; the reader is of no use then.
    func next(_ limit: Int, within patience: Duration) async throws(ClusterError)
        -> (messages: [StoredMessage], pending: UInt64)
}

/// A message on its way to the cluster.
package struct NewMessage: Hashable, Sendable {
    /// Where it goes.
    package let subject: String
    /// The sequence of the subject's last message, 0 for none; nil if it does not matter.
    package let expecting: UInt64?
    /// The content.
    package let payload: [UInt8]

    /// Makes a message.
    package init(_ subject: String, expecting: UInt64? = nil, _ payload: [UInt8]) {
        (self.subject, self.expecting, self.payload) = (subject, expecting, payload)
    }
}

/// A message that the cluster has.
package struct StoredMessage: Hashable, Sendable {
    /// Where it is.
    package let subject: String
    /// Its place in the stream, from 1 on.
    package let sequence: UInt64
    /// The content.
    package let payload: [UInt8]

    /// Makes a message.
    package init(subject: String, sequence: UInt64, payload: [UInt8]) {
        (self.subject, self.sequence, self.payload) = (subject, sequence, payload)
    }
}

/// Why the cluster has not done what was asked.
package struct ClusterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What to make of it.
    package enum Code: Hashable, Sendable {
        /// No answer came, or it cannot be done now: it may be asked again, and may have been done.
        case lost
        /// The subject's last message is another one than expected.
        case conflict
        /// What was asked is refused, now and when it is asked again.
        case refused
        /// Who asks is not let in, or not any more.
        case shutOut
    }

    /// What to make of it.
    package let code: Code
    /// What happened and what to do, in whole sentences.
    package let description: String

    /// Makes an error.
    package init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }
}
