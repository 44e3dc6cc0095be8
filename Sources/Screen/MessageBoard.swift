/// Sentences that come with their time and go away.
struct MessageBoard: Sendable {
    /// How long a sentence stays.
    static let milliseconds: UInt64 = 60_000
    /// How many stand at a time.
    static let limit = 2

    /// A sentence.
    struct Message: Hashable, Sendable {
        let text: String
        /// When it came, on the boot clock and on the wall.
        let bootMilliseconds: UInt64
        let wallMilliseconds: Int64
    }

    /// The sentences, the newest first.
    private(set) var messages: [Message] = []

    /// Adds a sentence; one that stands already is told anew.
    mutating func add(_ message: Message) {
        messages.removeAll { $0.text == message.text }
        messages = [message] + messages.prefix(Self.limit - 1)
    }

    /// What a sentence says is over.
    mutating func withdraw(_ text: String) {
        messages.removeAll { $0.text == text }
    }

    /// Removes what has stood for a minute.
    mutating func passTime(to now: UInt64) {
        messages.removeAll { now > $0.bootMilliseconds + Self.milliseconds }
    }
}
