internal import CMosquitto
internal import Synchronization
internal import Threads

/// Keeps what stands below some topics of a broker as it is wanted, on a thread of its own.
///
/// Nobody who wants something ever waits, whatever the broker does: the newest wish takes the place
/// of the one before. A broker that is lost is tried again, after a second at first and after a
/// minute at last, and is then told all of it anew.
@safe
public final class MQTTClient: @unchecked Sendable {
    // What can be changed is touched on its thread only, or behind the lock of `wish`.

    /// What happens to it.
    public enum News: Hashable, Sendable {
        /// The broker is there; `again` after it was lost.
        case reached(again: Bool)
        /// The broker is not there, or no longer, for a reason in the library's words. It is tried
        /// again, and nothing more is said until it is reached.
        case lost(String)
        /// A message came.
        case received(topic: String, payload: String)
    }

    private struct Wish {
        var messages: [MQTTMessage] = []
        /// When to leave at the latest; nil to stay.
        var end: ContinuousClock.Instant? = .now
        var isLast = false
    }

    /// The library's functions; nil where it is not installed.
    private static let library: CMosquitto? = {
        var library = CMosquitto()
        return unsafe CMosquittoLoad(&library) ? library : nil
    }()

    /// What happens, until it has left for good; what is not taken in time is left out.
    public let news: AsyncStream<News>
    private let tell: AsyncStream<News>.Continuation
    private let broker: MQTTBroker
    private let library: CMosquitto
    private let wish = Mutex(Wish())
    private let bell = Bell()
    private var handle: CMosquittoHandle?
    /// Whether the broker has accepted the connection.
    private var isOpen = false
    /// What was published over it, and how much of that the broker has not taken yet.
    private var sent: [String: String] = [:]
    private var waiting = 0
    /// Why it is over; 0 while it is not.
    private var code: Int32 = 0
    /// The first thing that went wrong with it, in the library's words.
    private var complaint: String?

    /// Makes a client, which connects when something is wanted.
    ///
    /// Its thread ends when it has left for good. nil comes of a missing library, or of a system
    /// that has no thread left.
    ///
    /// - Parameter broker: The broker.
    public init?(_ broker: MQTTBroker) {
        guard let library = Self.library else { return nil }
        (self.library, self.broker) = (library, broker)
        (news, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
        do throws(NoThread) {
            try OwnThread { [self] in run() }.detach()
        } catch {
            return nil
        }
    }

    /// Wants messages to stand there.
    ///
    /// - Parameters:
    ///   - messages: The messages.
    ///   - end: When to leave the broker if it has not taken them; it is left as soon as it has.
    ///     nil to stay.
    ///   - isLast: Whether to leave for good.
    public func want(
        _ messages: [MQTTMessage], until end: ContinuousClock.Instant? = nil, isLast: Bool = false
    ) {
        wish.withLock { $0 = Wish(messages: messages, end: end, isLast: isLast) }
        bell.ring()
    }

    // MARK: - On its thread

    private func run() {
        var (pause, next) = (Duration.seconds(1), ContinuousClock.now)
        var isReached: Bool?
        while true {
            let wish = wish.withLock { $0 }
            if let end = wish.end, unsafe handle == nil || holds(wish.messages) || .now >= end {
                close()
                if wish.isLast { return tell.finish() }
                bell.wait(atMost: .seconds(3_600))
                continue
            }
            if unsafe handle == nil, .now >= next {
                next = .now + pause
                pause = min(pause * 2, .seconds(60))
                open()
            }
            if unsafe handle != nil, !turn(wish.messages) {
                let reason = unsafe complaint ?? text(library.strerror(code))
                if isReached != false { tell.yield(.lost(reason)) }
                isReached = false
                close()
            } else if isOpen, isReached != true {
                tell.yield(.reached(again: isReached == false))
                isReached = true
            }
            // One that is lost again at once is not hurried.
            if holds(wish.messages) { pause = .seconds(1) }
            let isBusy = unsafe handle != nil && !(isOpen && waiting == 0)
            bell.wait(atMost: isBusy ? .milliseconds(100) : .seconds(1))
        }
    }

    /// Connects; waits until the name is found and the host has answered.
    private func open() {
        // The thread keeps this for as long as there is a handle.
        unsafe handle = library.new(nil, true, Unmanaged.passUnretained(self).toOpaque())
        unsafe library.connect_callback_set(handle) { unsafe MQTTClient.at($1)?.opened($2) }
        unsafe library.publish_callback_set(handle) { _, client, _ in
            unsafe MQTTClient.at(client)?.waiting -= 1
        }
        unsafe library.message_callback_set(handle) { unsafe MQTTClient.at($1)?.receive($2) }
        unsafe library.log_callback_set(handle) { _, client, level, words in
            // MOSQ_LOG_ERR
            guard level == 8, let client = unsafe MQTTClient.at(client) else { return }
            client.complaint = unsafe client.complaint ?? client.text(words)
        }
        unsafe code = library.username_pw_set(handle, broker.user, broker.password)
        if let path = broker.authorities {
            unsafe code |= library.tls_set(handle, path, nil, nil, nil, nil)
        }
        if let (topic, payload) = broker.will {
            let count = Int32(payload.utf8.count)
            unsafe code |= library.will_set(handle, topic, count, payload, 1, true)
        }
        guard code == 0 else { return }
        // Whoever is silent for twice 30 s is taken for gone by the other side.
        unsafe code = library.connect(handle, broker.host, Int32(broker.port), 30)
    }

    /// Reads and writes what there is, and publishes what does not stand there yet, once the broker
    /// has taken what was published before: nothing piles up for one that is slow.
    ///
    /// - Returns: Whether the connection goes on.
    private func turn(_ messages: [MQTTMessage]) -> Bool {
        if code == 0 { unsafe code = library.loop(handle, 0, 1) }
        guard isOpen, waiting == 0 else { return code == 0 }
        for (topic, payload) in messages where code == 0 && sent[topic] != payload {
            let count = Int32(payload.utf8.count)
            unsafe code = library.publish(handle, nil, topic, count, payload, 1, true)
            sent[topic] = payload
            waiting += 1
        }
        return code == 0
    }

    /// Whether the broker has taken all of these.
    private func holds(_ messages: [MQTTMessage]) -> Bool {
        isOpen && waiting == 0 && messages.allSatisfy { sent[$0.topic] == $0.payload }
    }

    private func close() {
        unsafe _ = library.disconnect(handle)
        unsafe library.destroy(handle)
        unsafe (handle, isOpen, waiting, sent, complaint) = (nil, false, 0, [:], nil)
    }

    // MARK: - What the library calls

    private static func at(_ context: UnsafeMutableRawPointer?) -> MQTTClient? {
        unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    private func text(_ words: UnsafePointer<CChar>?) -> String {
        unsafe words.map { unsafe String(cString: $0) } ?? ""
    }

    private func opened(_ code: Int32) {
        isOpen = code == 0
        if !isOpen { complaint = unsafe text(library.connack_string(code)) }
        for topic in broker.topics where isOpen {
            unsafe _ = library.subscribe(handle, nil, topic, 0)
        }
    }

    private func receive(_ message: UnsafePointer<mosquitto_message>?) {
        // What was kept there was meant for another time, and nobody understands what is long.
        guard let message = unsafe message?.pointee, unsafe !message.retain,
            unsafe message.payloadlen <= 64
        else { return }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: message.payload, count: Int(message.payloadlen))
        let payload = unsafe String(decoding: bytes, as: UTF8.self)
        tell.yield(.received(topic: unsafe text(message.topic), payload: payload))
    }
}
