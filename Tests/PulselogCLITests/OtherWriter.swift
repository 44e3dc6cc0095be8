import Foundation
import TestSupport
import Testing

/// A process that is in the middle of a write to the store of a test.
struct OtherWriter {
    let program: RunningProgram

    /// Stops it, as a terminal or a debugger does, until the test has done with it.
    func stop() { program.signal(SIGSTOP) }

    /// Its number, as `pulselog` names it.
    var name: String { "process \(program.processID)" }
    /// What `pulselog` says of it while it is stopped.
    var words: String { "\(name) is stopped in the middle of a write" }
    /// What is to be done about it then.
    var advice: String { "`kill -CONT \(program.processID)` lets it continue" }
}

extension Workbench {
    /// Lets a process begin a write to the store, and end it when `body` has ended.
    ///
    /// - Throws: What `body` throws, or that the process cannot write.
    func withOtherWriter(_ body: (OtherWriter) async throws -> Void) async throws {
        let program = try RunningProgram(
            RunningProgram.builtPrograms + "/HeldWrite", [store], environment: environment())
        try await program.line { $0 == "writing" }
        let result = await outcome { try await body(OtherWriter(program: program)) }
        program.signal(SIGCONT)
        program.endInput()
        #expect(await program.end.status == 0)
        try result.get()
    }
}
