internal import BlueZ
internal import BluetoothCentral
internal import Recording
internal import Synchronization
internal import Words

/// Lets a ``PairingFlow`` run on the bus.
struct PairingRun {
    /// The device that is wanted; nil for the strongest strap in range.
    let address: BluetoothAddress?
    /// How long it is looked for.
    let seconds: Int

    /// Looks for the device, connects, and sees that it notifies.
    ///
    /// - Parameter tell: Gets each state that it comes to.
    /// - Returns: The device that is to be paired, and how it was chosen.
    /// - Throws: ``CommandFailure`` with what to do.
    func run(
        tell: (PairingFlow.State) -> Void
    ) async throws(CommandFailure) -> Pairing {
        let flow = SharedFlow(PairingFlow(address: address))
        let central = Central { report, _ in flow.hear(report) }
        // A program that is killed leaves its links standing, and a strap that is linked is mute.
        let interruption = Interruption { flow.interrupt() }
        defer { interruption.stop() }
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
            guard let seconds = limitSeconds(state) else { break }
            limit = Task {
                try await Task.sleep(for: .seconds(seconds))
                flow.passTime(in: state)
            }
        }
        running.cancel()
        await running.value
        if let pairing = flow.value.pairing { return pairing }
        guard case .failed(let failure) = end else {
            throw CommandFailure(.tryAgain, "Nothing was paired: it was called off.")
        }
        let name = chosen?.title ?? address?.description ?? "A strap"
        throw CommandFailure(
            failure.code,
            failure.sentence(of: name, chosen?.address ?? address, seconds: seconds))
    }

    /// How long a state may last; nil for the last ones.
    private func limitSeconds(_ state: PairingFlow.State) -> Int? {
        switch state {
        case .scanning: seconds
        case .listening: PairingFlow.listeningSeconds
        case .connecting: PairingFlow.connectingSeconds
        case .paired, .failed: nil
        }
    }
}

/// A flow that hears reports on the bus thread and tells its states elsewhere.
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

    func hear(_ report: CentralReport) {
        change { _ = $0.hear(report) }
    }

    func passTime(in state: PairingFlow.State) {
        change { $0.passTime(in: state) }
    }

    func interrupt() {
        change { $0.interrupt() }
    }

    private func change(_ change: (inout PairingFlow) -> Void) {
        flow.withLock { flow in
            let before = flow.state
            change(&flow)
            if flow.state != before { continuation.yield((flow.state, flow.desire)) }
        }
    }
}

extension PairingFlow.Failure {
    /// The exit code that tells a script of it.
    var code: CommandFailure.Code {
        switch self {
        case .adapter(let change) where change.state == .unauthorized: .permission
        case .noLink(.denied), .notifiesNot(.denied): .permission
        case .interrupted: .tryAgain
        case .adapter, .noLink, .notifiesNot, .notSeen, .offersNot: .unavailable
        }
    }
}
