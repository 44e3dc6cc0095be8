internal import Glibc
internal import Terminal
internal import Text
internal import Words

/// The browser of whoever sits at this machine, sent to an address with a secret in it.
///
/// Other users see the arguments of programs, so the browser gets a file that only this user can
/// read, and that sends it on.
struct Browser {
    private let path: String

    /// Opens an address, or says on standard error why not.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - store: In whose folder the file is put.
    init(opening address: String, from store: Store) async {
        path = store.directory + "/open.html"
        guard write(address) else {
            let reason = String(cString: strerror(errno))
            let sentences = StreamWriter.sentences()
            let sentence = printable("\(path) cannot be written: \(reason).", limit: .max)
            sentences.put(Array("pulselog: \(sentence) Open the address yourself.\n".utf8))
            await sentences.finish()
            return
        }
        let quoted = path.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''")
        // In a session of its own it outlives this terminal. It says itself what it cannot do.
        _ = system("setsid xdg-open '\(quoted)' </dev/null >/dev/null &")
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
    func forget() {
        unlink(path)
    }
}
