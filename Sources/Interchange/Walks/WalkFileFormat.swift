package import Events

/// The formats in which walks come.
package enum WalkFileFormat: String, CaseIterable, Sendable {
    /// Flexible and Interoperable Data Transfer, Garmin: activities and monitoring.
    case fit
    /// GPX 1.0 and 1.1, Topografix.
    case gpx
    /// Training Center XML, Garmin.
    case tcx
    /// Comma-separated values with heads that are known.
    case csv
    /// Intervals between beats, one a line.
    case rr

    /// How many bytes tell the format: some lines of text.
    package static let startBytes = 4_096

    /// Recognizes a file by its content; nil for anything else.
    ///
    /// - Parameter start: The first ``startBytes`` bytes, or the whole of a shorter file.
    package init?(recognizing start: [UInt8]) {
        if FITReader.recognizes(start) {
            self = .fit
            return
        }
        let start = start.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(start.dropFirst(3)) : start
        switch XMLRoot.name(start) {
        case "gpx": self = .gpx
        case "TrainingCenterDatabase": self = .tcx
        case _?: return nil
        case nil:
            if CSVWalkReader.recognizes(start) {
                self = .csv
            } else if RRTextReader.recognizes(start) {
                self = .rr
            } else {
                return nil
            }
        }
    }

    /// Makes a reader for a file of this format.
    ///
    /// - Parameters:
    ///   - times: What somebody says of its times.
    ///   - end: As of ``WalkFacts/init(until:keptIn:)``.
    ///   - keeper: Where facts are kept; nil for memory.
    /// - Returns: The reader.
    package func reader(
        _ times: StatedTimes, until end: Int64 = WalkFacts.endOfTime,
        keptIn keeper: ByteKeeper? = nil
    ) -> any WalkReader & ~Copyable {
        switch self {
        case .fit: return FITReader(times, until: end, keptIn: keeper)
        case .gpx: return GPXWalkReader(until: end, keptIn: keeper)
        case .tcx: return TCXReader(until: end, keptIn: keeper)
        case .csv: return CSVWalkReader(times, until: end, keptIn: keeper)
        case .rr: return RRTextReader(times, until: end, keptIn: keeper)
        }
    }
}

/// The outermost element of an XML file.
package enum XMLRoot {
    /// Reads its name.
    ///
    /// - Parameter start: The first bytes, also in UTF-16.
    /// - Returns: The name without a prefix; nil if this is not the beginning of XML.
    package static func name(_ start: [UInt8]) -> String? {
        let isWide = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
        var rest = isWide ? start.dropFirst(2).filter { $0 != 0 }[...] : start[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            guard rest.first == UInt8(ascii: "<") else { return nil }
            rest = rest.dropFirst()
            if rest.starts(with: "!--".utf8) {
                rest = after("-->", in: rest)
            } else if rest.first == UInt8(ascii: "?") {
                rest = after("?>", in: rest)
            } else {
                // A document type names the outermost element (XML 1.0, 2.8).
                if rest.starts(with: "!DOCTYPE".utf8) {
                    rest = rest.dropFirst(8).drop { " \t\r\n".utf8.contains($0) }
                }
                let name = rest.prefix { !" \t\r\n/>".utf8.contains($0) }
                guard name.count < rest.count, !name.isEmpty else { return nil }
                return String(decoding: name, as: UTF8.self).split(separator: ":").last
                    .map(String.init)
            }
        }
    }

    private static func after(_ end: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = Array(end.utf8)
        let index = bytes.indices.first { bytes[$0...].starts(with: end) }
        return index.map { bytes[($0 + end.count)...] } ?? []
    }
}
