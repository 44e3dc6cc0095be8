internal import CDBus
import Glibc

/// The file descriptors that libdbus wants watched, and the wait for them.
///
/// The raw descriptor of a connection must not be polled: libdbus says through watches what it
/// needs. There are no timeouts besides them, because we use no pending calls of libdbus (see
/// ``Connection``).
final class WatchSet {
    private var watches: [Watch] = []

    /// Waits for a watch, for `wakeUp` or for the time to pass; libdbus then reads and writes.
    ///
    /// - Parameters:
    ///   - wakeUp: A descriptor of ours, or -1.
    ///   - milliseconds: The longest wait, -1 for without end.
    func wait(wakeUp: Int32, milliseconds: Int32) {
        let enabled = watches.filter(\.isEnabled)
        var entries = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
        for watch in enabled {
            entries.append(pollfd(fd: watch.descriptor, events: watch.events, revents: 0))
        }
        // Interrupted by a signal is as good as nothing happened: the caller waits again.
        guard unsafe poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return }
        for (watch, entry) in zip(enabled, entries.dropFirst()) where entry.revents != 0 {
            // Handling one watch may have removed or disabled another.
            guard watches.contains(watch), watch.isEnabled else { continue }
            watch.handle(events: Int32(entry.revents))
        }
    }

    // MARK: - What libdbus tells

    /// Lets libdbus tell this set of its watches, until ``detach(from:)``.
    func attach(to connection: OpaquePointer) {
        // Balanced by the free function, which libdbus calls when the functions are replaced.
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let done = unsafe dbus_connection_set_watch_functions(
            connection,
            { watch, context in
                guard let watch = unsafe watch else { return 0 }
                unsafe WatchSet.at(context)?.watches.append(Watch(pointer: watch))
                return 1
            },
            { watch, context in
                guard let watch = unsafe watch else { return }
                let removed = unsafe Watch(pointer: watch)
                unsafe WatchSet.at(context)?.watches.removeAll { $0 == removed }
            },
            nil,  // Toggling needs no answer: each wait asks again which watches are enabled.
            context,
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<WatchSet>.fromOpaque(context).release()
            })
        precondition(done != 0, "libdbus fails here only when the process is out of memory")
    }

    /// Ends it.
    func detach(from connection: OpaquePointer) {
        _ = unsafe dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> WatchSet? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<WatchSet>.fromOpaque(context).takeUnretainedValue()
    }
}

/// A watch of libdbus, valid from its add function to its remove function.
@safe
private struct Watch: Equatable {
    let pointer: OpaquePointer

    static func == (left: Watch, right: Watch) -> Bool {
        unsafe left.pointer == right.pointer
    }

    var isEnabled: Bool {
        unsafe dbus_watch_get_enabled(pointer) != 0
    }

    var descriptor: Int32 {
        unsafe dbus_watch_get_unix_fd(pointer)
    }

    /// What to wait for, as `poll` says it.
    var events: Int16 {
        let flags = unsafe dbus_watch_get_flags(pointer)
        var events: Int32 = 0
        if flags & DBUS_WATCH_READABLE.rawValue != 0 { events |= POLLIN }
        if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { events |= POLLOUT }
        return Int16(events)
    }

    /// Lets libdbus work on what `poll` has seen.
    func handle(events: Int32) {
        var flags: UInt32 = 0
        if events & POLLIN != 0 { flags |= DBUS_WATCH_READABLE.rawValue }
        if events & POLLOUT != 0 { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if events & (POLLERR | POLLNVAL) != 0 { flags |= DBUS_WATCH_ERROR.rawValue }
        if events & POLLHUP != 0 { flags |= DBUS_WATCH_HANGUP.rawValue }
        // False means out of memory; the watch is still enabled and its turn comes again.
        _ = unsafe dbus_watch_handle(pointer, flags)
    }
}
