internal import NIOCore

/// The connections of a listener, sorted by when the wait began that each is in now.
///
/// There are so many at most. One more takes the place of the one that has sent no request for
/// longest, or else of the one that has not fetched its answer for longest: so nobody keeps others
/// out by doing nothing.
///
/// For one event loop.
final class Connections {
    /// What a connection waits for.
    enum Phase {
        /// Its request has not arrived.
        case asking
        /// Its request is being answered.
        case answering
        /// Its answer is on its way.
        case answered
    }

    private struct Connection {
        let channel: any Channel
        var phase = Phase.asking
    }

    private let limit: Int
    private var all: [Connection] = []

    /// Prepares for connections.
    ///
    /// - Parameter limit: The most of them.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes in a connection that was accepted; another one may have to end for it.
    func enter(_ channel: any Channel) {
        let idlest =
            all.firstIndex { $0.phase == .asking } ?? all.firstIndex { $0.phase == .answered }
        all.append(Connection(channel: channel))
        if all.count > limit { all[idlest ?? all.endIndex - 1].channel.close(promise: nil) }
    }

    /// Notes that a connection waits for something else now.
    func note(_ channel: any Channel, _ phase: Phase) {
        guard let index = all.firstIndex(where: { $0.channel === channel }) else { return }
        var connection = all.remove(at: index)
        connection.phase = phase
        all.append(connection)
    }

    /// Forgets a connection that has ended.
    func leave(_ channel: any Channel) {
        all.removeAll { $0.channel === channel }
    }
}
