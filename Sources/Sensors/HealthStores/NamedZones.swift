internal import Events
internal import Synchronization

/// The zones that this machine knows by name, such as `Europe/Berlin`.
///
/// Source of the form: RFC 9636, TZif, of which the block with times of 64 bits is read. What it
/// says of times after its last change, by a rule, is not.
package final class NamedZones: Sendable {
    /// The changes of a zone, in order of time.
    fileprivate struct Zone {
        var seconds: [Int64] = []
        /// Minutes east of UTC from each change on, and before all of them.
        var offsets: [Int64] = []
        var first: Int64 = 0
        /// Whether a rule goes on after the last change.
        var hasRule = false
    }

    private static let folder = "/usr/share/zoneinfo/"
    private static let limitBytes = 64 * 1_024
    private static let countLimit = 1_000

    private let zones = Mutex<[String: Zone?]>([:])

    /// Knows none yet.
    package init() {}

    /// Minutes east of UTC in a zone.
    ///
    /// - Parameters:
    ///   - name: The zone's name.
    ///   - milliseconds: UTC since 1970.
    /// - Returns: The offset, or nil if this machine does not know it.
    package func offsetMinutes(of name: String, at milliseconds: Int64) -> Int64? {
        guard let zone = zone(name) else { return nil }
        let seconds = milliseconds / 1_000
        let next = zone.seconds.partitioningIndex { $0 > seconds }
        guard next > 0 else { return zone.first }
        guard next < zone.seconds.count || !zone.hasRule else { return nil }
        return zone.offsets[next - 1]
    }

    private func zone(_ name: String) -> Zone? {
        zones.withLock { zones in
            if let known = zones[name] { return known }
            guard zones.count < Self.countLimit else { return nil }
            let zone = Self.read(name)
            zones[name] = .some(zone)
            return zone
        }
    }

    private static func read(_ name: String) -> Zone? {
        let isName =
            !name.hasPrefix("/") && !name.contains("..") && name.utf8.count <= 64
            && name.allSatisfy { character in
                let isPlain = character.isLetter || character.isNumber
                return character.isASCII && (isPlain || "/_+-".contains(character))
            }
        guard isName else { return nil }
        do throws(FileError) {
            let bytes = try FilePlace.contents(
                of: folder + name, limitBytes: limitBytes, onlyRegular: true)
            return Zone(tzif: bytes)
        } catch {
            return nil  // A zone that this machine does not know.
        }
    }
}

extension NamedZones.Zone {
    /// The counts of a header, in the order of the RFC.
    private struct Header {
        let isUT: Int, isStandard: Int, leaps: Int, times: Int, types: Int, characters: Int

        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.starts(with: "TZif".utf8), bytes.count >= 44 else { return nil }
            let counts = (0..<6).map { Int(bytes.bigEndian(at: 20 + 4 * $0, count: 4)) }
            (isUT, isStandard, leaps) = (counts[0], counts[1], counts[2])
            (times, types, characters) = (counts[3], counts[4], counts[5])
            guard counts.allSatisfy({ (0...65_536).contains($0) }), types > 0 else { return nil }
        }

        func length(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4)
                + isStandard + isUT
        }
    }

    fileprivate init?(tzif bytes: [UInt8]) {
        guard let old = Header(bytes[...]) else { return nil }
        let second = bytes.dropFirst(44 + old.length(timeBytes: 4))
        guard let header = Header(second),
            second.count >= 44 + header.length(timeBytes: 8)
        else { return nil }
        let body = second.dropFirst(44)
        let types = header.times * 9
        func offset(ofType type: Int) -> Int64 {
            Int64(Int32(truncatingIfNeeded: body.bigEndian(at: types + 6 * type, count: 4))) / 60
        }
        self.init()
        for index in 0..<header.times {
            let type = Int(body.bigEndian(at: header.times * 8 + index, count: 1))
            guard type < header.types else { return nil }
            seconds.append(body.bigEndian(at: 8 * index, count: 8))
            offsets.append(offset(ofType: type))
        }
        first = offset(ofType: 0)
        hasRule = body.dropFirst(header.length(timeBytes: 8)).contains(UInt8(ascii: ","))
        guard (offsets + [first]).allSatisfy({ (-1_440...1_440).contains($0) }) else { return nil }
    }
}

extension ArraySlice<UInt8> {
    /// A number from so many bytes after the slice's beginning.
    fileprivate func bigEndian(at offset: Int, count: Int) -> Int64 {
        dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | Int64($1) }
    }
}
