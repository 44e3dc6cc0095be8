internal import CampaignRuns
internal import EventStoreLMDB
internal import Events

/// Makes the stores that are damaged.
struct StoreMaker {
    let program: String
    let folder: String

    /// A store of some dozen pages: a walk, a profile, a health total and some commits more, so
    /// that there are free pages.
    ///
    /// - Parameter name: The name of its folder.
    /// - Returns: The path of its folder.
    /// - Throws: ``CampaignError`` with the words of the command that failed.
    func small(_ name: String) throws(CampaignError) -> String {
        let store = "\(folder)/\(name)"
        for arguments in walkedStore {
            let child = try Child(
                program, arguments + ["--store", store],
                [.file("/dev/null"), .file("/dev/null"), .file("\(folder)/messages")])
            guard child.end(withinSeconds: 60) == .exited(0) else {
                let messages = String(
                    decoding: try Files.read("\(folder)/messages"), as: UTF8.self)
                throw CampaignError(description: "\(arguments): \(messages)")
            }
        }
        return store
    }

    /// A store of a few hundred pages in a tree of two levels: the small one, and hours of values.
    ///
    /// - Returns: Its folder.
    func large(from small: String) async throws -> String {
        let store = "\(folder)/large"
        try Files.fill(store, Files.contents(of: small))
        let log = try LMDBEventLog.open(directory: store, mode: .existing)
        defer { log.close() }
        for commit in 0..<100 {
            var batch = EventBatch()
            for number in 0..<1_500 {
                let count = UInt64(commit * 1_500 + number)
                let value: [UInt8] = [
                    0x10, UInt8(60 + count % 80), UInt8(truncatingIfNeeded: count &* 37), 3,
                ]
                let stamp = Stamp(
                    bootMilliseconds: 1_000_000 + count * 1_000,
                    wallMilliseconds: 1_772_400_000_000 + Int64(count) * 1_000, bootNumber: 0)
                try batch.append(
                    .characteristicNotified(
                        CharacteristicNotified(
                            device: DeviceID(address: 0xC400_0000_0001, space: .random),
                            value: value)),
                    stamp: stamp, flags: .wallTrusted)
            }
            _ = try await log.append(batch, expecting: nil)
        }
        return store
    }
}
