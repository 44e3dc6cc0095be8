/// Sentences that come with their time and go away.
///
/// News and the answer to a key stand apart: no key drives news away.
struct MessageBoard: Sendable {
    /// How long a sentence stays.
    static let stayMilliseconds: UInt64 = 60_000
    /// How many news stand at a time.
    static let limit = 2

    /// A sentence.
    struct Message: Hashable, Sendable {
        let text: String
        /// When it came, on the boot clock and on the wall.
        let bootMilliseconds: UInt64
        let wallMilliseconds: Int64
    }

    /// What happened, the newest first.
    private var news: [Message] = []
    /// What was said to the last key that needed it.
    private var answer: Message?

    /// The sentences, the newest first.
    var messages: [Message] {
        guard let answer else { return news }
        let newer = news.prefix { $0.bootMilliseconds > answer.bootMilliseconds }
        return newer + [answer] + news.dropFirst(newer.count)
    }

    /// Adds news; what stands already is shown again.
    mutating func add(_ message: Message) {
        withdraw(message.text)
        news = [message] + news.prefix(Self.limit - 1)
    }

    /// Takes the answer to a key in place of the one before.
    mutating func answer(_ message: Message) {
        withdraw(message.text)
        answer = message
    }

    /// What a sentence says is over, or is shown elsewhere.
    mutating func withdraw(_ text: String) {
        news.removeAll { $0.text == text }
        if answer?.text == text { answer = nil }
    }

    /// What the last key was answered is over.
    mutating func withdrawAnswer() {
        answer = nil
    }

    /// Removes what has stood for a minute.
    mutating func passTime(to now: UInt64) {
        func isOver(_ message: Message) -> Bool {
            now > message.bootMilliseconds + Self.stayMilliseconds
        }
        news.removeAll(where: isOver)
        if answer.map(isOver) == true { answer = nil }
    }
}
