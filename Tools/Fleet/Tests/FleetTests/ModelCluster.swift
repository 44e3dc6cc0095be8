import Fleet
import Synchronization
import TestSupport

/// A cluster in memory that loses answers, doubles messages and lets them come late, by a seed.
final class ModelCluster: Cluster {
    /// What may go wrong, in percent of the calls.
    struct Faults {
        /// The message is not stored, and nobody hears of it.
        var lost = 0
        /// The message is stored, and nobody hears of it.
        var unheard = 0
        /// The message is not stored now, and comes once more when another one was.
        var late = 0
        /// The message is stored later, together with its repetition: servers of a cluster compare
        /// what a message expects with what they have stored, before all before it is.
        var twice = 0
        /// A server that is some messages behind tells the last one of a subject.
        var behind = 0
        /// Nobody reaches the cluster.
        var isAway = false
    }

    private struct State {
        var messages: [String: [StoredMessage]] = [:]
        var sequences: [String: UInt64] = [:]
        var identities: [String: String] = [:]
        var late: [NewMessage] = []
        var twice: [NewMessage] = []
        var random: SeededGenerator
        var faults: Faults
    }

    private let state: Mutex<State>

    init(seed: UInt64 = 1, faults: Faults = Faults()) {
        state = Mutex(State(random: SeededGenerator(seed: seed), faults: faults))
    }

    /// From now on nothing goes wrong.
    func recover() { state.withLock { $0.faults = Faults() } }

    /// Whether nobody reaches it.
    var isAway: Bool {
        get { state.withLock { $0.faults.isAway } }
        set { state.withLock { $0.faults.isAway = newValue } }
    }

    private static let away = ClusterError(.lost, "away")

    private static func stream(of subject: String) -> String {
        subject.hasPrefix("pulselog-states.")
            ? Subjects.states
            : subject.hasPrefix("pulselog-leases.") ? Subjects.leases : Subjects.events
    }

    private static func isMatch(_ subject: String, _ filter: String) -> Bool {
        let (words, patterns) = (subject.split(separator: "."), filter.split(separator: "."))
        for (index, pattern) in patterns.enumerated() {
            if pattern == ">" { return words.count > index }
            guard index < words.count, pattern == "*" || pattern == words[index] else {
                return false
            }
        }
        return words.count == patterns.count
    }

    @discardableResult
    func publish(_ message: NewMessage) async throws(ClusterError) -> UInt64 {
        let outcome: Result<UInt64, ClusterError> = state.withLock { state in
            let chance = Int(state.random.below(100))
            let faults = state.faults
            if faults.isAway { return .failure(Self.away) }
            if chance < faults.lost { return .failure(ClusterError(.lost, "lost")) }
            if chance < faults.lost + faults.late {
                state.late.append(message)
                return .failure(ClusterError(.lost, "late"))
            }
            if chance >= 100 - faults.twice, message.expecting ?? 0 > 0 {
                state.twice.append(message)
                return .failure(ClusterError(.lost, "not stored yet"))
            }
            let outcome = Self.store(message, in: &state)
            if !state.late.isEmpty { _ = Self.store(state.late.removeFirst(), in: &state) }
            if chance < faults.lost + faults.late + faults.unheard {
                return .failure(ClusterError(.lost, "unheard"))
            }
            return outcome
        }
        return try outcome.get()
    }

    private static func store(
        _ message: NewMessage, in state: inout State
    ) -> Result<UInt64, ClusterError> {
        let stream = stream(of: message.subject)
        let known = state.messages[stream, default: []]
        let last = known.last { $0.subject == message.subject }?.sequence ?? 0
        if let expected = message.expecting, expected != last {
            return .failure(ClusterError(.conflict, "wrong last sequence: \(last)"))
        }
        if let index = state.twice.firstIndex(where: {
            $0.subject == message.subject && $0.expecting == message.expecting
        }) {
            _ = append(state.twice.remove(at: index), in: &state)
        }
        return .success(append(message, in: &state))
    }

    private static func append(_ message: NewMessage, in state: inout State) -> UInt64 {
        let stream = stream(of: message.subject)
        let sequence = state.sequences[stream, default: 0] + 1
        state.sequences[stream] = sequence
        if stream != Subjects.events {
            state.messages[stream]?.removeAll { $0.subject == message.subject }
        }
        state.messages[stream, default: []].append(
            StoredMessage(
                subject: message.subject, sequence: sequence, payload: message.payload))
        return sequence
    }

    func tell(_ subject: String, _ payload: [UInt8]) {}

    func lastMessage(
        of subject: String, in stream: String
    ) async throws(ClusterError) -> StoredMessage? {
        try state.withLock { state throws(ClusterError) in
            if state.faults.isAway { throw Self.away }
            let isBehind = Int(state.random.below(100)) < state.faults.behind
            let known = state.messages[stream, default: []].dropLast(isBehind ? 3 : 0)
            return known.last { $0.subject == subject }
        }
    }

    func identity(of stream: String) async throws(ClusterError) -> String {
        try state.withLock { state throws(ClusterError) in
            if state.faults.isAway { throw Self.away }
            return state.identities[stream] ?? "first"
        }
    }

    /// Makes a stream anew: its sequences begin with 1 again.
    func makeAnew(_ stream: String) {
        state.withLock { state in
            state.messages[stream] = nil
            state.sequences[stream] = nil
            state.identities[stream] = "\(state.random.next())"
        }
    }

    /// Loses a message of a stream, as a server may that has a fault.
    func lose(_ number: UInt64, of stream: String) {
        state.withLock { state in
            guard let count = state.messages[stream]?.count, count > 0 else { return }
            state.messages[stream]?.remove(at: Int(number % UInt64(count)))
        }
    }

    /// The states that workers have kept.
    var keptLogs: [FoldedLog] {
        messages(of: Subjects.states).compactMap { message in
            FoldedLog(kept: Array(message.payload.drop { $0 != 0x0A }.dropFirst()))
        }
    }

    /// All messages of a stream.
    func messages(of stream: String) -> [StoredMessage] {
        state.withLock { $0.messages[stream] ?? [] }
    }

    func reader(
        of stream: String, _ filter: String, after sequence: UInt64
    ) async throws(ClusterError) -> any MessageReader {
        Reader(cluster: self, stream: stream, filter: filter, sequence: Mutex(sequence))
    }

    private final class Reader: MessageReader {
        let cluster: ModelCluster
        let stream: String
        let filter: String
        let sequence: Mutex<UInt64>

        init(
            cluster: ModelCluster, stream: String, filter: String,
            sequence: consuming Mutex<UInt64>
        ) {
            (self.cluster, self.stream, self.filter) = (cluster, stream, filter)
            self.sequence = sequence
        }

        func next(
            _ limit: Int, within patience: Duration
        ) async throws(ClusterError) -> (messages: [StoredMessage], pending: UInt64) {
            guard !cluster.isAway else { throw ModelCluster.away }
            return sequence.withLock { last in
                let all = cluster.messages(of: stream).filter {
                    $0.sequence > last && ModelCluster.isMatch($0.subject, filter)
                }
                let messages = Array(all.prefix(limit))
                last = messages.last?.sequence ?? last
                return (messages, UInt64(all.count - messages.count))
            }
        }
    }
}
