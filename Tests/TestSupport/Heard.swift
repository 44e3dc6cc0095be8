import Synchronization

/// What one thread says, waited for on another without sleeping; only one waits at a time.
package final class Heard<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        /// Up to where elements were taken by ``Heard/next(where:)``.
        var taken = 0
        var waiter: Waiter?
    }

    private struct Waiter: Sendable {
        let isMet: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state = Mutex(State())

    /// Nothing was said yet.
    package init() {}

    /// Everything that was said so far.
    package var elements: [Element] { state.withLock { $0.elements } }

    /// Says something; from any thread.
    package func append(_ element: Element) {
        let waiter: Waiter? = state.withLock { state in
            state.elements.append(element)
            guard state.waiter?.isMet(state.elements) == true else { return nil }
            return state.waiter.take()
        }
        waiter?.continuation.resume()
    }

    /// Waits until everything said so far is as wanted, or the test's time is over, and returns it.
    @discardableResult
    package func wait(until isMet: @escaping @Sendable ([Element]) -> Bool) async -> [Element] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    if isMet(state.elements) || Task.isCancelled { return false }
                    precondition(state.waiter == nil, "Only one may wait.")
                    state.waiter = Waiter(isMet: isMet, continuation: continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.continuation.resume()
        }
        return elements
    }

    /// Waits until at least so many were heard, or the test's time is over.
    @discardableResult
    package func wait(for count: Int) async -> [Element] {
        await wait { $0.count >= count }
    }

    /// Waits for the next element that fits, and takes all up to it.
    ///
    /// - Returns: What came after the last taken element, up to the one that fits; nothing when the
    ///   test's time is over.
    package func next(where fits: @escaping @Sendable (Element) -> Bool) async -> [Element] {
        let begin = state.withLock { $0.taken }
        let elements = await wait { $0[begin...].contains(where: fits) }
        guard let index = elements[begin...].firstIndex(where: fits) else { return [] }
        state.withLock { $0.taken = index + 1 }
        return Array(elements[begin...index])
    }
}
