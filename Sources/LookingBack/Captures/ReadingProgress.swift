internal import Sensors
internal import Synchronization
internal import Terminal
internal import Text

/// How far a long file has been read, for a person at a terminal.
package final class ReadingProgress: Sendable {
    /// Below this size nothing is shown: it is read in a moment.
    private static let leastBytes: UInt64 = 16 * 1_024 * 1_024

    private let name: String
    private let size: UInt64?
    private let line = Mutex(ProgressLine())

    package init(of file: String) {
        name = printable(file.split(separator: "/").last.map(String.init) ?? file, limit: 30)
        let size = FilePlace.sizeBytes(of: file) ?? 0
        self.size = size >= Self.leastBytes ? size : nil
    }

    /// Shows the share that has been read.
    package func show(bytes: UInt64) {
        guard let size else { return }
        line.withLock { $0.show(name, percent: Int(min(100, bytes * 100 / size))) }
    }

    /// Takes away what was shown.
    package func clear() {
        line.withLock { $0.clear() }
    }
}
