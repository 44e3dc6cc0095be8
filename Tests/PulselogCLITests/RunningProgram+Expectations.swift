import Foundation
import TestSupport
import Testing

extension RunningProgram {
    /// The program that all of this is about.
    static let pulselog = builtPrograms + "/pulselog"

    /// Ends the program by a signal, which must be a good end.
    @discardableResult
    func finish(
        by number: Int32 = SIGINT, at location: SourceLocation = #_sourceLocation
    ) async -> End {
        signal(number)
        let end = await end
        #expect(end.status == 0, "\(end.messages)", sourceLocation: location)
        return end
    }

    /// Ends the program by a signal, soon, also on a machine that has other things to do.
    func end(
        by number: Int32, within milliseconds: UInt64 = 20_000,
        at location: SourceLocation = #_sourceLocation
    ) async -> End {
        let asked = Self.now()
        signal(number)
        let end = await end
        #expect(Self.now() < asked + milliseconds, sourceLocation: location)
        return end
    }

    /// Waits until `record --json` has shown an event of a kind, one more each time.
    @discardableResult
    func event(_ kind: String) async throws -> Line {
        try await line { $0.contains(#""kind":"\#(kind)""#) }
    }

    /// Waits until `record --json` has shown this many more heart-rate values.
    func waitForHeartRates(_ count: Int) async throws {
        for _ in 0..<count {
            try await line {
                $0.contains(#""kind":"characteristicNotified""#)
                    && $0.contains(#""characteristic":"heartRateMeasurement""#)
            }
        }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The arguments of a command that is written as one text.
    var arguments: [String] { split(separator: " ").map(String.init) }
}
