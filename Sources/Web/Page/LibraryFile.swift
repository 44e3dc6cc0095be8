internal import Files
internal import Glibc

/// A file of Leaflet or dygraphs: its path in the page.
///
/// Both are Debian's: they are served from where their packages put them, so that a library is
/// mended by the system's updates.
package enum LibraryFile: String, CaseIterable, Sendable {
    /// The map.
    case leafletScript = "/leaflet/leaflet.min.js"
    /// Its looks.
    case leafletStyle = "/leaflet/leaflet.css"
    /// The charts.
    case dygraphsScript = "/dygraphs/dygraph.min.js"
    /// Their looks.
    case dygraphsStyle = "/dygraphs/dygraph.min.css"

    /// The most bytes that are taken for one.
    private static let limitBytes = 4 << 20

    /// Where it is on this machine.
    package var path: String { "/usr/share/javascript" + rawValue }

    /// The package that brings it.
    package var package: String { "libjs-\(rawValue.split(separator: "/")[0])" }

    /// The packages whose files cannot be read, in order.
    package static var missingPackages: [String] {
        Set(allCases.filter { access($0.path, R_OK) != 0 }.map(\.package)).sorted()
    }

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
