import BluetoothCentral
import DaemonModel
import Foundation
import JSON
import Synchronization
import Text

/// Reports as JSON Lines: what was sent into a file, the rest to standard output and error.
final class ReportLines: Sendable {
    private struct Counts {
        var sent = 0
        var lost = 0
    }

    private let counts = Mutex(Counts())
    /// Where sent values go; nil for nowhere.
    private let sentFile: FileHandle?

    /// Opens the file, emptying it.
    ///
    /// - Parameter path: The file for sent values; nil for none.
    /// - Throws: An error of the file system.
    init(sentTo path: String?) throws {
        guard let path else {
            sentFile = nil
            return
        }
        try Data().write(to: URL(filePath: path))
        sentFile = try FileHandle(forWritingTo: URL(filePath: path))
    }

    /// Says where the bus is, and that `org.bluez` is on it.
    func ready(address: String) throws {
        try print {
            $0.field("ready", true)
            $0.field("address", address)
        }
    }

    /// Takes a report.
    func take(_ report: Report) throws {
        switch report {
        case .sent(let sent): try take(sent)
        case .problem(let sentence):
            try FileHandle.standardError.write(contentsOf: Data("FakeStrap: \(sentence)\n".utf8))
        case .ended, .busLost: return
        }
    }

    /// Says that the play is over, and how many values went and were lost.
    func ended() throws {
        let counts = counts.withLock { $0 }
        try print {
            $0.field("ended", true)
            $0.field("sent", counts.sent)
            $0.field("lost", counts.lost)
        }
    }

    private func take(_ sent: Report.Sent) throws {
        let isDelivered = sent.signalCount > 0
        counts.withLock {
            $0.sent += 1
            if !isDelivered { $0.lost += 1 }
        }
        let line = JSONWriter.line {
            $0.field("t", sent.bootMilliseconds)
            $0.field("device", sent.address)
            $0.field("characteristic", sent.characteristic.description.lowercased())
            $0.field("value", hexadecimal(sent.value))
            $0.field("delivered", isDelivered)
            $0.field("signals", sent.signalCount)
        }
        try sentFile?.write(contentsOf: Data(line))
    }

    private func print(_ body: (inout JSONWriter) -> Void) throws {
        try FileHandle.standardOutput.write(contentsOf: Data(JSONWriter.line(body)))
    }
}
