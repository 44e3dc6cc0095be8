internal import CDBus
import Clocks
internal import Threads

extension Connection {
    /// Runs until the mailbox is closed.
    ///
    /// Beside it only ``open`` waits, and ``flush`` at the end.
    func run(_ mailbox: Mailbox) {
        while true {
            // Before the wait: the greeting or a job may have left messages read but not taken.
            let hasMore = receive()
            reportFailures()
            fireTimers()
            let isBusy = hasMore || !failures.isEmpty
            watches.wait(
                wakeUp: mailbox.bell.descriptor, milliseconds: isBusy ? 0 : waitMilliseconds())
            let (jobs, isClosing) = mailbox.takeAll()
            for job in jobs { job(self) }
            if isClosing { break }
        }
        finish()
    }

    private func reportFailures() {
        guard !failures.isEmpty else { return }
        let arrival = now()
        let due = failures
        failures = []
        for failure in due { failure(arrival) }
    }

    private func fireTimers() {
        let arrival = now()
        let number = timers.nextNumber
        while let action = timers.popDue(atMilliseconds: arrival.bootMilliseconds, before: number) {
            action(arrival)
        }
    }

    /// Until the next timer is due, for `poll`: rounded up by the clock's millisecond, -1 without
    /// timers.
    private func waitMilliseconds() -> Int32 {
        guard let deadline = timers.nextDeadlineMilliseconds else { return -1 }
        let now = self.now().bootMilliseconds
        return deadline > now ? Int32(clamping: deadline - now) : 0
    }

    // MARK: - The end

    private func finish() {
        flush()
        phase = .closed
        failPending(now()) { .closed($0) }
        // Completions may have sent again, in vain; they too are told.
        while !failures.isEmpty { reportFailures() }
        // What these closures hold may hold the connection.
        onSignal = nil
        onMethodCall = nil
        onDropped = nil
        onDisconnected = nil
        resident = nil
        timers = TimerQueue()
        closeAndRelease()
    }

    /// Lets libdbus write what is still queued, until for a second nothing could be written.
    ///
    /// No more than 10 s in all.
    private func flush() {
        let start = Arrival.now().bootMilliseconds
        var end = start + 1_000
        var size = unsafe dbus_connection_get_outgoing_size(pointer)
        while unsafe dbus_connection_has_messages_to_send(pointer) != 0,
            unsafe dbus_connection_get_is_connected(pointer) != 0
        {
            let now = Arrival.now().bootMilliseconds
            guard now < end else { return }
            watches.wait(wakeUp: -1, milliseconds: Int32(end - now))
            let rest = unsafe dbus_connection_get_outgoing_size(pointer)
            if rest < size {
                size = rest
                end = min(now + 1_000, start + 10_000)
            }
        }
    }

    private func closeAndRelease() {
        unsafe watches.detach(from: pointer)
        unsafe dbus_connection_close(pointer)
        unsafe dbus_connection_unref(pointer)
    }
}
