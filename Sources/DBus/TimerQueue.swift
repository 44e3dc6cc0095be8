/// One-shot timers in the order they are due; of equal ones, the one set first.
///
/// Pure: it is told the time. A sorted array is enough for some thousand timers.
struct TimerQueue<Action> {
    /// Names a timer, until it has fired or been cancelled.
    struct ID: Hashable, Comparable {
        let deadlineMilliseconds: UInt64
        let number: UInt64

        static func < (left: ID, right: ID) -> Bool {
            (left.deadlineMilliseconds, left.number) < (right.deadlineMilliseconds, right.number)
        }
    }

    private var timers: [(id: ID, action: Action)] = []

    /// The number of the timer that is set next.
    ///
    /// A turn of the loop takes only older ones, so that a timer that sets itself again cannot keep
    /// the loop.
    private(set) var nextNumber: UInt64 = 0

    /// When the next timer is due.
    var nextDeadlineMilliseconds: UInt64? { timers.last?.id.deadlineMilliseconds }

    mutating func insert(deadlineMilliseconds: UInt64, _ action: Action) -> ID {
        let id = ID(deadlineMilliseconds: deadlineMilliseconds, number: nextNumber)
        nextNumber += 1
        timers.insert((id, action), at: index(of: id))
        return id
    }

    mutating func remove(_ id: ID) {
        let index = index(of: id)
        guard index > 0, timers[index - 1].id == id else { return }
        timers.remove(at: index - 1)
    }

    /// Takes the next timer that is due, or nil if none is.
    ///
    /// - Parameters:
    ///   - milliseconds: Now.
    ///   - number: Timers with this number or a higher one stay; see ``nextNumber``.
    /// - Returns: What is to be done.
    mutating func popDue(atMilliseconds milliseconds: UInt64, before number: UInt64) -> Action? {
        guard let next = timers.last, next.id.deadlineMilliseconds <= milliseconds,
            next.id.number < number
        else { return nil }
        timers.removeLast()
        return next.action
    }

    /// Latest first, so that the next timer is taken from the end: the number of later timers, plus
    /// one if the timer itself is in.
    private func index(of id: ID) -> Int {
        var low = 0
        var high = timers.count
        while low < high {
            let middle = (low + high) / 2
            if timers[middle].id >= id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
