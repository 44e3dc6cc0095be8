internal import Glibc
internal import Text

/// Says a sentence on standard error.
package func say(_ sentence: String) { write("pulselog-fleet: \(sentence)", to: STDERR_FILENO) }

/// Says on standard output what is going on, at once.
package func tell(_ sentence: String) { write(sentence, to: STDOUT_FILENO) }

private func write(_ sentence: String, to descriptor: Int32) {
    let line = Array("\(printable(sentence, limit: 4_096))\n".utf8)
    _ = Glibc.write(descriptor, line, line.count)
}

/// Waits, or returns at once if the task is cancelled.
package func pause(_ duration: Duration) async {
    do {
        try await Task.sleep(for: duration)
    } catch {
        // Cancelled: there is nothing left to wait for.
    }
}
