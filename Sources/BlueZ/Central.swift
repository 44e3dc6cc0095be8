public import BluetoothCentral
public import Clocks
public import DBus
import Synchronization

/// The central role on BlueZ: finds the wanted devices, connects, subscribes, and never gives up.
///
/// All decisions are ``CentralState``'s; this type brings it together with the bus. It survives the
/// loss of bluetoothd and of the bus itself.
public final class Central: Sendable {
    /// Gets all reports, one after the other, with the time at which their cause arrived.
    ///
    /// Called on the bus thread, or, while there is no bus, by the task that runs the central. It
    /// must not wait.
    public typealias Report = @Sendable (CentralReport, Arrival) -> Void

    private let address: Bus.Address
    private let clock: @Sendable () -> Arrival
    private let report: Report
    private let shared = Mutex(Shared())

    /// A connection that lasted this long resets the back-off.
    private static let goodLifeMilliseconds: UInt64 = 30_000

    private struct Shared {
        var desire = CentralDesire()
        /// The state while no bus has it.
        var state = CentralState()
        var bus: Bus?
    }

    /// Makes a central; it does nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - address: The bus that bluetoothd is on.
    ///   - clock: Stamps all that arrives, and drives all pauses and limits but those between two
    ///     attempts to reach the bus.
    ///   - report: Gets all reports.
    public init(
        address: Bus.Address = .system, clock: @escaping @Sendable () -> Arrival = Arrival.now,
        report: @escaping Report
    ) {
        (self.address, self.clock, self.report) = (address, clock, report)
    }

    /// Says what is wanted from now on, from any thread.
    ///
    /// - Parameter desire: All that is wanted; what is not in it is let go.
    public func want(_ desire: CentralDesire) {
        // Within the lock, so that desires reach the driver in the order in which they came.
        shared.withLock { shared in
            shared.desire = desire
            guard let bus = shared.bus else { return }
            onDriver(of: bus) { $0.want(desire) }
        }
    }

    /// Runs until the task is cancelled; then leaves all devices, which takes some seconds.
    public func run() async {
        var failures = 0
        while !Task.isCancelled {
            let failure: CallFailure?
            do throws(DBusError) {
                let bus = try await Bus(address, clock: clock)
                let opened = clock().bootMilliseconds
                failure = await live(on: bus)
                await bus.close()
                // A bus that fails at once is no better than none.
                let life = clock().bootMilliseconds - min(opened, clock().bootMilliseconds)
                if life >= Self.goodLifeMilliseconds { failures = 0 }
            } catch {
                failure = CallFailure(error)
                loseBus()
            }
            guard let failure, !Task.isCancelled else { return }
            failures += 1
            let pause = CentralState.backOffMilliseconds(failures: failures)
            report(.busUnavailable(failure, nextAttemptMilliseconds: pause), clock())
            do {
                try await Task.sleep(for: .milliseconds(pause))
            } catch {
                return  // Cancelled: there is nothing to leave.
            }
        }
    }
}

// MARK: - One life of the bus

extension Central {
    /// Returns why the bus can no longer be used; nil if everything was left.
    private func live(on bus: Bus) async -> CallFailure? {
        let (ends, end) = AsyncStream.makeStream(
            of: CallFailure?.self, bufferingPolicy: .bufferingOldest(1))
        let report = report
        do throws(DBusError) {
            let state = shared.withLock { $0.state }
            try await bus.perform { (connection) throws(DBusError) in
                let driver = CentralDriver(
                    connection, state: state, report: report, onEnd: { end.yield($0) })
                connection.resident = driver
                driver.start()
            }
        } catch {
            return CallFailure(error)
        }
        shared.withLock { shared in
            shared.bus = bus
            let desire = shared.desire
            onDriver(of: bus) { $0.want(desire) }
        }
        let failure = await withTaskCancellationHandler {
            // No child: when this task is cancelled, it still waits until all devices are left.
            await Task { await ends.first { _ in true } ?? nil }.value
        } onCancel: {
            onDriver(of: bus) { $0.leave() }
        }
        await takeBack(from: bus)
        return failure
    }

    /// Keeps the state for the next bus; this one is closed only afterwards, so the job runs.
    private func takeBack(from bus: Bus) async {
        shared.withLock { $0.bus = nil }
        let state = await withCheckedContinuation { continuation in
            onDriver(of: bus) { continuation.resume(returning: $0.state) }
        }
        shared.withLock { $0.state = state }
    }

    /// There is no bus: the adapter's state changes, calls are in vain.
    private func loseBus() {
        let arrival = clock()
        let actions = shared.withLock { shared in
            shared.state.handle(.busVanished, atMilliseconds: arrival.bootMilliseconds)
        }
        for case .report(let fact) in actions { report(fact, arrival) }
    }

    private func onDriver(of bus: Bus, _ job: @escaping @Sendable (CentralDriver) -> Void) {
        do throws(DBusError) {
            try bus.enqueue { connection in
                guard let driver = connection.resident as? CentralDriver else { return }
                job(driver)
            }
        } catch {
            // The bus was closed meanwhile. The next one begins with the desire as it is then.
            return
        }
    }
}
