import CDBus
import DBus
import Glibc
import TestSupport

@testable import FakeStrap

/// A program that acquires notifications; on libdbus alone, because ours takes no descriptors.
final class DescriptorClient {
    private let connection: OpaquePointer

    /// What came of a call.
    enum Reply {
        case acquired(Descriptor, mtu: UInt16)
        case refused(String)
    }

    init(_ address: String) throws {
        guard let connection = dbus_connection_open_private(address, nil),
            dbus_bus_register(connection, nil) != 0
        else { throw ScenarioError("The bus at \(address) cannot be reached.") }
        dbus_connection_set_exit_on_disconnect(connection, 0)
        self.connection = connection
    }

    deinit {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    /// Calls `AcquireNotify`, and waits.
    func acquire(_ path: String) throws -> Reply {
        try call(path, "AcquireNotify") { message in
            var (arguments, options) = (DBusMessageIter(), DBusMessageIter())
            dbus_message_iter_init_append(message, &arguments)
            dbus_message_iter_open_container(&arguments, CDBUS_TYPE_ARRAY, "{sv}", &options)
            dbus_message_iter_close_container(&arguments, &options)
        }
    }

    /// Calls a method without arguments, and waits; its refusal, or nothing.
    func refusal(_ path: String, _ member: String) throws -> String? {
        if case .refused(let text) = try call(path, member, { _ in }) { text } else { nil }
    }

    private func call(
        _ path: String, _ member: String, _ fill: (OpaquePointer) -> Void
    ) throws -> Reply {
        guard
            let message = dbus_message_new_method_call(
                "org.bluez", path, Name.characteristic1, member)
        else { throw ScenarioError("This is no call: \(member) on \(path).") }
        defer { dbus_message_unref(message) }
        fill(message)
        var error = CDBus.DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard
            let reply = dbus_connection_send_with_reply_and_block(
                connection, message, 10_000, &error)
        else {
            return .refused("\(String(cString: error.name)): \(String(cString: error.message))")
        }
        defer { dbus_message_unref(reply) }
        var (iterator, value) = (DBusMessageIter(), DBusBasicValue())
        guard dbus_message_iter_init(reply, &iterator) != 0 else { return .refused("") }
        dbus_message_iter_get_basic(&iterator, &value)
        let descriptor = Descriptor(value.fd)
        dbus_message_iter_next(&iterator)
        dbus_message_iter_get_basic(&iterator, &value)
        return .acquired(descriptor, mtu: value.u16)
    }
}

extension Descriptor {
    /// Takes the next packet, if there is one.
    func packet() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 600)
        let count = recv(number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 || (count == 0 && isHungUp) ? nil : Array(bytes.prefix(count))
    }

    /// Whether the other end is closed.
    var isHungUp: Bool {
        var entry = pollfd(fd: number, events: 0, revents: 0)
        return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP) != 0
    }
}
