internal import CDBus
import Glibc

/// A part of a call, signal or answer that D-Bus does not allow, or that exceeds a limit.
///
/// libdbus prints a warning and ends the process when it is given what D-Bus does not allow; so it
/// must never see such a thing.
struct InvalidPart: Error {
    let reason: String
}

@safe
enum Validation {
    static func busName(_ text: String) throws(InvalidPart) {
        try unsafe check(text, "bus name") { unsafe dbus_validate_bus_name($0, nil) }
    }

    static func path(_ text: String) throws(InvalidPart) {
        try unsafe check(text, "object path") { unsafe dbus_validate_path($0, nil) }
    }

    static func interface(_ text: String) throws(InvalidPart) {
        try unsafe check(text, "interface") { unsafe dbus_validate_interface($0, nil) }
    }

    static func member(_ text: String) throws(InvalidPart) {
        try unsafe check(text, "member") { unsafe dbus_validate_member($0, nil) }
    }

    static func errorName(_ text: String) throws(InvalidPart) {
        try unsafe check(text, "error name") { unsafe dbus_validate_error_name($0, nil) }
    }

    static func arguments(_ values: [Value], limits: Limits) throws(InvalidPart) {
        var budget = Budget(limits)
        for value in values { try check(value, depth: 0, &budget) }
        let signature = values.map(\.signature).joined()
        try unsafe check(signature, "signature of the arguments") {
            unsafe dbus_signature_validate($0, nil)
        }
    }

    // MARK: -

    private static func check(
        _ text: String, _ what: String, by validate: (UnsafePointer<CChar>) -> dbus_bool_t
    ) throws(InvalidPart) {
        guard !text.utf8.contains(0), unsafe text.withCString(validate) != 0 else {
            throw InvalidPart(reason: "\(text.debugDescription) is not a valid \(what)")
        }
    }

    private static func check(
        _ value: Value, depth: Int, _ budget: inout Budget
    ) throws(InvalidPart) {
        try budget.enter(depth: depth)
        switch value {
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double:
            break
        case .string(let text):
            try budget.hold(bytes: text.utf8.count)
            guard !text.utf8.contains(0) else {
                throw InvalidPart(reason: "a text with a NUL cannot travel over D-Bus")
            }
        case .objectPath(let text):
            try path(text)
        case .signature(let text):
            try unsafe check(text, "signature") { unsafe dbus_signature_validate($0, nil) }
        case .descriptor(let number):
            guard fcntl(number, F_GETFD) >= 0 else {
                throw InvalidPart(reason: "\(number) is not an open file descriptor")
            }
        case .byteArray(let bytes):
            try budget.hold(bytes: bytes.count)
        case .array, .dictionary, .structure, .variant:
            try checkContent(value, depth: depth + 1, &budget)
        }
    }

    private static func checkContent(
        _ value: Value, depth: Int, _ budget: inout Budget
    ) throws(InvalidPart) {
        switch value {
        case .array(let element, let elements):
            guard element != "y", !element.hasPrefix("{") else {
                throw InvalidPart(reason: "bytes and dictionaries have a case of their own")
            }
            try single("a" + element)
            for item in elements {
                try check(item, depth: depth, &budget)
                try match(item.signature, element)
            }
        case .dictionary(let entry, let entries):
            try single("a" + entry)
            for item in entries {
                try check(item.key, depth: depth, &budget)
                try check(item.value, depth: depth, &budget)
                try match("{\(item.key.signature)\(item.value.signature)}", entry)
            }
        case .structure(let fields):
            guard !fields.isEmpty else {
                throw InvalidPart(reason: "a structure without fields does not exist in D-Bus")
            }
            for field in fields { try check(field, depth: depth, &budget) }
        case .variant(let content):
            try check(content, depth: depth, &budget)
            try single(content.signature)
        default:
            preconditionFailure("Not a container.")
        }
    }

    private static func single(_ signature: String) throws(InvalidPart) {
        try unsafe check(signature, "type signature") {
            unsafe dbus_signature_validate_single($0, nil)
        }
    }

    private static func match(_ found: String, _ declared: String) throws(InvalidPart) {
        guard found == declared else {
            throw InvalidPart(reason: "an element of type \(found) in an array of \(declared)")
        }
    }
}
