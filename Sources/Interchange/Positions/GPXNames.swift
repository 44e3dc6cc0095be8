internal import XML

/// The names of the elements that are open in a GPX file, whatever their prefixes.
///
/// An element belongs to GPX if it is in the namespace of the outermost one (Namespaces in XML 1.0,
/// 6.1); a prefix that nothing declares stands for a namespace of its own.
struct GPXNames {
    private struct Name {
        let local: Substring
        let namespace: String
        /// The namespaces that hold here, by prefix; the default one by an empty prefix.
        let declared: [Substring: String]
    }

    private var open: [Name] = []

    /// Enters an element.
    mutating func begin(_ element: borrowing XMLElement) {
        var declared = open.last?.declared ?? [:]
        element.forEachAttribute { name, value in
            if name == "xmlns" {
                declared[""] = value
            } else if name.hasPrefix("xmlns:") {
                declared[name.dropFirst(6)] = value
            }
        }
        let name = element.qualifiedName
        let local = name.split(separator: ":", maxSplits: 1).last ?? ""
        let prefix = name.dropLast(local.count)
        let namespace = declared[prefix.dropLast()] ?? String(prefix)
        open.append(Name(local: local, namespace: namespace, declared: declared))
    }

    /// Whether no element is open.
    var isEmpty: Bool { open.isEmpty }

    /// Leaves the element that was entered last.
    mutating func end() {
        open.removeLast()
    }

    /// The name of the element that was entered last, whoever's it is, without its prefix.
    var local: Substring? { open.last?.local }

    /// The name of the element that was entered last, without its prefix; nil if it isn't GPX's.
    var innermost: Substring? {
        guard let name = open.last, name.namespace == open.first?.namespace else { return nil }
        return name.local
    }
}
