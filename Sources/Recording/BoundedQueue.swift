import Synchronization

/// A queue in order, filled from any thread; nobody who fills it ever waits.
///
/// It is bounded for what comes often: ``put(_:)`` counts what found no room, ``offer(_:)`` leaves
/// it out.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var lost: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let wake: AsyncStream<Void>.Continuation

    /// Yields when there is something to take; for one consumer.
    package let wakes: AsyncStream<Void>

    /// Makes an empty queue.
    ///
    /// - Parameter capacity: The most elements that wait; by default ten minutes of a hundred
    ///   values a second.
    package init(capacity: Int = 60_000) {
        self.capacity = capacity
        // One waiting wake-up stands for all elements that came since.
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Puts an element in; never waits.
    ///
    /// - Parameter element: What waits from now on, or is counted if there is no room.
    /// - Returns: Whether there was room.
    @discardableResult
    package func put(_ element: Element) -> Bool {
        add(element, isCounted: true)
    }

    /// Puts an element in if there is room: for what comes again by itself.
    ///
    /// - Parameter element: What waits from now on, or is left out.
    /// - Returns: Whether there was room.
    @discardableResult
    package func offer(_ element: Element) -> Bool {
        add(element, isCounted: false)
    }

    private func add(_ element: Element, isCounted: Bool) -> Bool {
        let isTaken = state.withLock { state in
            guard state.elements.count < capacity else {
                if isCounted { state.lost &+= 1 }
                return false
            }
            state.elements.append(element)
            return true
        }
        wake.yield()
        return isTaken
    }

    /// Puts an element in even if there is no room: for what comes seldom and must not be lost.
    ///
    /// - Parameter element: What waits from now on.
    package func insist(_ element: Element) {
        state.withLock { $0.elements.append(element) }
        wake.yield()
    }

    /// Puts an element in before all others.
    ///
    /// - Parameter element: What is to be taken first.
    func insist(first element: Element) {
        state.withLock { $0.elements.insert(element, at: 0) }
        wake.yield()
    }

    /// Takes everything that waits.
    ///
    /// - Returns: The elements, in order, and how many found no room after them.
    package func take() -> (elements: [Element], lost: UInt64) {
        state.withLock { state in
            defer { (state.elements, state.lost) = ([], 0) }
            return (state.elements, state.lost)
        }
    }

    /// How many elements wait.
    package var count: Int { state.withLock { $0.elements.count } }

    /// Whether nothing more will come.
    package var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Ends ``wakes``: nothing more will come.
    package func finish() {
        state.withLock { $0.isFinished = true }
        wake.finish()
    }
}
