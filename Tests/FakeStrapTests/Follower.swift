import DBus

@testable import FakeStrap

/// A program that takes whatever it can get: it scans, connects to all that count heart beats or
/// steps, subscribes to everything, consents to every pairing, and comes back after every loss.
///
/// Lives on its bus thread.
final class Follower {
    private static let wanted: Set<String> = [
        GattUUID(0x180D).text, GattUUID(0x1814).text, GattUUID.infiniTime(0).text,
    ]
    private static let agentPath = "/follower/agent"

    private unowned let connection: Connection
    private let consents: Bool

    private init(_ connection: Connection, consents: Bool) {
        self.connection = connection
        self.consents = consents
    }

    /// Lets a follower loose.
    ///
    /// - Parameters:
    ///   - address: Where the bus is.
    ///   - consents: Whether it is an agent for pairings.
    /// - Returns: Its connection; the follower ends with it.
    /// - Throws: `DBusError` if the bus cannot be reached.
    static func start(_ address: String, consents: Bool = true) async throws -> Bus {
        let bus = try await Bus(.address(address))
        try await bus.call(.addMatch("type='signal',sender='org.bluez'"))
        let owner = "member='NameOwnerChanged',arg0='org.bluez'"
        try await bus.call(.addMatch("type='signal',sender='org.freedesktop.DBus',\(owner)"))
        try await bus.perform { (connection) throws(DBusError) in
            let follower = Follower(connection, consents: consents)
            connection.resident = follower
            connection.onSignal = { [unowned follower] signal, _, _ in follower.take(signal) }
            connection.onMethodCall = { call, _, _ in
                call.interface == "org.bluez.Agent1" ? .values([]) : .unknownMethod(call)
            }
            follower.begin()
        }
        return bus
    }

    /// Looks at what is there already.
    private func begin() {
        if consents {
            ask(
                "/org/bluez", "org.bluez.AgentManager1", "RegisterAgent",
                .objectPath(Self.agentPath), .string("NoInputNoOutput"))
        }
        ask("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") { [unowned self] in
            for entry in $0?.first?.asEntries ?? [] {
                take(entry.key.asObjectPath ?? "", entry.value.asEntries ?? [])
            }
        }
    }

    // MARK: - News

    private func take(_ signal: Signal) {
        let arguments = signal.arguments
        switch signal.member {
        case "NameOwnerChanged":
            if arguments.last?.asString?.isEmpty == false { begin() }
        case "InterfacesAdded" where arguments.count == 2:
            take(arguments[0].asObjectPath ?? "", arguments[1].asEntries ?? [])
        case "PropertiesChanged" where arguments.count == 3:
            changed(signal.path, arguments[0].asString ?? "", arguments[1])
        default: break
        }
    }

    /// An object is there.
    private func take(_ path: String, _ interfaces: [Value.Entry]) {
        for interface in interfaces {
            let properties = interface.value
            switch interface.key.asString {
            case "org.bluez.Adapter1": changed(path, "org.bluez.Adapter1", properties)
            case "org.bluez.Device1":
                let uuids = properties["UUIDs"]?.asStrings ?? []
                if !Self.wanted.isDisjoint(with: uuids) { connect(path) }
            case "org.bluez.GattCharacteristic1":
                guard properties["Flags"]?.asStrings?.contains("notify") == true else { break }
                subscribe(path)
            default: break
            }
        }
    }

    private func changed(_ path: String, _ interface: String, _ properties: Value) {
        if interface == "org.bluez.Adapter1", properties["Powered"]?.asBoolean == true {
            ask(path, interface, "StartDiscovery") { [unowned self] in
                if $0 == nil { again { self.changed(path, interface, properties) } }
            }
        }
        if interface == "org.bluez.Device1", properties["Connected"]?.asBoolean == false {
            connect(path)
        }
    }

    // MARK: - Wishes

    private func connect(_ path: String) {
        ask(path, "org.bluez.Device1", "Connect") { [unowned self] in
            if $0 == nil { again { self.connect(path) } }
        }
    }

    private func subscribe(_ path: String) {
        ask(path, "org.bluez.GattCharacteristic1", "StartNotify") { [unowned self] in
            if $0 == nil { again { self.subscribe(path) } }
        }
    }

    private func again(_ wish: @escaping () -> Void) {
        connection.after(milliseconds: 5) { _ in wish() }
    }

    /// Calls a method; the result is nil if it is worth to try again.
    private func ask(
        _ path: String, _ interface: String, _ member: String, _ arguments: Value...,
        then: @escaping ([Value]?) -> Void = { _ in }
    ) {
        let call = MethodCall(
            destination: "org.bluez", path: path, interface: interface, member: member,
            arguments: arguments)
        connection.send(call, timeoutMilliseconds: 120_000) { result, _ in
            switch result {
            case .success(let values): then(values)
            case .failure(let error):
                // An object or a daemon that is gone makes itself heard when it is back.
                if error.code == .refused, error.name.hasPrefix("org.bluez.") { then(nil) }
            }
        }
    }
}
