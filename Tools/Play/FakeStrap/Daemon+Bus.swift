import DBus

/// What goes out over the connection of the present life.
extension Daemon {
    /// Says that properties of an object have changed; those it no longer has are invalidated.
    ///
    /// The names are of its first interface.
    func changed(_ object: BusObject, _ names: String...) {
        let interface = object.interfaces[0]
        let present = names.compactMap { name in
            interface.properties.value(of: name).map { (name, $0) }
        }
        let absent = names.filter { interface.properties.value(of: $0) == nil }
        emit(.propertiesChanged(object.path, interface.name, present, absent: absent))
    }

    /// Says that an object is there, or that it has got an interface.
    func added(_ object: BusObject, _ interfaces: [BusObject.Interface]? = nil) {
        emit(
            Daemon.manager(
                "InterfacesAdded", object.path,
                interfaces.map { BusObject.value(of: $0) } ?? object.value))
    }

    /// Says that an object is gone, or that it has lost an interface.
    func removed(_ object: BusObject, _ interfaces: [String]? = nil) {
        let names = interfaces ?? BusObject.common + object.interfaces.map(\.name)
        emit(Daemon.manager("InterfacesRemoved", object.path, .strings(names)))
    }

    private static func manager(_ member: String, _ path: String, _ value: Value) -> Signal {
        Signal(
            path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: member,
            arguments: [.objectPath(path), value])
    }

    /// Sends a signal.
    func emit(_ signal: Signal) {
        work { (connection) throws(DBusError) in try connection.emit(signal) }
    }

    /// Answers a call that was put off.
    func send(_ answer: MethodReply, to caller: ReplyAddress) {
        work { (connection) throws(DBusError) in try connection.answer(caller, with: answer) }
    }

    /// Does something on the thread of the present life's connection, if there is one.
    func work(_ job: @escaping @Sendable (Connection) throws(DBusError) -> Void) {
        guard let life else { return }
        let report = report
        do {
            try life.enqueue { connection in
                do throws(DBusError) {
                    try job(connection)
                } catch {
                    report(.problem(error.description))
                }
            }
        } catch {
            report(.problem(error.description))
        }
    }
}

extension Signal {
    /// The signal that says which properties of an object have changed.
    static func propertiesChanged(
        _ path: String, _ interface: String, _ present: [(String, Value)], absent: [String] = []
    ) -> Signal {
        Signal(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            arguments: [.string(interface), .properties(present), .strings(absent)])
    }
}
