internal import Files
internal import Glibc

/// A file of Leaflet, which draws the map: its path in the page.
///
/// It is Debian's, and served from where its package puts it, so that the library is mended by the
/// system's updates.
package enum LibraryFile: String, CaseIterable, Sendable {
    /// The library.
    case leafletScript = "/leaflet/leaflet.min.js"
    /// Its looks.
    case leafletStyle = "/leaflet/leaflet.css"

    /// The most bytes that are taken for one.
    private static let limitBytes = 4 << 20

    /// Where it is on this machine.
    package var path: String { "/usr/share/javascript" + rawValue }

    /// Whether one of them cannot be read.
    package static var isMissing: Bool { allCases.contains { access($0.path, R_OK) != 0 } }

    /// What is in it; nil if it cannot be read.
    var bytes: [UInt8]? {
        do throws(SystemCallError) {
            let bytes = try readFile(path, limit: Self.limitBytes + 1)?.bytes
            return bytes.flatMap { $0.count <= Self.limitBytes ? $0 : nil }
        } catch {
            return nil
        }
    }
}
