@testable import BluetoothCentral

/// bluetoothd, an adapter and a strap as a value, with the state machine on top: virtual time, no
/// bus.
///
/// It behaves as BlueZ 5.66 was measured to, and has moods (``Mood``) in which it does not.
struct Simulation {
    static let address = BluetoothAddress(0xC4_00_00_00_00_01)
    static let wanted = CentralDesire(devices: [WantedDevice(address: address)])
    static let paused = CentralDesire(devices: [WantedDevice(address: address, measurements: [])])

    static let adapter = "/org/bluez/hci0"
    static let device = adapter + "/dev_C4_00_00_00_00_01"
    static let measurement = device + "/service000e/char000f"
    static let location = device + "/service000e/char0012"
    static let battery = device + "/service0014/char0015"

    enum Event {
        case answer(CallID, CallAnswer)
        case listed(CallID)
        case connected(CallID?)
        case connectFailed(CallID, String)
        case disconnected(CallID?)
        case resolved(withServices: Bool)
        case services
        case forgotten
        case found
        case value
    }

    // MARK: - The machine

    private(set) var state = CentralState()
    private(set) var now: UInt64 = 0
    private(set) var reports: [CentralReport] = []
    private(set) var calls: [CentralCall] = []
    private(set) var complaints: [String] = []
    var openConnects: Set<CallID> = []
    var actionsAtThisTime = 0

    // MARK: - The world

    var queue: [(due: UInt64, number: UInt64, event: Event)] = []
    var nextNumber: UInt64 = 0
    var isDaemonUp = false
    var isPlugged = true
    var isPowered = true
    var isInRange = true
    var isScanning = false
    var isKnown = false
    var isConnected = false
    var isResolved = false
    var hasServices = false
    var isSubscribed = false
    var pendingConnect: CallID?
    /// Whether bluetoothd is lost in an attempt, which only `Disconnect` ends.
    var isHung = false
    var faults: Set<Mood> = []

    init() {
        startDaemon()
    }

    // MARK: - Running

    mutating func want(_ desire: CentralDesire) {
        feed(.desireChanged(desire))
    }

    mutating func run(milliseconds: UInt64) {
        let end = now + milliseconds
        while step(before: end) {}
        advance(to: end)
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
    mutating func step(before end: UInt64) -> Bool {
        let next = queue.first?.due ?? .max
        let deadline = state.nextDeadlineMilliseconds ?? .max
        guard min(next, deadline) <= end else { return false }
        if next <= deadline {
            advance(to: next)
            happen(queue.removeFirst().event)
        } else {
            advance(to: deadline)
            feed(.timePassed)
        }
        return true
    }

    mutating func advance(to time: UInt64) {
        if time > now { actionsAtThisTime = 0 }
        now = max(now, time)
    }

    mutating func after(_ milliseconds: UInt64, _ event: Event) {
        nextNumber += 1
        let due = now + milliseconds
        let index = queue.firstIndex { $0.due > due } ?? queue.endIndex
        queue.insert((due, nextNumber, event), at: index)
    }

    mutating func feed(_ input: CentralInput) {
        for action in state.handle(input, atMilliseconds: now) {
            actionsAtThisTime += 1
            if actionsAtThisTime == 200 { complaints.append("it spins at \(now) ms") }
            switch action {
            case .report(let report): reports.append(report)
            case .call(let id, let call):
                calls.append(call)
                obey(id, call)
            }
        }
        if let deadline = state.nextDeadlineMilliseconds, deadline <= now {
            complaints.append("a deadline has passed already at \(now) ms")
        }
    }
}

// MARK: - bluetoothd obeys

extension Simulation {
    mutating func obey(_ id: CallID, _ call: CentralCall) {
        guard isDaemonUp else {
            if call == .startService {
                after(1, .answer(id, .failed(Self.failure("DBus.Error.ServiceUnknown"))))
            } else {
                complaints.append("\(call) without bluetoothd")
            }
            return
        }
        switch call {
        case .startService: after(1, .answer(id, .done))
        case .listObjects:
            if takeFault(.listingFails) { return fail(id, "org.bluez.Error.Failed", "") }
            if takeFault(.denied) { return fail(id, "org.freedesktop.DBus.Error.AccessDenied", "") }
            after(5, .listed(id))
        case .registerAgent: after(1, .answer(id, .done))
        case .startDiscovery: startDiscovery(id)
        case .stopDiscovery:
            isScanning = false
            after(10, .answer(id, .done))
            after(30_500, .forgotten)
        case .connect: connect(id)
        case .disconnect: disconnect(id)
        case .startNotify(let path): startNotify(id, path)
        case .stopNotify(let path):
            if path == Self.measurement { isSubscribed = false }
            after(50, .answer(id, .done))
        case .readValue(let path):
            if takeFault(.readHangs) { return after(35_000, .answer(id, .timedOut)) }
            guard isConnected else { return fail(id, "org.bluez.Error.Failed", "Not connected") }
            feedValue(path, [87])
            after(50, .answer(id, .bytes([87])))
        }
    }

