package import Events
internal import Files
internal import Glibc
internal import Synchronization

/// Keeps bytes in a file of `TMPDIR` without a name: however this process ends, nothing is left of
/// it.
package final class KeptBytes: Sendable {
    /// The file, made when there is something to keep, and where the next bytes go.
    let file = Mutex<(descriptor: Int32?, end: Int)>((nil, 0))

    /// Keeps nothing yet.
    package init() {}

    deinit {
        file.withLock { if let descriptor = $0.descriptor, descriptor >= 0 { close(descriptor) } }
    }

    /// Opens a file; below 0 if none can be had.
    private static func open() -> Int32 {
        do throws(SystemCallError) {
            return try OpenFile.nameless().duplicate()
        } catch {
            return -1
        }
    }

    /// Keeps bytes: in memory where the file has no room.
    package func keep(_ bytes: [UInt8]) -> KeptPiece {
        let (descriptor, place) = file.withLock { file in
            let descriptor = file.descriptor ?? Self.open()
            let written = pwrite(descriptor, bytes, bytes.count, off_t(file.end))
            defer { file = (descriptor, file.end + (written == bytes.count ? written : 0)) }
            return (descriptor, written == bytes.count ? file.end : nil)
        }
        guard let place else { return { bytes } }
        return { [self, count = bytes.count] in
            var bytes = [UInt8](repeating: 0, count: count)
            let read = withExtendedLifetime(self) { pread(descriptor, &bytes, count, off_t(place)) }
            precondition(read == count, "What was kept in TMPDIR can no longer be read.")
            return bytes
        }
    }
}
