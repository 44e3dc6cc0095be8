internal import CDBus

/// Reads the arguments of a received message.
///
/// It was validated by libdbus: types fit the signature, texts are UTF-8, paths are paths.
@safe
struct ValueDecoder {
    private var budget: Budget

    static func arguments(
        of message: borrowing OwnedMessage, limits: Limits
    ) throws(InvalidPart) -> [Value] {
        var iterator = unsafe DBusMessageIter()
        guard unsafe dbus_message_iter_init(message.pointer, &iterator) != 0 else { return [] }
        var decoder = ValueDecoder(budget: Budget(limits))
        return try unsafe decoder.values(&iterator, depth: 0)
    }

    /// The values from the iterator's place to the end of its container.
    private mutating func values(
        _ iterator: inout DBusMessageIter, depth: Int
    ) throws(InvalidPart) -> [Value] {
        var values: [Value] = []
        while unsafe dbus_message_iter_get_arg_type(&iterator) != CDBUS_TYPE_INVALID {
            values.append(try unsafe value(&iterator, depth: depth))
            unsafe dbus_message_iter_next(&iterator)
        }
        return values
    }

    private mutating func value(
        _ iterator: inout DBusMessageIter, depth: Int
    ) throws(InvalidPart) -> Value {
        try budget.enter(depth: depth)
        switch unsafe dbus_message_iter_get_arg_type(&iterator) {
        case CDBUS_TYPE_STRING: return .string(try unsafe text(&iterator))
        case CDBUS_TYPE_OBJECT_PATH: return .objectPath(try unsafe text(&iterator))
        case CDBUS_TYPE_SIGNATURE: return .signature(try unsafe text(&iterator))
        case CDBUS_TYPE_ARRAY: return try unsafe array(&iterator, depth: depth + 1)
        case CDBUS_TYPE_STRUCT:
            var inner = unsafe DBusMessageIter()
            unsafe dbus_message_iter_recurse(&iterator, &inner)
            return .structure(try unsafe values(&inner, depth: depth + 1))
        case CDBUS_TYPE_VARIANT:
            var inner = unsafe DBusMessageIter()
            unsafe dbus_message_iter_recurse(&iterator, &inner)
            return .variant(try unsafe value(&inner, depth: depth + 1))
        case let type:
            return try unsafe number(&iterator, type: type)
        }
    }

    private func number(
        _ iterator: inout DBusMessageIter, type: Int32
    ) throws(InvalidPart) -> Value {
        var basic = unsafe DBusBasicValue()
        guard dbus_type_is_fixed(type) != 0, type != CDBUS_TYPE_UNIX_FD else {
            throw InvalidPart(reason: "it holds a value of type code \(type), not handled")
        }
        unsafe dbus_message_iter_get_basic(&iterator, &basic)
        switch type {
        case CDBUS_TYPE_BYTE: return unsafe .byte(basic.byt)
        case CDBUS_TYPE_BOOLEAN: return unsafe .boolean(basic.bool_val != 0)
        case CDBUS_TYPE_INT16: return unsafe .int16(basic.i16)
        case CDBUS_TYPE_UINT16: return unsafe .uint16(basic.u16)
        case CDBUS_TYPE_INT32: return unsafe .int32(basic.i32)
        case CDBUS_TYPE_UINT32: return unsafe .uint32(basic.u32)
        case CDBUS_TYPE_INT64: return unsafe .int64(Int64(basic.i64))
        case CDBUS_TYPE_UINT64: return unsafe .uint64(UInt64(basic.u64))
        case CDBUS_TYPE_DOUBLE: return unsafe .double(basic.dbl)
        default: throw InvalidPart(reason: "it holds a value of unknown type code \(type)")
        }
    }

    private mutating func text(
        _ iterator: inout DBusMessageIter
    ) throws(InvalidPart) -> String {
        var basic = unsafe DBusBasicValue()
        unsafe dbus_message_iter_get_basic(&iterator, &basic)
        guard let pointer = unsafe basic.str else { return "" }
        let text = unsafe String(cString: pointer)
        try budget.hold(bytes: text.utf8.count)
        return text
    }
}

// MARK: - Arrays

extension ValueDecoder {
    private mutating func array(
        _ iterator: inout DBusMessageIter, depth: Int
    ) throws(InvalidPart) -> Value {
        let elementType = unsafe dbus_message_iter_get_element_type(&iterator)
        var inner = unsafe DBusMessageIter()
        unsafe dbus_message_iter_recurse(&iterator, &inner)
        if elementType == CDBUS_TYPE_BYTE {
            return .byteArray(try unsafe bytes(&inner))
        }
        let elementSignature = unsafe signature(&inner)
        guard elementType == CDBUS_TYPE_DICT_ENTRY else {
            let elements = try unsafe values(&inner, depth: depth)
            return .array(elementSignature: elementSignature, elements)
        }
        var entries: [Value.Entry] = []
        while unsafe dbus_message_iter_get_arg_type(&inner) == CDBUS_TYPE_DICT_ENTRY {
            var fields = unsafe DBusMessageIter()
            unsafe dbus_message_iter_recurse(&inner, &fields)
            let key = try unsafe value(&fields, depth: depth)
            unsafe dbus_message_iter_next(&fields)
            entries.append(
                Value.Entry(key: key, value: try unsafe value(&fields, depth: depth)))
            unsafe dbus_message_iter_next(&inner)
        }
        return .dictionary(entrySignature: elementSignature, entries)
    }

    private mutating func bytes(
        _ iterator: inout DBusMessageIter
    ) throws(InvalidPart) -> [UInt8] {
        var start: UnsafePointer<UInt8>? = nil
        var count: Int32 = 0
        unsafe dbus_message_iter_get_fixed_array(&iterator, &start, &count)
        try budget.hold(bytes: Int(count))
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private func signature(_ iterator: inout DBusMessageIter) -> String {
        guard let text = unsafe dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { unsafe dbus_free(text) }
        return unsafe String(cString: text)
    }
}
