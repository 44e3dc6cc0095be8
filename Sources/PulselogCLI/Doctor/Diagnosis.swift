internal import Interchange
internal import Words

/// What one check of `pulselog doctor` found.
struct Diagnosis: Hashable, Sendable {
    /// What was looked at, in the order in which it is told; the names are a contract.
    enum Check: String, CaseIterable, Sendable {
        case bus, bluez, adapter, rfkill, permissions, strap, otherPrograms
        case store, recorder, disk, clock, zone, terminal

        /// Whether Bluetooth cannot be used with a problem here.
        var isBluetooth: Bool {
            switch self {
            case .bus, .bluez, .adapter, .rfkill, .permissions: true
            default: false
            }
        }
    }

    /// How it stands.
    enum Result: String, Sendable {
        case ok
        /// It works, but something may go wrong or be missing.
        case warning
        /// It does not work.
        case problem
    }

    let check: Check
    let result: Result
    /// What was found.
    let message: String
    /// What to do, or nil.
    let advice: String?

    /// Nothing is wrong.
    static func ok(_ check: Check, _ message: String) -> Diagnosis {
        Diagnosis(check: check, result: .ok, message: message, advice: nil)
    }

    /// Something may go wrong.
    static func warning(_ check: Check, _ message: String, _ advice: String) -> Diagnosis {
        Diagnosis(check: check, result: .warning, message: message, advice: advice)
    }

    /// Something does not work.
    static func problem(_ check: Check, _ message: String, _ advice: String) -> Diagnosis {
        Diagnosis(check: check, result: .problem, message: message, advice: advice)
    }

    /// One object and a newline.
    var jsonLine: [UInt8] {
        JSONWriter.line { line in
            line.field("check", check.rawValue)
            line.field("result", result.rawValue)
            line.field("message", message)
            line.field("advice", advice)
        }
    }

    /// One line for people, and below it what to do.
    ///
    /// - Parameter isColored: Whether the result has a colour.
    /// - Returns: Lines of at most 79 columns.
    func text(isColored: Bool) -> String {
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

extension [Diagnosis] {
    /// The exit code: 69 if Bluetooth cannot be used, else 1 with any problem, else nil for 0.
    var failure: CommandFailure.Code? {
        let problems = filter { $0.result == .problem }
        if problems.contains(where: \.check.isBluetooth) { return .unavailable }
        return problems.isEmpty ? nil : .finding
    }
}
