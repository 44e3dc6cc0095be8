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
        let page = """
            <!doctype html>
            <meta charset="utf-8">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>Pulselog</title>

            """
        do throws(SystemCallError) {
            try writeFile(Array(page.utf8), to: path)
        } catch {
            let reason = String(cString: strerror(error.number))
            let sentence = printable("\(path) cannot be written: \(reason).", limit: .max)
            return "\(sentence) Open the address yourself."
        }
        // In a session of its own it outlives this terminal. It says itself what it cannot do.
        _ = system("setsid xdg-open \(FilePath.quoted(path)) </dev/null >/dev/null &")
        return nil
    }

    /// Removes what the browser was given.
    package func forget() {
        unlink(path)
    }
}
