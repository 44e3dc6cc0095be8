/// Words for what happens, the same in every process.
enum Trace {
    /// A value as Swift writes it, but sets and dictionaries in the order of their words, not of
    /// their hashes.
    static func words(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        let parts = mirror.children.map { (label: $0.label, words: words($0.value)) }
        switch mirror.displayStyle {
        case .set: return "[\(list(parts.map(\.words).sorted()))]"
        // A dictionary's children are pairs without labels.
        case .dictionary: return "[\(list(parts.map(\.words).sorted()))]"
        case .collection: return "[\(list(parts.map(\.words)))]"
        case .optional: return parts.first?.words ?? "nil"
        case .tuple: return "(\(list(parts.map(labelled))))"
        case .enum: return enumCase(value, parts)
        case .struct where !parts.isEmpty && !(value is any CustomStringConvertible):
            return "\(mirror.subjectType)(\(list(parts.map(labelled))))"
        default: return "\(value)"
        }
    }

    private typealias Part = (label: String?, words: String)

    /// A case has one child: what it carries, or a tuple of that.
    private static func enumCase(_ value: Any, _ parts: [Part]) -> String {
        guard let part = parts.first, let label = part.label,
            !(value is any CustomStringConvertible)
        else { return "\(value)" }
        return part.words.hasPrefix("(") ? label + part.words : "\(label)(\(part.words))"
    }

    private static func labelled(_ part: Part) -> String {
        // What has no label of its own is called `.0`.
        guard let label = part.label, !label.hasPrefix(".") else { return part.words }
        return "\(label): \(part.words)"
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
