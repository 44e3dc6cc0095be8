/// A field that is another one in another state.
///
/// ``changes(from:to:)`` walks any two values by their mirrors, so that no part of a state can be
/// forgotten when it is added.
///
/// ```swift
/// let before = state
/// state.evolve(event)
/// for change in FieldChange.changes(from: before, to: state) { print(change) }
/// // live.sessions.open.readings.heartRate.sum: 8123 -> 8210
/// ```
package struct FieldChange: Hashable, Sendable {
    /// The way to the field: names joined by points, in the order of declaration; places in a list
    /// and keys in brackets.
    package let field: String
    /// What it was.
    package let before: FieldValue
    /// What it is.
    package let after: FieldValue

    /// How much more it is, if it is a number; else nothing.
    package var difference: FieldValue { before.difference(to: after) }

    /// The fields in which two values differ.
    ///
    /// Lists are compared place by place, what has keys key by key in the order of the keys, sets
    /// by their elements in order of their words. An optional stands for its value.
    ///
    /// - Parameters:
    ///   - before: A value.
    ///   - after: Another one, mostly of the same type.
    /// - Returns: The fields, in the order in which they are declared; none if the values are
    ///   equal.
    package static func changes(from before: Any, to after: Any) -> [FieldChange] {
        var walk = FieldWalk()
        walk.compare("", FieldNode(before), FieldNode(after))
        return walk.changes
    }
}

extension FieldChange: CustomStringConvertible {
    /// `field: before -> after`.
    package var description: String { "\(field): \(before) -> \(after)" }
}

/// The way through two values at once.
private struct FieldWalk {
    private(set) var changes: [FieldChange] = []

    mutating func compare(_ path: String, _ before: FieldNode, _ after: FieldNode) {
        if case .leaf(let old) = before, case .leaf(let new) = after {
            if old != new {
                changes.append(FieldChange(field: path, before: old, after: new))
            }
            return
        }
        // Where one of them has no parts, it differs as a whole: unless it is absent, it is said.
        note(path, before.ownWords, after.ownWords)
        var rest = after.parts
        for part in before.parts {
            let name = path + part.step(from: path)
            guard let index = rest.firstIndex(where: { $0.label == part.label }) else {
                compare(name, FieldNode(part.value), .absent)
                continue
            }
            // What was passed over is new.
            for new in rest[..<index] {
                compare(path + new.step(from: path), .absent, FieldNode(new.value))
            }
            if !isSame(part.value, rest[index].value) {
                compare(name, FieldNode(part.value), FieldNode(rest[index].value))
            }
            rest = rest[(index + 1)...]
        }
        for new in rest { compare(path + new.step(from: path), .absent, FieldNode(new.value)) }
    }

    private mutating func note(_ path: String, _ before: FieldValue, _ after: FieldValue) {
        guard before != after else { return }
        changes.append(FieldChange(field: path, before: before, after: after))
    }

    /// Whether two values are known to be equal, so that their parts need not be looked at.
    private func isSame(_ left: Any, _ right: Any) -> Bool {
        guard let left = left as? any Hashable else { return false }
        return isEqual(left, to: right)
    }

    private func isEqual<Value: Hashable>(_ left: Value, to right: Any) -> Bool {
        (right as? Value) == left
    }
}
