internal import Dispatch
internal import Files
internal import Glibc
internal import Recording
internal import Synchronization
internal import Text

/// Writes to a stream whose reader may stop reading, and never waits for it.
///
/// A thread of its own waits. What does not fit is left out, in whole portions, and counted; when
/// there is room again, a line says how many were left out.
package final class StreamWriter: Sendable {
    private struct State {
        /// What is to be written after what is being written.
        var waiting: [UInt8] = []
        /// How many bytes are being written.
        var writingBytes = 0
        /// How many portions were left out since the last one that was taken.
        var omitted: UInt64 = 0
        /// Why the stream can no longer be written.
        var failure: Int32?

        var bytes: Int { waiting.count + writingBytes }
    }

    /// The most bytes that wait, the last ones of ``finish(with:)`` not counted: ten thousand
    /// events, more than come at once when a full disk has room again, so that a reader gets them
    /// all.
    package static let limitBytes = 4 * 1_024 * 1_024
    /// How long the end of the process waits for the reader.
    private static let patience = Duration.seconds(1)

    private let output: Output
    private let omission: @Sendable (UInt64) -> [UInt8]
    private let queue = DispatchQueue(label: "output")
    private let state = Mutex(State())

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - output: Where to write; nothing else writes there until the writer has finished.
    ///   - omission: The line that says how many portions were left out.
    package init(_ output: Output, omission: @escaping @Sendable (UInt64) -> [UInt8]) {
        (self.output, self.omission) = (output, omission)
    }

    /// Whether nothing waits after what is being written.
    package var isReady: Bool { state.withLock { $0.waiting.isEmpty } }

    /// Why the stream can no longer be written, as `errno`; nil while it can.
    package var failure: Int32? { state.withLock { $0.failure } }

    /// Takes a portion, of whole lines; it is left out if there is no room.
    ///
    /// Once one was left out, the next one is taken when half of the room is free: one gap, one
    /// line about it.
    package func put(_ portion: [UInt8]) {
        let isTaken = state.withLock { state in
            let room = state.omitted > 0 ? Self.limitBytes / 2 : Self.limitBytes
            guard state.failure == nil, state.bytes + portion.count <= room else {
                state.omitted += 1
                return false
            }
            tellOmission(&state)
            state.waiting += portion
            return true
        }
        if isTaken { queue.async { [self] in drain() } }
    }

    /// Waits until what was taken is written, but not for long.
    ///
    /// - Parameter limit: The longest time to wait.
    /// - Returns: Whether it is written, or cannot be.
    @discardableResult
    func flush(atMost limit: DispatchTimeInterval) -> Bool {
        let written = DispatchSemaphore(value: 0)
        queue.async { [self] in
            drain()
            written.signal()
        }
        // What is not read in time is written when its reader continues.
        return written.wait(timeout: .now() + limit) == .success
    }

    /// Takes the last lines, and waits for the reader, but not for long.
    ///
    /// - Returns: Whether everything that was taken has been written.
    @discardableResult
    package func finish(with lines: [UInt8] = []) async -> Bool {
        state.withLock { state in
            tellOmission(&state)
            state.waiting += lines
        }
        _ = await value(within: Self.patience) { [self] in
            await withCheckedContinuation { continuation in
                queue.async { [self] in
                    drain()
                    continuation.resume()
                }
            }
        }
        return state.withLock { $0.failure == nil && $0.bytes == 0 }
    }

    private func tellOmission(_ state: inout State) {
        guard state.omitted > 0 else { return }
        state.waiting += omission(state.omitted)
        state.omitted = 0
    }

    /// Writes what waits, on the queue.
    private func drain() {
        while true {
            let bytes = state.withLock { state in
                let bytes = state.failure == nil ? state.waiting : []
                state.waiting = []
                state.writingBytes = bytes.count
                return bytes
            }
            guard !bytes.isEmpty else { return }
            let failure = output.offer(bytes) ? nil : errno
            state.withLock { state in
                state.writingBytes = 0
                state.failure = failure
            }
        }
    }

    /// A writer of sentences to standard error.
    package static func sentences() -> StreamWriter {
        StreamWriter(.standardError) { omitted in
            let words = "left out because nothing was reading them."
            return Array("pulselog: \(counted(omitted, "message")) \(words)\n".utf8)
        }
    }
    /// Puts a sentence of the program, in a line of its own.
    package func say(_ sentence: String) {
        if output.journal?.put(sentence, .notice) ?? false { return }
        put(Array("pulselog: \(sentence)\n".utf8))
    }
}
