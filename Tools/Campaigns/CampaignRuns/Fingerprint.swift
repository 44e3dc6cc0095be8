package import Events

/// A number that differs where what was added does, as good as always: FNV-1a.
package struct Fingerprint: Hashable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }

    /// Adds the header and the payload of an event.
    package mutating func add(_ event: borrowing EventView) {
        let header = event.header
        add(header.position)
        add(UInt64(header.kind.rawValue))
        add(UInt64(header.version))
        add(UInt64(header.flags.rawValue))
        add(UInt64(header.source))
        add(header.stamp.bootMilliseconds)
        add(UInt64(bitPattern: header.stamp.wallMilliseconds))
        add(UInt64(header.stamp.bootNumber))
        event.withPayload { payload in
            for index in payload.indices { add(UInt64(payload[index])) }
        }
    }
}
