import BluetoothCentral
import DBus
import TestSupport
import Testing

@testable import DaemonModel

/// A play in virtual time, and what its bus carries, line by line.
struct Bench {
    enum Step: Sendable {
        case act(Scenario.Action)
        case call(String, on: String = Name.strap, by: String = "a", [Value] = [])
        /// A program leaves the bus.
        case leave(String)
        /// The agent that was asked answers.
        case consent(Bool)
        case pass(milliseconds: UInt64)
        /// These lines were heard since the last time, and no others.
        case hear([String])
        /// A scan until the strap is seen; the same and a link until all services are there; a
        /// subscription. Nothing of that is heard.
        case find, reach, subscribe

        static func notify(_ value: UInt8...) -> Step {
            .act(.notify(strap: 0, .heartRateMeasurement, value))
        }
    }

    private(set) var play: Play
    private(set) var lines: [String] = []
    private(set) var now: UInt64 = 0
    /// The methods of the calls without an answer, by their numbers.
    private var open: [UInt64: String] = [:]
    private var callCount: UInt64 = 0
    private var question = 0

    init(_ scenario: Scenario) {
        play = Play(scenario)
        drain()
        lines = []
    }

    mutating func take(_ step: Step) {
        switch step {
        case .act(let action): change { $0.act(action) }
        case .call(let member, let path, let client, let arguments):
            callCount += 1
            open[callCount] = member
            let call = MethodCall(
                destination: "", path: path, interface: Name.interface(of: path), member: member,
                arguments: arguments)
            change { [callCount] in $0.take(call, from: Daemon.Caller(client, callCount)) }
        case .leave(let client): change { $0.clientLeft(client) }
        case .consent(let isConsent):
            change { [question] in $0.takeConsent(isConsent, to: question) }
        case .pass(let milliseconds): pass(milliseconds)
        case .hear(let expected):
            #expect(lines == expected)
            lines = []
        case .find:
            take(.call("StartDiscovery", on: Name.adapter))
            pass(20)
            take(.call("StopDiscovery", on: Name.adapter))
            lines = []
        case .reach:
            take(.find)
            take(.call("Connect"))
            pass(100)
            lines = []
        case .subscribe:
            take(.call("StartNotify", on: Name.measurement))
            pass(5)
            lines = []
        }
    }

    mutating func pass(_ milliseconds: UInt64) {
        let end = now + milliseconds
        while let due = play.nextDue, due <= end {
            now = max(now, due)
            play.pass(to: now)
            drain()
        }
        now = end
        play.pass(to: end)
        drain()
    }

    /// Lets something happen, and what is due at once.
    mutating func change(_ body: (inout Daemon) -> Void) {
        play.change(body)
        drain()
        pass(0)
    }

    private mutating func drain() {
        for effect in play.takeEffects() {
            switch effect {
            case .signal(let signal): lines.append(Transcript.line(for: signal))
            case .answer(let caller, let reply):
                guard let member = open.removeValue(forKey: caller.number) else { continue }
                if case .refusal(let name, let message) = reply {
                    lines.append("refusal \(member) \(Transcript.last(name)): \(message)")
                } else {
                    lines.append("answer \(member)")
                }
            case .question(let number, let call, _):
                question = number
                lines.append("question \(call.member)")
            case .spoof(let signal, let victims):
                let audience = victims?.joined(separator: " ") ?? "all"
                lines.append("spoof to \(audience): \(Transcript.line(for: signal))")
            case .life(isBeginning: true):
                lines.append("owner came")
                play.change { $0.announce() }
                drain()
            case .life(isBeginning: false):
                lines.append("owner left")
                open = [:]
            case .report(.sent(let sent)):
                lines.append("sent \(hex(sent.value)) \(sent.signalCount)")
            case .report(.problem(let sentence)): lines.append("problem \(sentence)")
            case .report(.ended): lines.append("ended")
            case .report(.busLost): lines.append("bus lost")
            }
        }
    }
}

/// Names on the bus; the characteristics are 2A37, 2A38 and 2A19 of ``Strap/heart``.
enum Name {
    static let adapter = "/org/bluez/hci0"
    static let strap = "/org/bluez/hci0/dev_C4_00_00_00_00_01"
    static let measurement = strap + "/service000a/char000b"
    static let location = strap + "/service000a/char000e"
    static let battery = strap + "/service0010/char0011"

    static func interface(of path: String) -> String {
        switch path {
        case "/": "org.freedesktop.DBus.ObjectManager"
        case "/org/bluez": "org.bluez.AgentManager1"
        case _ where path.contains("/char"): "org.bluez.GattCharacteristic1"
        case _ where path.contains("/dev_"): "org.bluez.Device1"
        default: "org.bluez.Adapter1"
        }
    }
}

extension Strap {
    static func make(_ number: Int, _ name: String?, _ services: String...) -> Strap {
        Strap(
            id: "strap\(number)", name: name, address: "C4:00:00:00:00:0\(number)",
            services: services.compactMap { GattService.named($0) })
    }

    static var heart: Strap { make(1, "Strap One", "hr", "battery") }
}

/// Signals as lines that name the last part of the object's path, as in
/// `changed dev_C4_00_00_00_00_01 Connected=true`.
enum Transcript {
    static func line(for signal: Signal) -> String {
        let object = last(signal.arguments.first?.asObjectPath ?? signal.path)
        guard signal.arguments.count > 1 else { return "\(signal.member) \(object)" }
        switch signal.member {
        case "InterfacesAdded":
            let names = signal.arguments[1].asEntries?.compactMap { $0.key.asString } ?? []
            return "added \(object) " + own(names)
        case "InterfacesRemoved":
            return "removed \(object) " + own(signal.arguments[1].asStrings ?? [])
        case "PropertiesChanged":
            let changes = (signal.arguments[1].asEntries ?? []).filter {
                $0.key.asString != "UUIDs"
            }
            let words = changes.map { "\($0.key.asString ?? "")=\(text($0.value.unwrapped))" }
            let absent = (signal.arguments.last?.asStrings ?? []).map { "!" + $0 }
            return "changed \(object) " + (words + absent).joined(separator: " ")
        case "Disconnected":
            return "disconnected \(object) \(last(signal.arguments[0].asString ?? ""))"
        default: return "\(signal.member) \(object)"
        }
    }

    static func last(_ name: String) -> String {
        String(name.split { $0 == "/" || $0 == "." }.last ?? "")
    }

    private static func own(_ names: [String]) -> String {
        names.filter { $0.hasPrefix("org.bluez.") }.map { last($0) }.joined(separator: " ")
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .boolean(let flag): "\(flag)"
        case .byte(let byte): "\(byte)"
        case .int16(let number): "\(number)"
        case .string(let text): text
        case .byteArray(let bytes): hex(bytes)
        default: "?"
        }
    }
}
