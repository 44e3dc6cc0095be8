internal import Clocks
internal import Dispatch
internal import Events
internal import Projections
package import Recording
internal import Synchronization

/// Switches the machine's step counters on and reads them during a recording, on a thread of its
/// own: a driver that does not answer holds up nothing.
package final class StepCounterWatch: Sensor {
    private let counters: Mutex<KernelStepCounters>
    private let wanted = Mutex<Set<DeviceID>>([])
    /// One waiting wake-up stands for all wishes since.
    private let (wishes, wish) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let isReading = Atomic(false)
    private let thread = DispatchQueue(label: "step counters")

    /// Watches counters.
    ///
    /// - Parameter counters: Those that were found.
    package init(_ counters: KernelStepCounters) {
        self.counters = Mutex(counters)
    }

    /// Says which counters are to be read.
    package func want(_ wish: SensorWish) {
        wanted.withLock { $0 = wish.counters }
        self.wish.yield()
    }

    /// Reads each second until the task is cancelled, and sleeps while no counters are wanted.
    package func run(into inbox: Inbox) async {
        for await _ in wishes {
            await Runtime.machine.eachSecond(while: { wanted.withLock { !$0.isEmpty } }) {
                read(into: inbox)
            }
        }
    }

    /// Reads each counter that is wanted; nothing happens if the last reading is still under way.
    private func read(into inbox: Inbox) {
        guard !isReading.exchange(true, ordering: .acquiring) else { return }
        let wanted = wanted.withLock { $0 }
        thread.async { [self] in
            defer { isReading.store(false, ordering: .releasing) }
            let (events, sentences) = counters.withLock { $0.read(where: wanted.contains) }
            for event in events { inbox.put(Arrived(.read(.record(event)), at: .now())) }
            for sentence in sentences { inbox.insist(Arrived(.said(sentence), at: .now())) }
        }
    }
}
