internal import BlueZ
package import BluetoothCentral
package import DBus
package import Recording
internal import Synchronization

/// Why a pairing came to nothing.
package struct PairingError: Error, Hashable, CustomStringConvertible {
    /// For programs.
    package let failure: PairingFlow.Failure
    /// What happened and what to do.
    package let description: String
}

/// Runs a ``PairingFlow`` on the bus, once.
package final class PairingRun: Sendable {
    private let address: BluetoothAddress?
    private let seconds: Int
    private let bus: Bus.Address
    private let flow: SharedFlow

    /// Makes a run; it does nothing before ``run(tell:)``.
    ///
    /// - Parameters:
    ///   - address: The device that is wanted; nil for the strongest strap in range.
    ///   - seconds: How long it is looked for.
    ///   - bus: The bus that bluetoothd is on.
    package init(address: BluetoothAddress?, seconds: Int, bus: Bus.Address = .system) {
        (self.address, self.seconds, self.bus) = (address, seconds, bus)
        flow = SharedFlow(PairingFlow(address: address))
    }

    /// Calls it off, from any thread; the device is left.
    package func interrupt() {
        flow.change { $0.interrupt() }
    }

    /// Looks for the device, connects, and sees that it notifies; then leaves it.
    ///
    /// - Parameter tell: Gets each state that it comes to.
    /// - Returns: The device that is to be paired, and how it was chosen.
    /// - Throws: ``PairingError`` with what to do.
    package func run(
        tell: (PairingFlow.State) -> Void
    ) async throws(PairingError) -> Pairing {
        let central = Central(address: bus) { [flow] report, _ in
            flow.change { _ = $0.hear(report) }
        }
        let running = Task { await central.run() }
        var limit: Task<Void, any Error>?
        var end = PairingFlow.State.scanning
        var chosen: DeviceSighting?
        for await (state, desire) in flow.changes {
            tell(state)
            central.want(desire)
            limit?.cancel()
            if case .connecting(let device) = state { chosen = device }
            end = state
            guard let seconds = state.limitSeconds(searching: seconds) else { break }
            limit = Task { [flow] in
                try await Task.sleep(for: .seconds(seconds))
                flow.change { $0.passTime(in: state) }
            }
        }
        running.cancel()
        await running.value
        if let pairing = flow.value.pairing { return pairing }
        // A task that was cancelled called it off.
        var failure = PairingFlow.Failure.interrupted
        if case .failed(let cause) = end { failure = cause }
        let name = chosen?.title ?? address?.description
        throw PairingError(
            failure: failure,
            description: failure.sentence(
                of: name, chosen?.address ?? address, seconds: seconds))
    }
}

/// A flow that gets reports on the bus thread and gives its states elsewhere.
private final class SharedFlow: Sendable {
    typealias Change = (state: PairingFlow.State, desire: CentralDesire)

    /// Each state that it comes to, the first one too; they are few.
    let changes: AsyncStream<Change>
    private let flow: Mutex<PairingFlow>
    private let continuation: AsyncStream<Change>.Continuation

    init(_ flow: PairingFlow) {
        (changes, continuation) = AsyncStream.makeStream()
        continuation.yield((flow.state, flow.desire))
        self.flow = Mutex(flow)
    }

    var value: PairingFlow { flow.withLock { $0 } }

    /// Changes the flow, and gives the state that it comes to.
    func change(_ change: (inout PairingFlow) -> Void) {
        flow.withLock { flow in
            let before = flow.state
            change(&flow)
            if flow.state != before { continuation.yield((flow.state, flow.desire)) }
        }
    }
}
