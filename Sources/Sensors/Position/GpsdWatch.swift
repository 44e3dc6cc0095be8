internal import Clocks
internal import Dispatch
internal import Events
internal import Projections
package import Recording
internal import Synchronization
internal import Text

/// Listens to gpsd, which reads GPS receivers, and reports its fixes; see ``GpsdDecoder``.
///
/// It connects while positions are wanted only, so that a receiver may rest otherwise, and tries
/// again every 10 seconds. It listens on a thread of its own: a name server or a host that does not
/// answer holds up nothing.
package final class GpsdWatch: Sensor {
    /// Where gpsd listens, unless it was told otherwise: 2947 (IANA, gpsd).
    package static let port: UInt16 = 2_947

    private enum Trouble: Hashable {
        case unreachable
        case foreign
        case withoutReceiver
        case lost
    }

    private struct State {
        var isWanted = false
        var connection: TCPConnection?
        /// Whether we ended the last connection, or are to end the one that is being opened.
        var isHungUp = false
        /// What was told, and still holds.
        var told: Set<Trouble> = []

        /// Ends the connection; what is to hang up, if there is one yet.
        mutating func hangUp() -> TCPConnection? {
            isHungUp = true
            return connection
        }
    }

    /// Seconds from the end of a connection to the next one.
    private static let retrySeconds = 10
    /// How long an address is tried for, in milliseconds.
    private static let connectingLimit: Int32 = 3_000
    /// What does not greet within this many milliseconds and bytes is not gpsd.
    private static let greetingLimit: (milliseconds: UInt64, bytes: Int) = (10_000, 64 * 1_024)

    private let host: String
    private let port: UInt16
    private let isAskedFor: Bool
    private let runtime: Runtime
    private let queue = DispatchQueue(label: "gpsd")
    private let state = Mutex(State())
    /// One waiting wake-up stands for all wishes since.
    private let (wishes, wish) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Names a gpsd; it need not run yet.
    ///
    /// - Parameters:
    ///   - host: Its host: a name, or an address of IPv4 or IPv6.
    ///   - port: Its port.
    ///   - isAskedFor: Whether somebody named it: then its absence is told, once.
    ///   - runtime: The clock and the pauses.
    package init(
        host: String = "127.0.0.1", port: UInt16 = GpsdWatch.port, isAskedFor: Bool,
        on runtime: Runtime = .machine
    ) {
        (self.host, self.port, self.isAskedFor, self.runtime) = (host, port, isAskedFor, runtime)
    }

    /// Says whether positions are wanted.
    package func want(_ wish: SensorWish) {
        let unwanted = state.withLock { state in
            state.isWanted = wish.positions
            return wish.positions ? nil : state.hangUp()
        }
        unwanted?.hangUp()
        self.wish.yield()
    }

    /// Listens until the task is cancelled, and sleeps while no positions are wanted.
    package func run(into inbox: Inbox) async {
        for await _ in wishes {
            // After a pause there is nobody to be patient with.
            var seconds = 0
            await runtime.eachSecond(while: { state.withLock { $0.isWanted } }) {
                seconds -= 1
                guard seconds <= 0 else { return }
                await listen(inbox)
                seconds = state.withLock { $0.isHungUp } ? 0 : Self.retrySeconds
            }
        }
    }

    /// Connects and listens until the connection ends, positions are no longer wanted, or the
    /// task is cancelled.
    private func listen(_ inbox: Inbox) async {
        state.withLock { $0.isHungUp = !$0.isWanted }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { [self] in
                    connect(inbox)
                    continuation.resume()
                }
            }
        } onCancel: {
            state.withLock { $0.hangUp() }?.hangUp()
        }
    }

    private func connect(_ inbox: Inbox) {
        do throws(TCPConnection.Failure) {
            let connection = try TCPConnection.open(
                to: host, port: port, within: Self.connectingLimit)
            let isHungUp = state.withLock { state in
                state.connection = connection
                return state.isHungUp
            }
            if !isHungUp { follow(connection, inbox) }
            state.withLock { $0.connection = nil }
        } catch {
            tell(.unreachable, "\(name) cannot be reached: \(error.reason).", inbox)
        }
    }

    /// Listens to the end of a connection.
    private func follow(_ connection: TCPConnection, _ inbox: Inbox) {
        var decoder = GpsdDecoder()
        let since = runtime.now().bootMilliseconds
        var byteCount = 0
        var isOpen = connection.send("?WATCH={\"enable\":true,\"json\":true};\n")
        while isOpen {
            switch connection.next(within: patience(until: decoder.dueMilliseconds)) {
            case .bytes(let bytes):
                byteCount += bytes.count
                take(decoder.take(bytes, at: runtime.now().bootMilliseconds), inbox)
            case .nothing: break
            case .end: isOpen = false
            }
            let now = runtime.now().bootMilliseconds
            take(decoder.pass(to: now), inbox)
            // It has said enough, or long enough nothing, that is not gpsd's.
            let limit = Self.greetingLimit
            let isLate = byteCount > limit.bytes || now >= since + limit.milliseconds
            guard decoder.isGreeted || !isLate else {
                return tell(.foreign, "What answers at \(place) is not gpsd.", inbox)
            }
        }
        guard decoder.isGreeted else { return }
        let now = runtime.now()
        inbox.insist(Arrived(.receptionTold(satellites: nil), at: now))
        let isHungUp = state.withLock { $0.isHungUp }
        // What was determined before a pause isn't part of what comes after it; what was left out
        // is counted.
        take(decoder.finish(at: now.bootMilliseconds).filter { !isHungUp || $0.isCount }, inbox)
        let isMissed = !isHungUp && (decoder.hasFix || isAskedFor)
        inbox.insist(Arrived(.receiverTold(isMissed ? .gone : .left), at: now))
        if isMissed { tell(.lost, "\(name) is gone; there are no positions.", inbox) }
    }

    /// How long to wait for bytes: no longer than a second, and than a fix that is due.
    private func patience(until due: UInt64?) -> Int32 {
        let now = runtime.now().bootMilliseconds
        let due = max(now, due ?? .max)
        return Int32(min(due - now, 1_000))
    }

    private func take(_ reports: [GpsdDecoder.Report], _ inbox: Inbox) {
        let now = runtime.now()
        for report in reports {
            switch report {
            // A stranger may tell it as often as it likes; where there is no room it is left out.
            case .greeted: inbox.offer(Arrived(.receptionTold(satellites: nil), at: now))
            case .satellites(let count):
                inbox.offer(Arrived(.receptionTold(satellites: count), at: now))
            case .receivers(0):
                tell(.withoutReceiver, "\(name) has no receiver yet.", retries: false, inbox)
            case .receivers, .receiver(isActive: true):
                inbox.offer(Arrived(.receiverTold(.connected), at: now))
            case .receiver(isActive: false):
                inbox.insist(Arrived(.receiverTold(.unplugged), at: now))
            case .heightError(let error):
                let told = HeightErrorTold(errorMillimetres: error)
                inbox.put(Arrived(.read(.record(.heightErrorTold(told))), at: now))
            case .fix(let fix):
                let told = state.withLock { state in
                    defer { state.told = [] }
                    return state.told
                }
                if told.contains(.lost) {
                    inbox.insist(Arrived(.said("\(name) sends positions again."), at: now))
                }
                inbox.put(Arrived(.read(.record(.positionFixed(fix))), at: now))
            case .leftOut(let count):
                let lost = IntakeOverflowed(intake: .place, lostEvents: count)
                inbox.put(Arrived(.read(.record(.intakeOverflowed(lost))), at: now))
            }
        }
    }

    /// Tells a trouble, once until there is a fix; what nobody asked for is told only when it was
    /// there and is lost.
    private func tell(
        _ trouble: Trouble, _ sentence: String, retries: Bool = true, _ inbox: Inbox
    ) {
        guard isAskedFor || trouble == .lost,
            state.withLock({ $0.told.insert(trouble).inserted })
        else { return }
        let rest = retries ? " Trying again every \(Self.retrySeconds) seconds." : ""
        inbox.insist(Arrived(.said(sentence + rest), at: runtime.now()))
    }

    private var place: String {
        let host = printable(host, limit: 100)
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private var name: String { "gpsd at \(place)" }
}

extension GpsdDecoder.Report {
    /// Whether it only says how much was left out.
    fileprivate var isCount: Bool { if case .leftOut = self { true } else { false } }
}
