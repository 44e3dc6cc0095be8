internal import CDBus
import Synchronization

/// One reference to a libdbus message, given back when this value goes.
///
/// The counter is for tests: it says how many references a connection holds at this moment.
@safe
struct OwnedMessage: ~Copyable {
    /// Valid for as long as this value.
    let pointer: OpaquePointer
    private let counter: MessageCounter

    /// Takes over a reference that the caller owns.
    init(owning pointer: OpaquePointer, counter: MessageCounter) {
        unsafe self.pointer = pointer
        self.counter = counter
        counter.add(1)
    }

    deinit {
        unsafe dbus_message_unref(pointer)
        counter.add(-1)
    }
}

/// Counts the messages that are held.
final class MessageCounter: Sendable {
    private let count = Atomic<Int>(0)

    var live: Int { count.load(ordering: .relaxed) }

    func add(_ difference: Int) {
        count.add(difference, ordering: .relaxed)
    }
}

// MARK: - Reading the header

extension OwnedMessage {
    /// `DBUS_MESSAGE_TYPE_…`.
    var kind: Int32 {
        unsafe dbus_message_get_type(pointer)
    }

    var serial: UInt32 {
        unsafe dbus_message_get_serial(pointer)
    }

    var replySerial: UInt32 {
        unsafe dbus_message_get_reply_serial(pointer)
    }

    var expectsReply: Bool {
        unsafe dbus_message_get_no_reply(pointer) == 0
    }

    /// The unique name of the sender as the bus wrote it; empty for what libdbus itself says.
    var sender: String {
        unsafe Self.text(dbus_message_get_sender(pointer))
    }

    var destination: String {
        unsafe Self.text(dbus_message_get_destination(pointer))
    }

    var path: String {
        unsafe Self.text(dbus_message_get_path(pointer))
    }

    var interface: String {
        unsafe Self.text(dbus_message_get_interface(pointer))
    }

    var member: String {
        unsafe Self.text(dbus_message_get_member(pointer))
    }

    var errorName: String {
        unsafe Self.text(dbus_message_get_error_name(pointer))
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        return unsafe String(cString: pointer)
    }
}
