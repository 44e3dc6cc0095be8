internal import Clocks
package import EventStoreLMDB
internal import Terminal
internal import Text
internal import Words

extension CheckpointFolder {
    /// Why a log cannot be signed here from now on, as far as can be told without trying.
    ///
    /// - Parameter log: The log.
    /// - Returns: A sentence; nil if nothing is known to be in the way.
    package static func usualObstacle(for log: LMDBEventLog) -> String? {
        guard let folder = usual(for: log) else { return noPlace }
        return folder.obstacle.map {
            "The checkpoint cannot be kept outside of the store (\(printable($0, limit: 400)))."
        }
    }

    /// That there is no folder to keep anything in.
    static let noPlace =
        "HOME is not set, and neither is XDG_STATE_HOME, so there is no folder for the key that "
        + "would sign this log."
}

extension Store {
    /// Says on standard error what a recording cannot have on this machine, before it begins.
    package func tellSurroundings() {
        if let name = LocalZone.unknownName {
            Output.standardError.say("\(ZoneText.unknown(name)) \(ZoneText.advice)")
        }
        if let obstacle = CheckpointFolder.usualObstacle(for: log) {
            Output.standardError.say("What is recorded now will not be signed: \(obstacle)")
        }
    }
}
