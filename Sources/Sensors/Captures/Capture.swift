package import BluetoothCaptures
package import Events

/// A capture's events, in the order of their positions: of a JSON Lines file, checked, or of a
/// Bluetooth capture.
package struct Capture {
    /// The most events of a capture: a month of one each second.
    package static let limit = 3_000_000

    /// The events.
    package private(set) var events = EventBatch()
    /// What is wrong with the end of the file: its last line is cut off.
    package private(set) var damage: String?

    /// Reads a capture; `-` is standard input.
    ///
    /// A file that is cut off in its last line gives what comes before, labelled.
    ///
    /// - Throws: ``FileError`` naming the line, the reason and what to do.
    package init(reading path: String) throws(FileError) {
        let input = try ByteStream(path)
        if let format = try input.captureFormat() {
            try self.init(try BluetoothCapture(input, format))
        } else {
            try self.init(input)
        }
    }

    /// Reads the JSON Lines of a file that was opened already.
    ///
    /// - Throws: ``FileError`` as ``init(reading:)``.
    package init(_ input: ByteStream) throws(FileError) {
        let path = input.name
        var file = EventFile(input)
        while try file.read(into: &events) { try Self.checkCount(events.count, path) }
        damage = file.damage
        try require(!events.isEmpty || damage == nil, .badContent, "\(path): \(damage ?? "")")
    }

    /// Takes the events of a Bluetooth capture.
    ///
    /// - Throws: ``FileError`` if there are too many, or the file can no longer be read.
    package init(_ capture: BluetoothCapture) throws(FileError) {
        try Self.checkCount(Int(clamping: capture.survey.events), capture.path)
        var events = EventBatch()
        var failure: FieldError?
        try capture.readEvents { portion in
            do throws(FieldError) {
                try events.append(contentsOf: portion)
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw FileError(.badContent, failure.description) }
        self.events = events
        damage = capture.survey.damage?.description
    }

    private static func checkCount(_ count: Int, _ path: String) throws(FileError) {
        try require(
            count <= limit, .badContent, "\(path): more than \(limit) events; split the capture.")
    }

    /// Wraps a capture without a session into one, from its first to its last event, with the
    /// heart rates of one strap.
    ///
    /// A whole log is left as it is: it says by itself that there was no session.
    ///
    /// - Parameter address: The address of the strap; nil for the one that sent the most.
    /// - Returns: The straps; nil if nothing was done.
    /// - Throws: ``FileError`` if the events are too many.
    package mutating func wrapIfNeeded(_ address: UInt64? = nil) throws(FileError) -> StrapCounts? {
        guard !events.headers.contains(where: { $0.kind == .sessionStarted }),
            let first = events.headers.first, first.kind != .originBegan,
            let last = events.headers.last
        else { return nil }
        var straps = StrapCounts()
        events.forEach { event in
            guard event.header.kind == .characteristicNotified, let fields = event.heartFields,
                fields.characteristic == .heartRateMeasurement
            else { return }
            straps.add(fields.device)
        }
        let leftOut = Set((straps.choice(address)?.others ?? []).map(\.device))
        var wrapped = EventBatch()
        do throws(FieldError) {
            try wrapped.append(
                .sessionStarted(SessionStarted()), source: first.source, stamp: first.stamp,
                flags: first.flags)
            try events.forEach { (event) throws(FieldError) in
                if leftOut.isEmpty || leftOut.isDisjoint(with: event.decoded.devices) {
                    try wrapped.append(event)
                }
            }
            try wrapped.append(
                .sessionEnded(SessionEnded(reason: .inputEnded)), source: last.source,
                stamp: last.stamp, flags: last.flags)
        } catch {
            throw FileError(.badContent, error.description)
        }
        events = wrapped
        return straps
    }
}
