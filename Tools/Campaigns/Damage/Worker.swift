internal import ArgumentParser
internal import CampaignRuns
internal import EventStore
internal import Glibc

extension StoreDamage {
    /// Tries the damages that it reads, one in a line, and answers each with a line.
    ///
    /// A process of its own: the one that reads a line and does not answer was ended by it.
    struct Worker: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "worker", shouldDisplay: false)

        @Argument var reference: String
        @Argument var folder: String

        func run() async throws {
            let files = try Files.contents(of: reference)
            let whole = try StoreUse.read(reference, below: .max)
            while let line = readLine() {
                guard let damage = Damage(line) else { throw ValidationError("no damage: \(line)") }
                print(try await Self.answer(to: damage, files, whole, in: folder))
                fflush(nil)
            }
        }

        /// `whole`, `refused`, or what must not happen.
        private static func answer(
            to damage: Damage, _ files: [String: [UInt8]], _ whole: StoreUse.Content,
            in folder: String
        ) async throws -> String {
            var files = files
            damage.apply(to: &files["data.mdb", default: []])
            try Files.fill(folder, files)
            var refusal: String?
            var isVouchedFor = true
            do throws(EventLogError) {
                let content = try StoreUse.read(folder, below: .max)
                if content != whole { return "read otherwise, without an error" }
            } catch {
                refusal = error.description
            }
            do throws(EventLogError) {
                let found = try StoreUse.verify(folder)
                isVouchedFor = found.isVouchedFor
                // What is not as it was sealed is not handed out, however good its checksums are.
                if let refusal, isVouchedFor { return "verified, but cannot be read: \(refusal)" }
                if found.next != whole.next { return "verified with another length" }
            } catch {
                if refusal == nil { return "read, but not verified: \(error)" }
            }
            if try Files.read("\(folder)/data.mdb") != files["data.mdb"] {
                return "changed by reading"
            }
            do throws(EventLogError) {
                try await StoreUse.append(folder)
            } catch {
                // Where leaves are damaged nobody knows which block may be extended.
                return refusal == nil && isVouchedFor
                    ? "cannot be appended to: \(error)" : "refused"
            }
            do throws(EventLogError) {
                let content = try StoreUse.read(folder, below: whole.next)
                if refusal == nil, content != whole { return "another log after an append" }
                let found = try StoreUse.verify(folder)
                if found.next != whole.next + 1 { return "another length after an append" }
                if isVouchedFor, !found.isVouchedFor { return "not vouched for after an append" }
            } catch {
                // A damaged block inside of the log does not keep its end from growing.
                if refusal == nil { return "damaged by an append: \(error)" }
            }
            return refusal == nil && isVouchedFor ? "whole" : "refused"
        }
    }
}
