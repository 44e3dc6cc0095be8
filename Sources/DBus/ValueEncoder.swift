internal import CDBus

/// Writes values as the arguments of a message.
///
/// Two passes: ``Validation`` refuses whatever libdbus would refuse by ending the process, then
/// ``append(_:to:)`` cannot fail.
@safe
enum ValueEncoder {
    static func append(_ values: [Value], to message: borrowing OwnedMessage) {
        var iterator = unsafe DBusMessageIter()
        unsafe dbus_message_iter_init_append(message.pointer, &iterator)
        for value in values { unsafe append(value, &iterator) }
    }

    private static func append(_ value: Value, _ iterator: inout DBusMessageIter) {
        switch value {
        case .byte(let number): unsafe append(CDBUS_TYPE_BYTE, number, &iterator)
        case .boolean(let flag):
            unsafe append(CDBUS_TYPE_BOOLEAN, flag ? 1 : 0 as dbus_bool_t, &iterator)
        case .int16(let number): unsafe append(CDBUS_TYPE_INT16, number, &iterator)
        case .uint16(let number): unsafe append(CDBUS_TYPE_UINT16, number, &iterator)
        case .int32(let number): unsafe append(CDBUS_TYPE_INT32, number, &iterator)
        case .uint32(let number): unsafe append(CDBUS_TYPE_UINT32, number, &iterator)
        case .int64(let number): unsafe append(CDBUS_TYPE_INT64, number, &iterator)
        case .uint64(let number): unsafe append(CDBUS_TYPE_UINT64, number, &iterator)
        case .double(let number): unsafe append(CDBUS_TYPE_DOUBLE, number, &iterator)
        case .string(let text): unsafe append(CDBUS_TYPE_STRING, text, &iterator)
        case .objectPath(let text): unsafe append(CDBUS_TYPE_OBJECT_PATH, text, &iterator)
        case .signature(let text): unsafe append(CDBUS_TYPE_SIGNATURE, text, &iterator)
        case .descriptor(let number): unsafe append(CDBUS_TYPE_UNIX_FD, number, &iterator)
        case .byteArray, .array, .dictionary, .structure, .variant:
            unsafe appendContainer(value, &iterator)
        }
    }

    /// A number of the type's own width, as libdbus reads it from where it is.
    private static func append<Number: BitwiseCopyable>(
        _ type: Int32, _ number: Number, _ iterator: inout DBusMessageIter
    ) {
        var number = number
        unsafe checked(dbus_message_iter_append_basic(&iterator, type, &number))
    }

    private static func append(
        _ type: Int32, _ text: String, _ iterator: inout DBusMessageIter
    ) {
        unsafe text.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = unsafe pointer
            unsafe checked(dbus_message_iter_append_basic(&iterator, type, &pointer))
        }
    }

    private static func checked(_ done: dbus_bool_t) {
        precondition(done != 0, "libdbus fails here only when the process is out of memory")
    }
}

// MARK: - Containers

extension ValueEncoder {
    private static func appendContainer(_ value: Value, _ iterator: inout DBusMessageIter) {
        switch value {
        case .byteArray(let bytes):
            unsafe container(CDBUS_TYPE_ARRAY, "y", &iterator) { inner in
                unsafe bytes.withUnsafeBufferPointer { buffer in
                    guard var start = buffer.baseAddress else { return }
                    unsafe checked(
                        dbus_message_iter_append_fixed_array(
                            &inner, CDBUS_TYPE_BYTE, &start, Int32(buffer.count)))
                }
            }
        case .array(let element, let elements):
            unsafe container(CDBUS_TYPE_ARRAY, element, &iterator) { inner in
                for element in elements { unsafe append(element, &inner) }
            }
        case .dictionary(let entry, let entries):
            unsafe container(CDBUS_TYPE_ARRAY, entry, &iterator) { inner in
                for entry in entries {
                    unsafe container(CDBUS_TYPE_DICT_ENTRY, nil, &inner) { fields in
                        unsafe append(entry.key, &fields)
                        unsafe append(entry.value, &fields)
                    }
                }
            }
        case .structure(let fields):
            unsafe container(CDBUS_TYPE_STRUCT, nil, &iterator) { inner in
                for field in fields { unsafe append(field, &inner) }
            }
        case .variant(let content):
            unsafe container(CDBUS_TYPE_VARIANT, content.signature, &iterator) { inner in
                unsafe append(content, &inner)
            }
        default:
            preconditionFailure("Not a container.")
        }
    }

    private static func container(
        _ type: Int32, _ signature: String?, _ iterator: inout DBusMessageIter,
        _ fill: (inout DBusMessageIter) -> Void
    ) {
        var inner = unsafe DBusMessageIter()
        if let signature {
            unsafe signature.withCString { text in
                unsafe checked(
                    dbus_message_iter_open_container(&iterator, type, text, &inner))
            }
        } else {
            unsafe checked(dbus_message_iter_open_container(&iterator, type, nil, &inner))
        }
        unsafe fill(&inner)
        unsafe checked(dbus_message_iter_close_container(&iterator, &inner))
    }
}
