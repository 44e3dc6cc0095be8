import Foundation
import Synchronization

/// A new, empty directory that is removed with all its contents when the last reference is gone.
package final class TemporaryDirectory: Sendable {
    /// Where it is.
    package let path: String
    private let isThere = Mutex(true)

    /// Makes the directory, which only its owner can enter.
    ///
    /// - Throws: An error of the file system.
    package init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "pulselog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = url.path
    }

    /// Makes the directory of one test, or ends the process: a suite names it where it is kept.
    ///
    /// - Returns: The directory.
    package static func ofTest() -> TemporaryDirectory {
        do {
            return try TemporaryDirectory()
        } catch {
            fatalError("No directory can be made for a test: \(error)")
        }
    }

    deinit {
        do {
            try remove()
        } catch {
            fatalError("\(path) cannot be removed: \(error)")
        }
    }

    /// Removes the directory now; later calls do nothing.
    ///
    /// - Throws: An error of the file system.
    package func remove() throws {
        let wasThere = isThere.withLock { isThere in
            defer { isThere = false }
            return isThere
        }
        if wasThere { try FileManager.default.removeItem(atPath: path) }
    }
}
