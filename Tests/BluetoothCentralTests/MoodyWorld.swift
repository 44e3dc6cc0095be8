@testable import BluetoothCentral
@testable import DaemonModel
@testable import SimulatorModel

/// The state machine on the simulator's bluetoothd, with one strap: virtual time, no bus.
///
/// What it does wrong on the way is among ``complaints``: two `Connect` pending, calls without
/// bluetoothd, calls without end at one moment, a deadline that has passed.
struct MoodyWorld {
    static let address = BluetoothAddress(0xC4_00_00_00_00_01)
    static let wanted = CentralDesire(devices: [WantedDevice(address: address)])
    static let paused = CentralDesire(devices: [WantedDevice(address: address, measurements: [])])

    private(set) var state = CentralState()
    private(set) var now: UInt64 = 0
    private(set) var reports: [CentralReport] = []
    private(set) var calls: [CentralCall] = []
    private(set) var complaints: [String] = []
    private var bluetooth = Bluetooth([
        SimulatedStrap(Self.address, name: "Strap", measurement: .heartRateMeasurement)
    ])
    private var openConnects: Set<CallID> = []
    private var actionsAtThisTime = 0

    /// Whether the strap sends values as soon as there is a link.
    var isSubscribed: Bool { !bluetooth.daemon.devices[0].characteristics[0].subscribers.isEmpty }

    init() {
        feed(.serviceAppeared)
        handOver()
    }

    // MARK: - Running

    mutating func want(_ desire: CentralDesire) {
        feed(.desireChanged(desire))
        handOver()
    }

    mutating func run(milliseconds: UInt64) {
        let end = now + milliseconds
        while step(before: end) {}
        pass(to: end)
    }

    /// Runs until a value was notified.
    ///
    /// False if none was in this time.
    mutating func runUntilValue(within milliseconds: UInt64) -> Bool {
        let end = now + milliseconds
        let count = reports.count
        while step(before: end) {
            let news = reports[min(count, reports.count)...]
            if news.contains(where: { if case .valueNotified = $0 { true } else { false } }) {
                return true
            }
        }
        return false
    }

    mutating func forgetReports() {
        reports = []
        calls = []
    }

    /// Does what is due next.
    ///
    /// False if nothing is before the end.
    private mutating func step(before end: UInt64) -> Bool {
        let next = bluetooth.nextDue ?? .max
        let deadline = state.nextDeadlineMilliseconds ?? .max
        guard min(next, deadline) <= end else { return false }
        pass(to: min(next, deadline))
        if deadline < next { feed(.timePassed) }
        handOver()
        return true
    }

    private mutating func pass(to time: UInt64) {
        if time > now { actionsAtThisTime = 0 }
        now = max(now, time)
        bluetooth.pass(to: now)
    }

    // MARK: - Between bluetoothd and the state machine

    /// Something happens to bluetoothd.
    mutating func change(_ body: (inout Bluetooth) -> Void) {
        body(&bluetooth)
        // Without power what was pending is lost, whether or not it is ever answered.
        if !bluetooth.isPowered { openConnects = [] }
        handOver()
    }

    /// bluetoothd ends; no attempt outlives it.
    mutating func crash(_ body: (inout Bluetooth) -> Void) {
        if bluetooth.isUp { openConnects = [] }
        change(body)
    }

    /// Hands over what bluetoothd says, and what comes of that, until it has nothing more to say.
    private mutating func handOver() {
        while case let effects = bluetooth.takeEffects(), !effects.isEmpty {
            for effect in effects {
                switch effect {
                case .input(let input):
                    if case .answered(let id, _) = input { openConnects.remove(id) }
                    feed(input)
                case .value(let strap, let bytes):
                    feed(.valueSignalled(path: bluetooth.straps[strap].path, bytes))
                }
            }
        }
    }

    private mutating func feed(_ input: CentralInput) {
        for action in state.handle(input, atMilliseconds: now) {
            actionsAtThisTime += 1
            if actionsAtThisTime == 200 { complaints.append("it spins at \(now) ms") }
            switch action {
            case .report(let report): reports.append(report)
            case .call(let id, let call):
                calls.append(call)
                hold(call, id)
                bluetooth.obey(id, call)
            }
        }
        if let deadline = state.nextDeadlineMilliseconds, deadline <= now {
            complaints.append("a deadline has passed already at \(now) ms")
        }
    }

    private mutating func hold(_ call: CentralCall, _ id: CallID) {
        guard bluetooth.isUp else {
            if call != .startService { complaints.append("\(call) without bluetoothd") }
            return
        }
        guard case .connect = call else { return }
        if !openConnects.isEmpty { complaints.append("two Connects pending at \(now) ms") }
        openConnects.insert(id)
    }
}
