internal import NIOHTTP1
internal import Synchronization

/// How often one sender may write: so many a second in the long run, and a burst of them at once.
///
/// A value, and the time comes in. Of a sender it keeps one number: until when what it has written
/// takes its share of the time (the generic cell rate algorithm, ITU-T I.371).
struct WriteRate: Sendable {
    /// Beyond so many senders those are forgotten who may write as if they never had: what is left
    /// are those of the last seconds.
    static let senderLimit = 64

    /// How long one writing takes its share of the time.
    let eachMilliseconds: UInt64
    /// How many may come at once.
    let burst: UInt64
    /// By the clock since the machine started.
    var busyUntilMilliseconds: [String: UInt64] = [:]

    /// Counts a writing, unless it comes too soon.
    ///
    /// - Parameters:
    ///   - sender: Whose it is.
    ///   - now: By the clock since the machine started.
    ///   - count: As how many it counts.
    /// - Returns: After how many whole seconds it may come again; nil if it may come now.
    mutating func secondsToWait(
        _ sender: String, at now: UInt64, count: UInt64 = 1
    ) -> UInt64? {
        let until = max(busyUntilMilliseconds[sender] ?? 0, now) + eachMilliseconds * count
        let spare = now + burst * eachMilliseconds
        guard until <= spare else { return (until - spare + 999) / 1_000 }
        busyUntilMilliseconds[sender] = until
        if busyUntilMilliseconds.count > Self.senderLimit {
            busyUntilMilliseconds = busyUntilMilliseconds.filter { $0.value > now }
        }
        return nil
    }
}

/// How often those write that were let in: a phone or a program that has lost its mind, or whose
/// secret somebody else has, fills no disk and keeps nobody busy.
///
/// Nobody is remembered who knows no secret.
final class WriteRates: Sendable {
    private let rates = Mutex([
        Access.Errand.totals: WriteRate(eachMilliseconds: 1_000, burst: 60),
        // An app that had no network sends what it has kept; each 1,024 bytes count as one.
        .positions: WriteRate(eachMilliseconds: 100, burst: 2_000),
        .commands: WriteRate(eachMilliseconds: 100, burst: 10),
    ])

    /// Counts what somebody writes; reading is free.
    ///
    /// - Throws: ``HTTPRefusal`` with the status 429 if it comes too soon.
    func take(
        _ errand: Access.Errand, of sender: String, count: UInt64, at now: UInt64
    ) throws(HTTPRefusal) {
        let seconds = rates.withLock {
            $0[errand]?.secondsToWait(sender, at: now, count: count) ?? nil
        }
        guard let seconds else { return }
        throw HTTPRefusal(
            .tooManyRequests, "tooOften",
            "Too much is sent at once. Send the rest after the seconds that Retry-After says.",
            fields: ["Retry-After": "\(seconds)"])
    }
}
