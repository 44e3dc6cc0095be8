internal import Sensors
internal import Synchronization
internal import Words

/// How far a long file has been read, for a person at a terminal.
final class ReadingProgress: Sendable {
    /// Below this size nothing is shown: it is read in a moment.
    private static let leastBytes: UInt64 = 16 * 1_024 * 1_024

    private let name: String
    private let size: UInt64?
    private let shown = Mutex(UInt64(0))

    init(of file: String) {
        name = printable(file, limit: 40)
        let size = InputFile.sizeBytes(of: file) ?? 0
        self.size = size >= Self.leastBytes && Output.standardError.isTerminal ? size : nil
    }

    /// Shows the share that has been read, when it has grown by a hundredth.
    func show(bytes: UInt64) {
        guard let size else { return }
        let percent = min(100, bytes * 100 / size)
        let isNew = shown.withLock { shown in
            defer { shown = percent }
            return percent != shown
        }
        if isNew { Output.standardError.write("\r\(name): \(percent) %") }
    }

    /// Takes away what was shown.
    func clear() {
        if size != nil { Output.standardError.write("\r\u{1B}[K") }
    }
}
