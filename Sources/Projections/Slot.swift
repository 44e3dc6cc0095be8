/// Room for one value that is there or not, in place.
///
/// An optional is copied out and in when a part of it changes, and a list asks each time whether it
/// is shared; this does neither. An empty slot holds a blank, so that equal slots are equal.
struct Slot<Value: StatePart & Hashable & Sendable>: Hashable, Sendable {
    /// Whether there is no value.
    private(set) var isEmpty = true
    /// The value; the blank while ``isEmpty``, and then not to be changed.
    var value = Value()

    /// The value as an optional.
    var optional: Value? {
        get { isEmpty ? nil : value }
        set {
            isEmpty = newValue == nil
            value = newValue ?? Value()
        }
    }
}

extension Slot: StatePart {
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var isPresent = !isEmpty
        try coder(&isPresent)
        isEmpty = !isPresent
        if isPresent { try coder(&value) }
    }
}
