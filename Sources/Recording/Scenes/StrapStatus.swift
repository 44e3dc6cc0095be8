package import Events
package import JSON
package import Projections
internal import Text

/// The strap as people see it before and during a recording: a function of the state, of now, and
/// of what the central is doing.
package struct StrapStatus: Hashable, Sendable {
    /// What is going on.
    package enum Word: String, Sendable {
        /// No strap was heard yet.
        case scanning
        /// No strap is paired, and none is looked for.
        case idle
        /// A strap is known, and a connection is attempted.
        case connecting
        /// The link is up, or was lost within the grace.
        case connected
        /// The link was lost; attempts go on.
        case reconnecting
        /// The link was lost, and nobody tries.
        case disconnected
        /// The adapter is switched off.
        case bluetoothOff
        /// There is no adapter.
        case noAdapter
        /// bluetoothd is away, or the adapter has just gone.
        case bluetoothAway
        /// The bus denies access.
        case denied

        /// For a terminal.
        package var text: String {
            switch self {
            case .bluetoothOff: "Bluetooth is off"
            case .noAdapter: "no Bluetooth"
            case .bluetoothAway: "Bluetooth is unavailable"
            case .denied: "access to Bluetooth is denied"
            case .idle: "no strap"
            case .disconnected: "not connected"
            default: rawValue
            }
        }
    }

    /// The link, as the log has it.
    package let status: ConnectionView.Status
    /// What is going on.
    package let word: Word
    /// The strap, or nil if there is none yet.
    package let device: DeviceID?
    /// Its name, a stranger's text, or nil.
    package let name: String?
    /// The heart rate to be shown, or nil for a dash.
    package let heartRateBPM: UInt16?
    /// How old that value is, in milliseconds.
    package let ageMilliseconds: UInt64?
    /// Whether the last value says that the strap touches no skin.
    package let isWithoutContact: Bool
    /// Whether the link is up, a value is wanted, and none came for some time.
    package let isSilent: Bool
    /// Whether its values came, and cannot be used.
    package internal(set) var isUnreadable = false
    /// The last charge it reported, in percent.
    package let batteryPercent: UInt8?

    /// The strap at a moment.
    ///
    /// - Parameters:
    ///   - state: The state after the last durable event.
    ///   - moment: Now.
    ///   - attempts: What the central is doing; nil without one, when values come from elsewhere.
    ///   - chosen: The address of the strap to use instead of the primary one.
    ///   - isRecorderAlive: Whether a recorder runs; without one no value is current.
    ///   - isSearching: Whether a strap is looked for where none is paired.
    package init(
        _ state: LogState, at moment: Moment, _ attempts: CentralAttempts?, chosen: UInt64? = nil,
        isRecorderAlive: Bool = true, isSearching: Bool = true
    ) {
        let own = state.own
        let connection = ConnectionView(state, at: moment, isRecorderAlive: isRecorderAlive)
        let wanted =
            if let chosen {
                own.devices.all.first { $0.id.address == chosen }?.id
            } else {
                own.devices.primary(.heart)
            }
        status = connection.status
        let isLinked = status != .disconnected
        let id =
            isLinked ? connection.device : attempts == nil ? connection.device ?? wanted : wanted
        let device = id.flatMap { own.devices[$0] }
        self.device = id
        name = device?.name
        batteryPercent = device?.batteryPercent
        heartRateBPM = connection.heartRateBPM
        ageMilliseconds = connection.ageMilliseconds
        isWithoutContact = connection.isWithoutContact
        // The central learns of a loss before its cause is known, and the log of both.
        let isDown = id.map { attempts?.isDown($0.address) == true } ?? false
        isSilent = connection.isSilent && !isDown
        word =
            if isLinked {
                .connected
            } else if let attempts {
                Word(own.recorder.adapter.known)
                    ?? (chosen ?? id?.address).map { Word(attempts.phase(of: $0)) }
                    ?? (own.sessions.isAtRest || !isSearching ? .idle : .scanning)
            } else {
                .disconnected
            }
    }

    /// The heart rate that holds now; nil for a dash.
    package var currentBPM: UInt16? { trouble == nil ? heartRateBPM : nil }

    /// What there is to say of the link, or else of what comes over it; nil while all is well.
    package var trouble: String? {
        guard status != .disconnected else { return word.text }
        return isUnreadable
            ? "not readable" : isWithoutContact ? "no contact" : isSilent ? "no value" : nil
    }

    /// What the strap is called, harmless in a terminal; nil if there is none.
    package var title: String? { device.map { deviceTitle(name, $0) } }

    /// Whether a status differs from another only in the value of the heart rate and its age.
    package func isLike(_ other: StrapStatus) -> Bool {
        status == other.status && word == other.word && device == other.device && name == other.name
            && (heartRateBPM == nil) == (other.heartRateBPM == nil)
            && isWithoutContact == other.isWithoutContact && isSilent == other.isSilent
            && isUnreadable == other.isUnreadable
            && batteryPercent == other.batteryPercent
    }
}

extension StrapStatus.Word {
    /// What is going on while the adapter keeps all devices from being reached.
    private static let problems: [(word: Self, adapter: AdapterState)] = [
        (.bluetoothAway, .resetting), (.noAdapter, .unsupported), (.denied, .unauthorized),
        (.bluetoothOff, .poweredOff),
    ]

    /// The state of the adapter that keeps all devices from being reached; nil if nothing does.
    var adapterProblem: AdapterState? { Self.problems.first { $0.word == self }?.adapter }

    /// What keeps all devices from being reached; nil if nothing does.
    package var bluetoothProblem: Self? { adapterProblem == nil ? nil : self }

    /// What the adapter hinders, or nil.
    init?(_ adapter: AdapterState?) {
        guard let problem = Self.problems.first(where: { $0.adapter == adapter }) else {
            return nil
        }
        self = problem.word
    }

    fileprivate init(_ phase: CentralAttempts.Phase) {
        self =
            switch phase {
            case .looking: .scanning
            case .connecting: .connecting
            case .reconnecting: .reconnecting
            }
    }
}

extension StrapStatus: JSONObject {
    /// Writes all but the age of the heart rate, which changes with each moment.
    package func writeFields(to json: inout JSONWriter) {
        json.field("status", status.rawValue)
        json.field("activity", word.rawValue)
        json.field("device", device?.description)
        json.field("name", name)
        json.field("bpm", heartRateBPM)
        json.field("withoutContact", isWithoutContact)
        json.field("silent", isSilent)
        json.field("unreadable", isUnreadable)
        json.field("batteryPercent", batteryPercent)
    }
}
