internal import ArgumentParser
internal import EventStore
internal import EventStoreLMDB
internal import Interchange
internal import Words

extension LogCommand {
    /// `pulselog log verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check every block: checksum, encoding, positions without gaps.",
            discussion: "Exit code 1 if the log is damaged; the first bad position is named.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let directory = try common.storeDirectory()
            let result: LogVerification
            do {
                result = try LMDBEventLog.verify(directory: directory)
            } catch {
                throw CommandFailure(error, store: directory)
            }
            if common.json {
                Output.standard.write(
                    JSONWriter.line { line in
                        line.field("events", result.next)
                        line.field("blocks", result.blocks)
                        line.field("bytes", result.bytes)
                        line.field("sound", result.damage == nil)
                        line.field("damagePosition", result.damage?.position)
                        line.field("damage", result.damage?.description)
                    })
            } else if let damage = result.damage {
                Output.standard.write(
                    "\(counted(result.next, "good event")), then: \(damage.description)\n")
            } else {
                Output.standard.write(
                    "\(counted(result.next, "event")) in "
                        + "\(counted(UInt64(result.blocks), "block")): sound\n")
            }
            if result.damage != nil { throw ExitCode(CommandFailure.Code.finding.rawValue) }
        }
    }
}
