import Foundation

/// A file system in memory, mounted on a directory.
package struct SmallDisk: Sendable {
    private let path: String

    /// Whether this process may mount a file system of its own.
    package static let isPossible: Bool = {
        do {
            let directory = try TemporaryDirectory()
            try SmallDisk(on: directory.path).unmount()
            return true
        } catch {
            return false
        }
    }()

    /// Mounts an empty file system; ``unmount()`` ends it.
    ///
    /// - Parameters:
    ///   - path: An existing directory.
    ///   - megabytes: Its size.
    /// - Throws: ``ProgramError`` if it may not be mounted.
    package init(on path: String, megabytes: Int = 1) throws {
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            throw ProgramError("\(path) cannot be mounted on: \(errno)")
        }
        self.path = path
    }

    /// Writes a file that takes all the room there is.
    ///
    /// - Parameter name: Its name.
    /// - Throws: ``ProgramError`` if it cannot be made.
    package func fill(_ name: String) throws {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ProgramError("\(name) cannot be made: \(errno)") }
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0, count: 4_096)
        while write(descriptor, page, page.count) > 0 {}
    }

    /// Takes the file system away with all that is on it, also while somebody uses it.
    package func unmount() {
        precondition(umount2(path, Int32(MNT_DETACH)) == 0, "\(path) cannot be unmounted: \(errno)")
    }
}
