package import JSON
internal import Text

/// What one check of `pulselog doctor` found.
package struct Diagnosis: Hashable, Sendable, JSONObject {
    /// What was looked at, in the order in which it is reported; the names are a contract.
    package enum Check: String, CaseIterable, Sendable {
        /// The system bus.
        case bus
        /// The Bluetooth daemon.
        case bluez
        /// The Bluetooth adapter.
        case adapter
        /// The switches that keep adapters silent.
        case rfkill
        /// Whether this user may use Bluetooth.
        case permissions
        /// The strap.
        case strap
        /// Whether another program uses the adapter or the strap.
        case otherPrograms
        /// The store.
        case store
        /// Whether the log can be signed.
        case signature
        /// Whether a recorder runs, or was cut off.
        case recorder
        /// Whether the phone that sends positions reaches this machine.
        case positions
        /// The room on the store's disk.
        case disk
        /// The clock.
        case clock
        /// The time zone.
        case zone
        /// The terminal.
        case terminal
        /// What the page in a browser needs.
        case page
        /// The MQTT broker that is told of walks.
        case mqtt

        /// Whether Bluetooth cannot be used with a problem here.
        package var isBluetooth: Bool {
            [.bus, .bluez, .adapter, .rfkill, .permissions].contains(self)
        }
    }

    /// How it stands.
    package enum Result: String, Sendable {
        /// Nothing is wrong.
        case ok
        /// It works, but something may go wrong or be missing.
        case warning
        /// It does not work.
        case problem
    }

    /// What was looked at.
    package let check: Check
    /// How it stands.
    package let result: Result
    /// What was found.
    package let message: String
    /// What to do, or nil.
    package let advice: String?

    /// Nothing is wrong.
    package static func ok(_ check: Check, _ message: String) -> Diagnosis {
        Diagnosis(check: check, result: .ok, message: message, advice: nil)
    }

    /// Something may go wrong.
    package static func warning(_ check: Check, _ message: String, _ advice: String) -> Diagnosis {
        Diagnosis(check: check, result: .warning, message: message, advice: advice)
    }

    /// Something does not work.
    package static func problem(_ check: Check, _ message: String, _ advice: String) -> Diagnosis {
        Diagnosis(check: check, result: .problem, message: message, advice: advice)
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to line: inout JSONWriter) {
        line.field("check", check.rawValue)
        line.field("result", result.rawValue)
        line.field("message", message)
        line.field("advice", advice)
    }

    /// One line for people, and below it what to do.
    ///
    /// - Parameter isColored: Whether the result has a colour.
    /// - Returns: Lines of at most 79 columns.
    package func text(isColored: Bool) -> String {
        let code =
            switch result {
            case .ok: "32"
            case .warning: "33"
            case .problem: "31"
            }
        let word = padded(result.rawValue, to: 9)
        let colored = isColored ? "\u{1B}[\(code)m\(word)\u{1B}[0m" : word
        let indent = String(repeating: " ", count: 9)
        let lines = wrapped(message, to: 70) + (advice.map { wrapped($0, to: 70) } ?? [])
        return colored + lines.joined(separator: "\n" + indent) + "\n"
    }
}
