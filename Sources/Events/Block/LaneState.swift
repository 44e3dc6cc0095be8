/// What the entries of a lane section are relative to; the same for the writer and the reader.
///
/// Both begin a section with ``init()`` and change the state with each entry, so a block that is
/// read to its end leaves exactly the state in which its writer went on.
@usableFromInline
@frozen
struct LaneState: Sendable {
    @usableFromInline var bootMilliseconds: UInt64 = 0
    @usableFromInline var wallMinusBoot: Int64 = 0
    @usableFromInline var bootNumber: UInt32 = 0
    @usableFromInline var source: UInt32 = 0
    @usableFromInline var flags: UInt8 = 0
    @usableFromInline var kind: UInt8 = 0
    @usableFromInline var version: UInt16 = 1

    /// The number of devices listed so far, in a ``DeviceList``.
    @usableFromInline var deviceCount = 0
    /// The device of the dense body before, as the word of ``DeviceID``; none yet: all ones.
    @usableFromInline var device = UInt64.max

    /// The last RR interval; for steps the last count; for places the last latitude.
    @usableFromInline var first: Int64 = 0
    /// For steps the last distance; for places the last longitude.
    @usableFromInline var second: Int64 = 0
    /// For places the last altitude.
    @usableFromInline var third: Int64 = 0

    @inlinable
    init() {}
}

/// The devices that the dense bodies of the heart and steps sections have used.
@usableFromInline
@frozen
struct DeviceList: Sendable {
    /// Words of ``DeviceID``: 32 of the heart lane, then 32 of the steps lane.
    @usableFromInline var words = InlineArray<64, UInt64>(repeating: 0)

    @inlinable
    init() {}

    /// Device `index` of a lane's list, 0 to 31; the lane is heart or steps.
    @inlinable
    subscript(lane: Int, index: Int) -> UInt64 {
        get { words[(lane & 1) &* 32 &+ index] }
        set { words[(lane & 1) &* 32 &+ index] = newValue }
    }

    /// The index of a device among the first `count` of a lane's list, or nil.
    @usableFromInline
    func index(of word: UInt64, lane: Int, count: Int) -> Int? {
        for index in 0..<count where self[lane, index] == word { return index }
        return nil
    }
}

/// The sizes and offsets of a block.
@usableFromInline
enum BlockLayout {
    static let maximumBytes = 4_080
    static let headerBytes = 24
    static let format: UInt16 = 1
    @inlinable static var laneCount: Int { 7 }
    /// The number of the lane of days.
    static var dayLane: Int { Int(Lane.day.rawValue) }
    static let maximumDevices = 32
}

/// A block whose bytes contradict the record format.
public struct DamagedBlock: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Sendable {
        /// The size is not that of its sections, or over the limit.
        case size
        /// The bytes are not those that were written: the CRC-32C differs.
        case checksum
        /// The block is whole and is stored under the position of another.
        case place
        /// The block has a format that this program does not know.
        case format
        /// An order or lane section contradicts its counts or its encoding.
        case section
    }

    /// What is wrong.
    public let code: Code
    /// The position of the first event that cannot be read, if the block's start can be.
    public let position: Position?

    /// Makes an error about a block.
    public init(_ code: Code, position: Position?) {
        self.code = code
        self.position = position
    }

    /// What happened, as a clause.
    public var description: String {
        let place = position.map { "at position \($0)" } ?? "of unknown position"
        return switch code {
        case .size: "the block \(place) has a wrong size"
        case .checksum: "the block \(place) does not match its checksum"
        case .place: "the block \(place) is another one, which begins elsewhere"
        case .format: "the block \(place) was written by a newer version of Pulselog"
        case .section: "the sections of the block \(place) contradict each other"
        }
    }
}
