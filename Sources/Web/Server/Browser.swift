internal import Files
internal import Glibc
internal import Text

/// The browser of whoever sits at this machine, sent to an address with a secret in it.
///
/// Other users see the arguments of programs, so the browser gets a file that only this user can
/// read, and that sends it on.
package struct Browser {
    private let path: String

    /// Prepares it.
    ///
    /// - Parameter directory: In which folder the file is put.
    package init(in directory: String) {
        path = directory + "/open.html"
    }

    /// Opens an address.
    ///
    /// - Returns: The sentence that says why not.
    package func open(_ address: String) -> String? {
        guard write(address) else {
            let reason = String(cString: strerror(errno))
            let sentence = printable("\(path) cannot be written: \(reason).", limit: .max)
            return "\(sentence) Open the address yourself."
        }
        // In a session of its own it outlives this terminal. It says itself what it cannot do.
        _ = system("setsid xdg-open \(FilePath.quoted(path)) </dev/null >/dev/null &")
        return nil
    }

    private func write(_ address: String) -> Bool {
        unlink(path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let text = Array(
            """
            <!doctype html>
            <meta charset="utf-8">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>Pulselog</title>

            """.utf8)
        return Glibc.write(descriptor, text, text.count) == text.count
    }

    /// Removes what the browser was given.
    package func forget() {
        unlink(path)
    }
}
