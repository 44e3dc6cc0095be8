/// The program's version.
package enum Version {
    /// Semantic version; 0.x until the first release.
    package static let text = "0.1.0"
}
