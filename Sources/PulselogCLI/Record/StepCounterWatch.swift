internal import Clocks
internal import Dispatch
internal import Events
internal import Projections
internal import Recording
internal import Synchronization

/// Switches the machine's step counters on and reads them beside a recording, on a thread of its
/// own: a driver that does not answer holds up nothing.
final class StepCounterWatch: Sendable {
    private let counters: Mutex<KernelStepCounters>
    private let isReading = Atomic(false)
    private let thread = DispatchQueue(label: "step counters")

    /// Watches the counters that were found.
    init(_ counters: KernelStepCounters) {
        self.counters = Mutex(counters)
    }

    /// Reads each counter that is wanted; nothing happens if the last reading is still under way.
    ///
    /// - Parameters:
    ///   - wanted: The counters to read.
    ///   - queue: Gets the readings.
    ///   - wakes: Gets a sentence for each counter that stays off or cannot be read.
    func read(_ wanted: Set<DeviceID>, into queue: InputQueue, _ wakes: Wakes) {
        guard !isReading.exchange(true, ordering: .acquiring) else { return }
        thread.async { [self] in
            defer { isReading.store(false, ordering: .releasing) }
            let (events, sentences) = counters.withLock { $0.read(where: wanted.contains) }
            for event in events { queue.put(Input(.record(event), at: .now())) }
            guard !sentences.isEmpty else { return }
            wakes.note { $0.sentences += sentences }
        }
    }
}
