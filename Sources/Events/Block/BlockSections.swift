/// The eight sections of a block, each to be named and opened by itself.
extension BlockReader {
    /// The number of sections: the order, then the seven lanes.
    public static let sectionCount = 1 + BlockLayout.laneCount

    /// The number of a lane's section.
    public static func section(of lane: Lane) -> Int { 1 + Int(lane.rawValue) }

    /// Where the sections stand in a block, the order first, then the lanes.
    ///
    /// - Parameter block: The bytes of one block; its checksum is not looked at.
    /// - Returns: Eight places, one after the other, the last of which ends the block.
    /// - Throws: ``DamagedBlock`` if the block has another size than its header says.
    public static func sections(
        of block: Span<UInt8>
    ) throws(DamagedBlock) -> InlineArray<8, Range<Int>> {
        guard let head = BlockHead(block), head.byteCount == block.count else {
            throw DamagedBlock(.size, position: nil)
        }
        return head.places
    }

    /// Hands each event of a lane's section to `body`, in order.
    ///
    /// The section is all that is given; nothing is known of the block that it was part of. The
    /// events' positions are their indices within the lane.
    ///
    /// - Parameters:
    ///   - section: The bytes of the section.
    ///   - lane: Which lane's it is.
    ///   - body: Called with the event, valid during the call.
    /// - Throws: ``DamagedBlock`` if the bytes are no such section.
    public static func forEach(
        inSection section: Span<UInt8>, of lane: Lane, _ body: (borrowing EventView) -> Void
    ) throws(DamagedBlock) {
        var offset = 0
        guard section.count <= BlockLayout.maximumBytes, let count = section.varint(at: &offset),
            let first = section.varint(at: &offset), count <= UInt64(section.count)
        else { throw DamagedBlock(.section, position: nil) }
        // A block around it, in which the other lanes are empty.
        var order: [UInt8] = []
        order.appendVarint(first)
        order += [UInt8](repeating: lane.rawValue, count: Int(count))
        var parts = [[UInt8]](repeating: [0, 0], count: sectionCount)
        parts[0] = order
        parts[self.section(of: lane)] = [UInt8](copying: section)
        let block = joined(parts, format: BlockLayout.format, count: count)
        guard count > 0 else { return }
        try forEach(in: block.span) { event in
            body(event)
            return true
        }
    }

    /// Puts a block together from its sections: the header holds nothing that they do not.
    ///
    /// - Parameters:
    ///   - sections: The order, then the lanes 0 to 6.
    ///   - format: The format of the block.
    /// - Returns: The block, checksum included; nil if the order section is not one.
    public static func block(of sections: [[UInt8]], format: UInt16) -> [UInt8]? {
        var offset = 0
        guard sections.count == sectionCount else { return nil }
        let order = sections[0]
        guard order.span.varint(at: &offset) != nil else { return nil }
        var block = joined(sections, format: format, count: UInt64(order.count - offset))
        let checksum = CRC32C.checksum(block.span.extracting(droppingFirst: 4))
        for index in 0..<4 { block[index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
        return block
    }

    /// A block without its checksum.
    private static func joined(_ sections: [[UInt8]], format: UInt16, count: UInt64) -> [UInt8] {
        var block: [UInt8] = [0, 0, 0, 0]
        block.fixed(UInt64(format), 2)
        block.fixed(count, 2)
        for section in sections { block.fixed(UInt64(section.count), 2) }
        return sections.reduce(into: block) { $0 += $1 }
    }
}
