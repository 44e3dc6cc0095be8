internal import BluetoothCaptures
internal import EventStore
package import Events
package import Sensors

/// A Bluetooth capture as a log that can only be read: its events are made again for each reading,
/// so that memory does not grow with the file.
package final class BluetoothCaptureLog: EventLog {
    private let capture: BluetoothCapture
    private let isQuiet: Bool

    /// - Parameters:
    ///   - capture: The capture.
    ///   - isQuiet: Whether no bar shows how far it is read.
    package init(_ capture: BluetoothCapture, quietly isQuiet: Bool) {
        (self.capture, self.isQuiet) = (capture, isQuiet)
    }

    package var next: Position { capture.survey.events }

    func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        throw EventLogError(.permission, detail: "a capture is only read")
    }

    /// Packs the events into blocks as a store does.
    func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        var builder = BlockBuilder()
        var goesOn = true
        let progress = isQuiet ? nil : ReadingProgress(of: capture.path)
        defer { progress?.clear() }
        do throws(FileError) {
            try capture.readEvents(progress: { progress?.show(bytes: $0) }) { batch in
                var index = builder.append(batch, from: 0)
                while index < batch.count {
                    if builder.next > start { goesOn = builder.withBytes(body) }
                    guard goesOn else { return false }
                    builder.startNextBlock()
                    index = builder.append(batch, from: index)
                }
                return true
            }
        } catch {
            throw EventLogError(.storage, detail: error.description)
        }
        if goesOn, builder.count > 0, builder.next > start { _ = builder.withBytes(body) }
    }

    /// Returns at once: nothing follows.
    func waitForEvent(at position: Position) async throws(EventLogError) {}
}
