internal import CDBus
import Clocks

extension Connection {
    /// Connects, authenticates and gets a name.
    ///
    /// Waits for the bus, so it runs on the bus thread.
    static func open(
        _ address: Bus.Address, limits: Limits, messages: MessageCounter,
        clock: @escaping @Sendable () -> Arrival
    ) throws(DBusError) -> Connection {
        var error = unsafe CDBus.DBusError()
        unsafe dbus_error_init(&error)
        defer { unsafe dbus_error_free(&error) }
        let opened: OpaquePointer?
        switch address {
        case .system: unsafe opened = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error)
        case .session: unsafe opened = dbus_bus_get_private(DBUS_BUS_SESSION, &error)
        case .address(let text): unsafe opened = dbus_connection_open_private(text, &error)
        }
        guard let pointer = unsafe opened else {
            throw unsafe failure(&error, address)
        }
        // The default would end the process when the bus goes away.
        unsafe dbus_connection_set_exit_on_disconnect(pointer, 0)
        if case .address = address, unsafe dbus_bus_register(pointer, &error) == 0 {
            let failure = unsafe failure(&error, address)
            unsafe dbus_connection_close(pointer)
            unsafe dbus_connection_unref(pointer)
            throw failure
        }
        return unsafe Connection(owning: pointer, limits: limits, messages: messages, clock: clock)
    }

    private static func failure(
        _ error: inout CDBus.DBusError, _ address: Bus.Address
    ) -> DBusError {
        DBusError(
            code: .cannotConnect,
            name: unsafe error.name.map { unsafe String(cString: $0) } ?? DBusError.prefix
                + "Failed",
            message: unsafe error.message.map { unsafe String(cString: $0) } ?? "",
            call: "connecting to \(address)")
    }
}
