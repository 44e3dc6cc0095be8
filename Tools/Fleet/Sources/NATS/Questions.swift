internal import Synchronization

/// Questions that wait for their replies.
final class Questions: Sendable {
    private struct Question {
        let limit: Int
        let deadline: ContinuousClock.Instant
        var replies: [Connection.Message] = []
        var isOver = false
        var waiting: CheckedContinuation<[Connection.Message], Never>?

        /// Takes a reply in; returns whether it is the last one.
        mutating func take(_ message: Connection.Message) -> Bool {
            guard !isOver else { return false }
            replies.append(message)
            isOver = replies.count >= limit || message.headers.status != nil
            return isOver
        }
    }

    private struct Open {
        var last: UInt64 = 0
        var questions: [UInt64: Question] = [:]
        var isWatching = false
        var isEnded = false
    }

    private let open = Mutex(Open())

    /// Notes a question that is about to be asked.
    func begin(_ limit: Int, until deadline: ContinuousClock.Instant) -> UInt64 {
        let (number, watches) = open.withLock { open in
            open.last += 1
            open.questions[open.last] = Question(limit: limit, deadline: deadline)
            defer { open.isWatching = true }
            return (open.last, !open.isWatching)
        }
        if watches { Task { [self] in await watch() } }
        return number
    }

    /// The replies to a question: when there are as many as wanted, or when the time is over.
    func replies(to number: UInt64) async -> [Connection.Message] {
        await withCheckedContinuation { continuation in
            let replies: [Connection.Message]? = open.withLock { open in
                guard let question = open.questions[number], !question.isOver, !open.isEnded else {
                    return open.questions.removeValue(forKey: number)?.replies ?? []
                }
                open.questions[number]?.waiting = continuation
                return nil
            }
            if let replies { continuation.resume(returning: replies) }
        }
    }

    /// Takes a question back.
    func forget(_ number: UInt64) {
        _ = open.withLock { $0.questions.removeValue(forKey: number) }
    }

    /// Takes a reply in.
    func answer(_ number: UInt64, _ message: Connection.Message) {
        let done: (CheckedContinuation<[Connection.Message], Never>, [Connection.Message])? =
            open.withLock { open in
                // In place: a copy of the question would copy all its replies for each new one.
                guard open.questions[number]?.take(message) == true,
                    let waiting = open.questions[number]?.waiting
                else { return nil }
                return (waiting, open.questions.removeValue(forKey: number)?.replies ?? [])
            }
        if let done { done.0.resume(returning: done.1) }
    }

    /// Ends questions whose time is over, until none is open.
    private func watch() async {
        while true {
            do {
                try await Task.sleep(for: .milliseconds(50))
            } catch {
                return
            }
            let now = ContinuousClock.now
            let (over, isLast) = open.withLock { open in
                let late = open.questions.filter { $0.value.deadline < now }
                for (number, question) in late {
                    if question.waiting != nil {
                        open.questions[number] = nil
                    } else {
                        open.questions[number]?.isOver = true
                    }
                }
                let isLast = open.questions.isEmpty
                if isLast { open.isWatching = false }
                return (
                    late.values.compactMap { late in late.waiting.map { ($0, late.replies) } },
                    isLast
                )
            }
            for (waiting, replies) in over { waiting.resume(returning: replies) }
            if isLast { return }
        }
    }

    /// Answers everybody with what there is.
    func end() {
        let all = open.withLock { open in
            open.isEnded = true
            defer { open.questions = [:] }
            return open.questions.values.compactMap { late in
                late.waiting.map { ($0, late.replies) }
            }
        }
        for (waiting, replies) in all { waiting.resume(returning: replies) }
    }
}
