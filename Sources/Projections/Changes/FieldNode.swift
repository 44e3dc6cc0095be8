import Events

/// A value as a walk sees it: something with parts, or a leaf.
enum FieldNode {
    /// A part with its name.
    struct Part {
        let label: String
        let value: Any
        /// Whether the label is an index or a key, which is written in brackets.
        var isKey = false

        /// What comes after a path to lead here.
        func step(from path: String) -> String {
            if isKey { return "[\(label)]" }
            return path.isEmpty ? label : "." + label
        }
    }

    case leaf(FieldValue)
    case tree([Part])

    static var absent: FieldNode { .leaf(.absent) }

    /// What it is made of; nothing for a leaf.
    var parts: ArraySlice<Part> {
        if case .tree(let parts) = self { return parts[...] }
        return []
    }

    /// What a leaf says; nothing for what has parts.
    var ownWords: FieldValue {
        if case .leaf(let value) = self { return value }
        return .absent
    }

    /// Looks at a value.
    init(_ value: Any) {
        if let part = value as? any WalkedPart {
            self = part.node
            return
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            self = mirror.children.first.map { FieldNode($0.value) } ?? .absent
        case .collection:
            self = .tree(
                mirror.children.enumerated().map {
                    Part(label: "\($0)", value: $1.value, isKey: true)
                })
        case .dictionary:
            self = .tree(
                Self.pairs(mirror).sorted { ($0.order, $0.part.label) < ($1.order, $1.part.label) }
                    .map(\.part))
        case .set:
            let labels = mirror.children.map { "\($0.value)" }.sorted()
            self = .tree(labels.map { Part(label: $0, value: true, isKey: true) })
        case .enum: self = .leaf(.text("\(value)"))  // A case, with what it holds.
        default:
            if mirror.children.isEmpty || value is any CustomStringConvertible {
                self = .leaf(.text("\(value)"))
            } else {
                self = .tree(mirror.children.compactMap(Self.part))
            }
        }
    }

    /// A stored field; what a slot holds has the name that it has from outside.
    private static func part(_ child: Mirror.Child) -> Part? {
        guard let label = child.label else { return nil }
        let name =
            switch child.value {
            case is Slot<Session>: "open"
            case is Slot<Day>: "current"
            default: label
            }
        return Part(label: name, value: child.value)
    }

    /// Keys and values; numbers stand in their own order, and before words.
    private static func pairs(_ mirror: Mirror) -> [(order: UInt64, part: Part)] {
        mirror.children.compactMap { child in
            let pair = Array(Mirror(reflecting: child.value).children)
            guard pair.count == 2 else { return nil }
            let key = "\(pair[0].value)"
            return (UInt64(key) ?? .max, Part(label: key, value: pair[1].value, isKey: true))
        }
    }
}

/// A value that says itself how a walk sees it.
protocol WalkedPart {
    var node: FieldNode { get }
}

extension Slot: WalkedPart {
    /// The value that is there, as an optional would.
    var node: FieldNode { isEmpty ? .absent : FieldNode(value) }
}

extension OrderedParts: WalkedPart {
    /// Each part by its key; how they are distributed is not part of the value.
    var node: FieldNode {
        .tree(all.map { FieldNode.Part(label: "\($0.key)", value: $0, isKey: true) })
    }
}

extension LogState: WalkedPart {
    /// What its copies share.
    var node: FieldNode { FieldNode(shared.folds) }
}

extension Bool: WalkedPart {
    var node: FieldNode { .leaf(.flag(self)) }
}

extension WalkedPart where Self: FixedWidthInteger {
    var node: FieldNode {
        if let number = UInt64(exactly: self) { return .leaf(.unsigned(number)) }
        return .leaf(Int64(exactly: self).map { .signed($0) } ?? .text("\(self)"))
    }
}

extension Int: WalkedPart {}
extension Int64: WalkedPart {}
extension UInt8: WalkedPart {}
extension UInt16: WalkedPart {}
extension UInt32: WalkedPart {}
extension UInt64: WalkedPart {}

extension String: WalkedPart {
    var node: FieldNode { .leaf(.text(self)) }
}

extension Hundredths: WalkedPart {
    var node: FieldNode { .leaf(.hundredths(value)) }
}

extension OpenCode: WalkedPart {
    /// The name, or the byte of a later version.
    var node: FieldNode { .leaf(.text(known.map { "\($0)" } ?? "\(rawValue)")) }
}