    mutating func startDiscovery(_ id: CallID) {
        guard isPlugged, isPowered else { return fail(id, "org.bluez.Error.NotReady", "") }
        if takeFault(.scanFails) { return fail(id, "org.bluez.Error.Failed", "") }
        if isScanning {
            return fail(id, "org.bluez.Error.InProgress", "Operation already in progress")
        }
        isScanning = true
        after(10, .answer(id, .done))
        after(500, .found)
    }

    mutating func connect(_ id: CallID) {
        if !openConnects.isEmpty { complaints.append("two Connects pending at \(now) ms") }
        openConnects.insert(id)
        guard isKnown else {
            return fail(id, "org.freedesktop.DBus.Error.UnknownObject", "")
        }
        guard isPlugged, isPowered else {
            return fail(id, "org.bluez.Error.Failed", "Input/output error")
        }
        if isHung || pendingConnect != nil || takeFault(.connectBusy) {
            return fail(id, "org.bluez.Error.Failed", "Operation already in progress")
        }
        if takeFault(.connectFails) {
            return fail(id, "org.bluez.Error.Failed", "le-connection-abort-by-local")
        }
        if takeFault(.connectHangs) {
            isHung = true
            return after(60_000, .answer(id, .timedOut))
        }
        if isConnected { return after(1, .answer(id, .done)) }
        if takeFault(.connectForNothing) { return after(1, .answer(id, .done)) }
        pendingConnect = id
        if takeFault(.connectAborts) {
            after(300, .connected(nil))
            after(310, .connectFailed(id, "le-connection-abort-by-local"))
            after(500, .disconnected(nil))
        } else if isInRange {
            after(300, .connected(id))
        } else {
            after(41_700, .connectFailed(id, "le-connection-abort-by-local"))
        }
    }

    mutating func disconnect(_ id: CallID) {
        isHung = false
        if let connect = pendingConnect {
            pendingConnect = nil
            after(
                1,
                .answer(
                    connect, .failed(Self.failure("bluez.Error.Failed", "br-connection-canceled"))))
        }
        if isConnected {
            after(2_000, .disconnected(id))
        } else {
            fail(id, "org.bluez.Error.NotConnected", "")
        }
    }

    mutating func startNotify(_ id: CallID, _ path: String) {
        guard hasServices else { return fail(id, "org.freedesktop.DBus.Error.UnknownObject", "") }
        guard isConnected else { return fail(id, "org.bluez.Error.InProgress", "") }
        if takeFault(.notifyFails) {
            return fail(id, "org.bluez.Error.Failed", "Operation failed with ATT error: 0x80")
        }
        if takeFault(.notifyHangs) { return after(35_000, .answer(id, .timedOut)) }
        if path == Self.measurement && !takeFault(.notifySilent) {
            isSubscribed = true
            after(20, .value)
        }
        after(50, .answer(id, .done))
    }

    mutating func fail(_ id: CallID, _ name: String, _ message: String) {
        after(1, .answer(id, .failed(CallFailure(name: name, message: message))))
    }

    static func failure(_ name: String, _ message: String = "") -> CallFailure {
        CallFailure(name: "org." + name, message: message)
    }

    mutating func takeFault(_ mood: Mood) -> Bool {
        faults.remove(mood) != nil
    }
}
