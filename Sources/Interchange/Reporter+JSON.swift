package import Events
package import JSON

extension JSONWriter {
    /// Writes who reported a total: what it is called, and under a key that ends in `Kind`, what it
    /// is.
    package mutating func field(_ name: String, _ reporter: Reporter?) {
        field(name, reporter.map { $0.name ?? $0.kind.rawValue })
        field(name + "Kind", reporter.map { "\($0.kind)" })
    }
}
